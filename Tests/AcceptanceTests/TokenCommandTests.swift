internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// `token_command` with the real program.
@Suite(.serialized, .ownThread)
struct TokenCommandTests {
    private static func program(_ setting: Setting, _ script: String) throws {
        let path = setting.herald.home.path + "/print"
        try setting.herald.home.write("print", script + "\n")
        try setting.write(settings: "token_command = [\"/bin/sh\", \"\(path)\", \"a b\"]\n")
    }

    /// Fails when a bearer that a program prints does not open mail, also from cron, or is kept anywhere.
    @Test func `a program's bearer serves every command`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Self.program(setting, "[ \"$1\" = 'a b' ] && echo hqb_access_owner")
        let added = try setting.run("account", "add", setting.server.origin)
        #expect(added.code == 0, "\(added.errors)")
        let cron = [
            "HOME": setting.herald.home.path, "HERALD_HOME": setting.herald.home.path + "/h",
            "HERALD_PATIENCE": "120",
        ]
        let passed = try #require(try setting.herald.start(["--sync-once", "--quiet"], environment: cron).wait())
        #expect(passed.code == 0 && passed.errors.isEmpty, "\(passed.errors)")
        let check = try setting.run("account", "check", "--json")
        #expect(check.text.contains("\"store\":\"command\""), "\(check.errors)")
        #expect(try setting.run("doctor").code == 0)
        #expect(!String(decoding: try Files.read(setting.tokenFile), as: UTF8.self).contains("hqb_"))

        // Changed underneath, and wrong: the server's refusal is told, and the next right one serves.
        try Self.program(setting, "echo hqb_access_wrong")
        #expect(try setting.run("--sync-once").code == 77)
        try Self.program(setting, "echo hqb_access_owner")
        #expect(try setting.run("--sync-once").code == 0)
        #expect(try setting.run("account", "remove").code == 0)
    }

    /// Fails when a program that fails or hangs is not told with what to do, or holds a command up.
    @Test(arguments: [
        ("exit 1", Int32(75), "ended with an error"), ("echo two words", 77, "no token"),
        ("sleep 1000000", 75, "did not end in time"),
    ]) func `a program's failure is told`(_ script: String, _ code: Int32, _ words: String) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Self.program(setting, "echo hqb_access_owner")
        #expect(try setting.run("account", "add", setting.server.origin).code == 0)
        try Self.program(setting, script)
        for arguments in [["--sync-once"], ["account", "check"]] {
            var variables = setting.plainEnvironment
            if script.hasPrefix("sleep") { variables["HERALD_PATIENCE"] = nil }
            let ended = try #require(try setting.herald.start(arguments, environment: variables).wait())
            #expect(ended.code == code, "\(ended.errors)")
            #expect(ended.errors.contains(words), "\(ended.errors)")
        }
    }
}
