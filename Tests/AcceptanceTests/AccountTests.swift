internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Signing in and out, with the real program.
@Suite(.ownThread)
struct AccountTests {
    /// The environment of somebody who has set no variable for an account.
    private static func environment(_ setting: Setting) -> [String: String] {
        var environment = setting.herald.environment
        environment["HERALD_ORIGIN"] = nil
        environment["HERALD_TOKEN"] = nil
        return environment
    }

    private static func run(_ setting: Setting, _ arguments: String...) throws -> Ended {
        try #require(try setting.herald.start(arguments, environment: environment(setting)).wait())
    }

    /// Signs in as somebody would who approves in a browser.
    private static func signIn(_ setting: Setting) throws -> Ended {
        try setting.control("/lifetime?interval=1")
        let adding = try setting.herald.start(
            ["account", "add", setting.server.origin], environment: environment(setting))
        #expect(
            comesTrue {
                (try? WireClient(port: setting.server.controlPort).send("POST", "/approve", body: []).status) == 200
            })
        return try #require(adding.wait())
    }

    /// Fails when the thin path from a server's address to its mail is broken, or a secret is shown on it.
    @Test func `a person signs in, reads and signs out`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let without = try AccountTests.run(setting, "--sync-once")
        #expect(without.code == 77)
        #expect(without.errors.contains("herald account add"))

        let added = try AccountTests.signIn(setting)
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.text.contains("/device"))
        #expect(!added.text.contains("hqb_"))
        let token = setting.herald.directory("state") + "/token.json"
        #expect(try Files.read(token).count > 100)

        let passed = try AccountTests.run(setting, "--sync-once", "--quiet")
        #expect(passed.code == 0, "\(passed.errors)")
        #expect(try AccountTests.run(setting, "list", "messages").text.contains(Setting.subject))
        let checked = try AccountTests.run(setting, "account", "check", "--json")
        #expect(checked.code == 0, "\(checked.errors)")
        #expect(checked.text.contains("\"store\":\"file\""))
        #expect(!checked.text.contains("hqb_"))

        #expect(try AccountTests.run(setting, "account", "remove").code == 0)
        #expect(!Files.exists(token))
        #expect(!Files.exists(setting.herald.cache))
        #expect(try AccountTests.run(setting, "--sync-once").code == 77)
    }

    /// Fails when an address as people type it is refused, or what is none is tried.
    @Test func `an address needs no scheme`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/lifetime?interval=1")
        let adding = try setting.herald.start(
            ["account", "add", " 127.0.0.1:\(setting.server.port)/inbox "],
            environment: AccountTests.environment(setting))
        #expect(SigningInTests.approve(setting))
        #expect(try #require(adding.wait()).code == 0)
        for text in ["", "mail example.com", "ftp://mail.example.com"] {
            let refused = try AccountTests.run(setting, "account", "add", text)
            #expect(refused.code == 64 && refused.errors.contains("mail.example.com"), "\(text): \(refused.errors)")
        }
    }

    /// Fails when a code on a terminal cannot be read from across a desk, or one in a pipe is more than letters.
    @Test func `a terminal shows the code large`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try !setting.signIn().text.contains("█"))
        for (columns, isLarge) in [(80, true), (50, false)] {
            let terminal = try VirtualTerminal(
                Herald.program, arguments: ["account", "add", setting.server.origin],
                environment: setting.plainEnvironment, columns: columns, rows: 30)
            #expect(terminal.waitFor("C-c ends this"), "\(terminal.screen)")
            #expect(terminal.screen.contains("█") == isLarge, "\(terminal.screen)")
            terminal.send("\u{3}")
            #expect(terminal.waitForExit() == 130)
        }
    }

    /// Fails when a sign-in is of no use to cron, which has hardly any environment.
    @Test func `cron uses the sign-in with nothing but a home`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/lifetime?interval=1")
        let cron = ["HOME": setting.herald.home.path]
        let adding = try setting.herald.start(["account", "add", setting.server.origin], environment: cron)
        #expect(
            comesTrue {
                (try? WireClient(port: setting.server.controlPort).send("POST", "/approve", body: []).status) == 200
            })
        #expect(try #require(adding.wait()).code == 0)
        try setting.control("/expire?what=access")
        for _ in 0..<2 {
            let passed = try #require(try setting.herald.start(["--sync-once", "--quiet"], environment: cron).wait())
            #expect(passed.code == 0 && passed.errors.isEmpty && passed.output.isEmpty, "\(passed.errors)")
        }
        let base = "\(setting.herald.home.path)/.local/state/herald/127.0.0.1-\(setting.server.port)"
        #expect(Files.exists(base + "/token.json"))
    }

    /// Fails when a pass does not renew its token, or asks for a new sign-in too early or never.
    @Test func `a pass renews the sign-in, and tells when it is over`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try AccountTests.signIn(setting).code == 0)
        try setting.control("/expire?what=access")
        #expect(try AccountTests.run(setting, "--sync-once", "--quiet").code == 0)

        try setting.control("/end-session?user=owner")
        let ended = try AccountTests.run(setting, "--sync-once")
        #expect(ended.code == 77)
        #expect(ended.errors.contains("Sign in again"))
        let checked = try AccountTests.run(setting, "account", "check")
        #expect(checked.code == 77)
        #expect(checked.errors.contains("Sign in again"))
        #expect(try AccountTests.run(setting, "list", "messages").text.contains(Setting.subject))

        #expect(try AccountTests.signIn(setting).code == 0)
        #expect(try AccountTests.run(setting, "--sync-once").text.hasPrefix("0 new"))
    }

    /// Fails when what cannot be read cannot be removed either.
    @Test func `a damaged sign-in is removed all the same`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try AccountTests.signIn(setting).code == 0)
        #expect(try AccountTests.run(setting, "--sync-once", "--quiet").code == 0)
        let token = setting.herald.directory("state") + "/token.json"
        try Files.replace(token, with: Array("{".utf8))
        #expect(try AccountTests.run(setting, "account", "check").code == 77)

        #expect(try AccountTests.run(setting, "account", "remove").code == 0)
        #expect(!Files.exists(token))
        #expect(!Files.exists(setting.herald.cache))
    }
}
