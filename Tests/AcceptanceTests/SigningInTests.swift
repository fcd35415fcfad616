internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Signing in on the screen, with the real program in a real terminal.
@Suite(.ownThread)
struct SigningInTests {
    /// The program of somebody who has set no variable for an account.
    static func open(_ setting: Setting, _ arguments: String..., columns: Int = 100) throws -> VirtualTerminal {
        var herald = setting.herald
        (herald.variables["HERALD_ORIGIN"], herald.variables["HERALD_TOKEN"]) = (.some(nil), .some(nil))
        return try herald.open(arguments, columns: columns)
    }

    /// Approves the code that waits, as a person does in a browser.
    static func approve(_ setting: Setting, user: String = "owner") -> Bool {
        comesTrue {
            let client = WireClient(port: setting.server.controlPort)
            return (try? client.send("POST", "/approve?user=\(user)", body: []).status) == 200
        }
    }

    /// From the first start to the code.
    private static func begin(_ setting: Setting) throws -> VirtualTerminal {
        try setting.control("/lifetime?interval=1")
        let terminal = try open(setting)
        #expect(terminal.waitFor("Welcome to Herald"), "\(terminal.screen)")
        terminal.send("\r127.0.0.1:\(setting.server.port)\r")
        return terminal
    }

    /// Fails when the way from nothing to the first mail is broken anywhere.
    @Test func `from the first start to reading mail`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.begin(setting)
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        #expect(terminal.waitFor("/device"))
        #expect(Self.approve(setting))
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor(Setting.body), "\(terminal.screen)")
        terminal.send("q")

        // The browser's session ends, and with it the sign-in; mail stays readable.
        try setting.control("/end-session?user=owner")
        // The next pass finds out; a key for it could come while one runs, and its sentence hide how the account stands.
        #expect(
            terminal.wait { $0.screen.contains("signed out") && $0.screen.contains(Setting.subject) },
            "\(terminal.screen)")
        terminal.send(":sign-in\r")
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        #expect(Self.approve(setting))
        #expect(
            terminal.wait {
                $0.screen.contains("synced") && $0.screen.contains(Setting.subject)
                    && !$0.screen.contains("signed out")
            }, "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")

        // It is kept: the next start goes to the mail.
        let again = try Self.open(setting)
        #expect(again.waitFor(Setting.subject), "\(again.screen)")
        again.send("Q")
        #expect(again.waitForExit() == 0)
    }

    /// Fails when a refusal is no clear sentence, or leaves no way on.
    @Test func `a code that is denied or runs out is told, and another can be asked for`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.begin(setting)
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        try setting.control("/deny")
        #expect(terminal.waitFor("The sign-in was not approved."), "\(terminal.screen)")
        try setting.control("/lifetime?device=1")
        terminal.send("\r\r")
        #expect(terminal.waitFor("was not approved in time."), "\(terminal.screen)")
        try setting.control("/lifetime?device=900")
        terminal.send("\r\r")
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        terminal.send("\u{1B}")
        #expect(terminal.waitFor("Type the address"), "\(terminal.screen)")
        terminal.send("\u{15}http://mail.example.com\r")
        #expect(terminal.waitFor("Herald signs in over https only"), "\(terminal.screen)")
        terminal.send("\u{03}\u{03}")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
    }

    /// Fails when the warning needs a pass, a network or the wrong clock.
    @Test func `six days after it was approved a sign-in is due`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        let clock = setting.herald.home.path + "/clock"
        func turn(to instant: String) throws { try Files.replace(clock, with: Array(instant.utf8)) }
        setting.herald.variables["HERALD_CLOCK"] = clock
        try turn(to: "2026-11-01T12:00:00Z")
        try setting.control("/clock?at=2026-11-01T12:00:00.000Z&stopped=1")
        let terminal = try Self.begin(setting)
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        #expect(Self.approve(setting))
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.wait { $0.screen.contains("synced") && !$0.screen.contains(":sign-in") })
        setting.server.stop()
        try turn(to: "2026-11-07T12:00:01Z")
        #expect(terminal.waitFor("sign-in 6 days old"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        let again = try Self.open(setting, "--offline")
        #expect(again.waitFor("sign-in 6 days old"), "\(again.screen)")
        again.send("Q")
        #expect(again.waitForExit() == 0)
    }

    /// Fails when the first screen does not lead to the demo, or the demo leaves something behind.
    @Test func `the demo opens from the first screen`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        setting.herald.variables["TMPDIR"] = setting.herald.home.path
        let terminal = try Self.open(setting)
        #expect(terminal.waitFor("Welcome to Herald"), "\(terminal.screen)")
        terminal.send("d")
        #expect(terminal.waitFor("Charged twice for order"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
        #expect(comesTrue { !Files.names(in: setting.herald.home.path).contains { $0.hasPrefix("herald-demo") } })
    }

    /// Fails when another person's sign-in shows or takes the mail that is here unasked.
    @Test func `another person is noticed before anything is set aside`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.begin(setting)
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        #expect(Self.approve(setting))
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.waitForIdle())
        for (key, stays) in [("\u{1B}", true), ("a", false)] {
            terminal.send(":sign-in\r")
            #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
            #expect(Self.approve(setting, user: "nogrant"))
            #expect(terminal.waitFor("somebody else may have signed in"), "\(terminal.screen)")
            terminal.send(key)
            #expect(terminal.wait { !$0.screen.contains("somebody else") })
            if stays {
                #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
            } else {
                #expect(terminal.waitFor("Nothing here."), "\(terminal.screen)")
            }
        }
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
    }
}
