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
