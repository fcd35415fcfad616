internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Signing in with a clock that is off, with the real program.
@Suite(.ownThread)
struct WrongClockTests {
    /// Fails when nobody tells that the clock is off, or a sign-in fails for that alone.
    @Test func `a sign-in tells that the clock is off, and works all the same`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let past = ["HERALD_CLOCK": "2020-01-01T00:00:00.000Z"]
        let added = try setting.signIn(with: past)
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("This machine's clock is"), "\(added.errors)")
        #expect(added.errors.contains("days behind the server's. Set it."), "\(added.errors)")
        #expect(try setting.run("--sync-once", with: past).code == 0)
        // Set right later, it needs no new sign-in.
        let right = try setting.run("--sync-once")
        #expect(right.code == 0, "\(right.errors)")
        let renewed = try setting.signIn()
        #expect(renewed.code == 0 && !renewed.errors.contains("clock"), "\(renewed.errors)")
    }

    /// Fails when a sign-in is dated by a clock that is wrong, or its age is told by one.
    @Test(arguments: ["2020-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"])
    func `the age of a sign-in goes by the server's clock`(_ wrong: String) throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        let clock = ["HERALD_CLOCK": wrong]
        let added = try setting.signIn(with: clock)
        #expect(added.code == 0, "\(added.errors)")
        for variables in [clock, [:]] {
            let check = try setting.run("account", "check", "--json", with: variables)
            #expect(check.text.contains(#""daysOld":0"#), "\(check.text)\(check.errors)")
            #expect(try setting.run("account", "check", with: variables).text.contains("today; due in 7 days"))
            #expect(try setting.run("doctor", with: variables).text.contains("today, due in 7 days"))
        }
        // The terminal takes the wrong clock until a server has answered.
        setting.herald.variables["HERALD_CLOCK"] = wrong
        let terminal = try SigningInTests.open(setting)
        #expect(terminal.wait { $0.screen.contains(Setting.subject) && $0.screen.contains("synced") })
        #expect(terminal.wait { !$0.screen.contains("days old") }, "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)

        // Six days later by the server's clock it is due, whatever this machine's says.
        try setting.control("/clock?advance=518500000")
        let later = try SigningInTests.open(setting)
        #expect(later.waitFor("sign-in 6 days old"), "\(later.screen)")
        later.send("Q")
        #expect(later.waitForExit() == 0)
    }

    /// Fails when a refusal hides that the clock may be the reason.
    @Test func `a refusal names the clock`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        setting.herald.variables["HERALD_CLOCK"] = "2031-01-01T00:00:00.000Z"
        try setting.control("/lifetime?interval=1")
        let terminal = try SigningInTests.open(setting)
        #expect(terminal.waitFor("Welcome to Herald"), "\(terminal.screen)")
        terminal.send("\r127.0.0.1:\(setting.server.port)\r")
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        #expect(terminal.waitFor("ahead of the server's. Set it."), "\(terminal.screen)")
        try setting.control("/deny")
        #expect(
            terminal.wait { $0.screen.contains("was not approved.") && $0.screen.contains("ahead of the server's") },
            "\(terminal.screen)")
    }
}
