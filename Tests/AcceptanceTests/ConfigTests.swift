internal import Glibc
internal import JSON
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

struct ConfigTests {
    /// A program with this settings file, and where the file is.
    private func herald(_ text: String?, origin: String? = "http://127.0.0.1:9") throws -> (Herald, path: String) {
        let herald = try Herald(origin: origin)
        let directory = herald.home.path + "/h/config"
        try Files.makeDirectory(directory)
        if let text { try Files.replace(directory + "/config.toml", with: Array(text.utf8)) }
        return (herald, directory + "/config.toml")
    }

    @Test func `without a file every setting is standard`() throws {
        let ended = try herald(nil).0.run("config")

        #expect(ended.code == 0, "\(ended.errors)")
        let lines = ended.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("sync.bodies = \"recent\"") })
        #expect(lines.allSatisfy { $0.hasSuffix("# standard") })
    }

    @Test func `what is printed can be the file`() throws {
        let first = try herald("[sync]\nbodies = \"all\"\nrecent_days = 7").0.run("config")
        let second = try herald(first.text).0.run("config")

        #expect(first.text.contains("sync.recent_days = 7") && first.text.contains("# line 3"))
        func values(_ text: String) -> [Substring] {
            text.split(separator: "\n").compactMap { $0.split(separator: "#").first }
        }
        #expect(values(first.text) == values(second.text))
    }

    @Test func `the settings are printed as JSON with their source`() throws {
        let (herald, path) = try herald("log.level = \"debug\"")
        let ended = try herald.run("config", "--json")

        #expect(ended.code == 0)
        #expect(ended.text.hasPrefix("{\"version\":1,\"path\":\"\(path)\",\"items\":["))
        #expect(
            ended.text.contains(
                "{\"name\":\"log.level\",\"value\":\"debug\",\"standard\":\"info\",\"source\":\"file\",\"line\":1}"))
        #expect(
            ended.text.contains("\"name\":\"sync.recent_days\",\"value\":30,\"standard\":30,\"source\":\"standard\""))
    }

    @Test(arguments: [
        ("sync.body = \"all\"", "“sync.body” on line 1 of “", "Did you mean “sync.bodies”?"),
        ("\n[sync]\nrecent_days = \"x\"", "“sync.recent_days” on line 3 of “", "it takes a number from 1 to 3650."),
        ("sync.bodies = opened", "Line 1 of “", "cannot be used"), ("\n\nx", "Line 3 of “", "cannot be used"),
        ("a = '\u{1B}[31m", "Line 1 of “", "cannot be used"),
        ("\"\\u001B[31m\" = 1", "[31m” on line 1 of “", "is not a setting"),
        (String(repeating: "#", count: 40_000), "config.toml” cannot be used", "it is larger than"),
        ("a=" + String(repeating: "[", count: 5_000), "Line 1 of “", "it is nested too deeply."),
    ])
    func `a broken file stops everything with 78 and one sentence`(
        _ text: String, _ start: String, _ rest: String
    ) throws {
        let (herald, path) = try herald(text)

        for command in [["--sync-once"], ["--rebuild-cache"], ["list", "mailboxes"], ["status"], ["config"], []] {
            let ended = try herald.run(command)
            expectFailure(ended, 78, start)
            #expect(ended.errors.contains(rest) && ended.errors.contains(path), "\(ended.errors)")
            #expect(!ended.errors.contains("\u{1B}"))
        }
        #expect(!Files.exists(herald.home.path + "/h/cache") && !Files.exists(herald.home.path + "/h/state"))
    }

    @Test func `a broken file comes before a missing account`() throws {
        expectFailure(try herald("x", origin: nil).0.run("--sync-once"), 78)
    }

    @Test func `a broken file leaves help, version and its own path working`() throws {
        let (herald, path) = try herald("x")

        #expect(try herald.run("config", "path").text == path + "\n")
        for command in [["--help"], ["--version"], ["config", "--help"], ["help", "list"]] {
            #expect(try herald.run(command).code == 0)
        }
    }

    @Test(arguments: ["directory", "pipe", "link to nothing", "unreadable"])
    func `a file that cannot be read is told so`(_ kind: String) throws {
        let (herald, path) = try herald(nil)
        switch kind {
        case "directory": try Files.makeDirectory(path)
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "link to nothing":
            // A link that leads nowhere is as good as no file.
            #expect(symlink("/nonexistent/file", path) == 0)
            #expect(try herald.run("config").code == 0)
            return
        default:
            guard geteuid() != 0 else {
                // Root reads everything.
                Files.writeAll(2, Array("Skipped: root may read a file that its mode closes.\n".utf8))
                return
            }
            try Files.replace(path, with: [])
            chmod(path, 0)
        }

        expectFailure(try herald.run("--sync-once"), 78, "The settings file “\(path)” cannot be read")
    }

    @Test func `XDG_CONFIG_HOME says where the file is`() throws {
        var (herald, _) = try herald(nil)
        let home = herald.home.path
        herald.variables = ["HERALD_HOME": nil, "HOME": home]
        #expect(try herald.run("config", "path").text == home + "/.config/herald/config.toml\n")
        herald.variables["XDG_CONFIG_HOME"] = home + "/x"
        #expect(try herald.run("config", "path").text == home + "/x/herald/config.toml\n")
        herald.variables["XDG_CONFIG_HOME"] = "relative"
        #expect(try herald.run("config", "path").text == home + "/.config/herald/config.toml\n")
    }

    /// Fails when the setting says one thing and the screen another.
    @Test(arguments: [("auto", true), ("never", false)])
    func `colours follow the setting`(_ value: String, _ isColored: Bool) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write("h/config/config.toml", "terminal.colors = \"\(value)\"")
        let mail =
            "From: a@client.example\nSubject: Colour\nDate: Mon, 09 Nov 2026 10:00:00 +0000\n\nYes.\n\n> And so?"
        try setting.control("/deliver?to=info@example.test", body: mail)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor("Colour"), "\(terminal.screen)")
        terminal.send("gg\r")
        #expect(terminal.waitForIdle(), "\(terminal.screen)")
        // Quotes have a colour of their own.
        terminal.send("zq")
        #expect(terminal.waitFor("And so?"), "\(terminal.screen)")
        #expect(terminal.waitForIdle(), "\(terminal.screen)")
        terminal.send("Q")

        #expect(terminal.waitForExit() == 0)
        let log = String(decoding: terminal.log, as: UTF8.self)
        let colors = log.matches(of: /\u{1B}\[(?:[0-9;]*;)?(?:3[0-7]|9[0-7]|38;5;\d+)m/).count
        #expect((colors > 0) == isColored)
    }
}
