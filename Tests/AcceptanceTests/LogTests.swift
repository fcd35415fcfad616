internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

struct LogTests {
    private func log(_ herald: Herald) -> String {
        let state = herald.home.path + "/h/state"
        return ["herald.log.1", "herald.log"].map { name in
            String(decoding: (try? Files.read(state + "/" + name)) ?? [], as: UTF8.self)
        }.joined()
    }

    private func write(_ herald: Herald, config: String) throws {
        try Files.makeDirectory(herald.home.path + "/h/config")
        try herald.home.write("h/config/config.toml", config)
    }

    /// Fails when a word of a message, an account, a file or a server gets into the log.
    @Test func `a hostile run leaves only words of ours`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try write(setting.herald, config: "log.level = \"debug\"\nsync.bodies = \"opened\"")
        #expect(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor(Setting.body), "\(terminal.screen)")
        // A text is on the screen as soon as it is stored, a moment before its fetching is over and told.
        #expect(terminal.waitForIdle(), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
        _ = try setting.herald.run("show", "msg_secret@example.test")
        var stranger = setting.herald
        stranger.token = "hqb_access_secret_token"
        #expect(try stranger.run("--sync-once").code == 77)
        let lines = log(setting.herald).split(separator: "\n")

        for text in [
            "pass started", "pass finished", "terminal opened", "texts fetched", "terminal closed", "command failed",
        ] {
            #expect(lines.contains { $0.contains(" \(text) ") }, "\(text)")
        }
        let words = [
            "harbour", "boats", "@", "example", "invoice", "a.pdf", "client", "info", "hqb_", "127.0.0.1",
            "\(setting.server.port)", "msg_", "secret", "/", "“",
        ]
        for line in lines {
            let rest = line.split(separator: " ", maxSplits: 3).last ?? ""
            for word in words { #expect(!rest.lowercased().contains(word), "\(line)") }
            #expect(
                line.wholeMatch(of: /[0-9TZ:.-]{24} (error|info|debug) \d+ [a-z ]+( [a-z]+=#?[a-z0-9-]+)*/) != nil,
                "\(line)")
        }
    }

    @Test func `a hostile server's words stay out`() throws {
        let body = "{\"error\":{\"code\":\"SECRET_CODE\",\"message\":\"secret words\"}}"
        let server = try ScriptedServer(type: "application/json", body: body)
        defer { withExtendedLifetime(server) {} }
        let herald = try Herald(origin: "http://127.0.0.1:\(server.port)")
        #expect(try herald.run("--sync-once").code == 76)

        let log = log(herald)
        #expect(log.contains("command failed") && log.contains("exit=76"))
        #expect(!log.lowercased().contains("secret"))
    }

    @Test func `a pass is told with its counts`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)

        let log = log(setting.herald)
        #expect(log.contains(" info ") && log.contains(" pass finished ") && log.contains(" inserted=4 "), "\(log)")
    }

    @Test(arguments: [("off", false), ("error", true)])
    func `the level says what is told`(_ level: String, _ isTold: Bool) throws {
        let herald = try Herald(origin: "http://127.0.0.1:\(Loopback.deadPort())")
        try write(herald, config: "log.level = \"\(level)\"")
        #expect(try herald.run("--sync-once").code == 69)

        #expect(log(herald).contains("reason=unreachable exit=69") == isTold)
    }

    @Test func `a log that cannot be written holds nothing up`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Files.makeDirectory(setting.herald.home.path + "/h/state/herald.log")

        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
    }
}
