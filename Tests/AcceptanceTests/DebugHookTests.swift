internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// What a debug build does for tests.
struct DebugHookTests {
    @Test func `the clock stands where it is set`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        setting.herald.variables["HERALD_CLOCK"] = "2031-02-03T04:05:06Z"
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        setting.herald.variables["HERALD_CLOCK"] = "2031-02-03T04:06:36Z"

        #expect(try setting.herald.run("status").text.contains("last pass  90 s ago"))
        let log = try Files.read(setting.herald.home.path + "/h/state/herald.log")
        #expect(String(decoding: log, as: UTF8.self).hasPrefix("2031-02-03T04:05:06.000Z info "))
    }

    @Test func `the clock follows its file`() throws {
        // Live events would bring a pass of their own as soon as the clock moves.
        var setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        try setting.herald.home.write("clock", "2031-02-03T04:05:06Z\n")
        setting.herald.variables["HERALD_CLOCK"] = setting.herald.home.path + "/clock"
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.waitFor("synced 0 s ago") || terminal.screen.contains("synced"), "\(terminal.screen)")

        // Less than the time to the next pass, which the clock would bring too.
        try setting.herald.home.write("clock", "2031-02-03T04:05:17Z\n")

        #expect(terminal.waitFor("synced 11 s ago"), "\(terminal.screen)")
    }

    /// Fails when idle is told before a key was acted on: then the screen would still be the old one.
    @Test func `idle is told when every key was acted on`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        let terminal = try setting.herald.open(["--offline"])
        #expect(terminal.waitForIdle())
        #expect(terminal.screen.contains(Setting.subject), "\(terminal.screen)")

        for _ in 0..<20 {
            terminal.send("?")
            #expect(terminal.waitForIdle())
            #expect(terminal.screen.contains("In the list"), "\(terminal.screen)")
            terminal.send("q")
            #expect(terminal.waitForIdle())
            #expect(terminal.screen.contains(Setting.subject), "\(terminal.screen)")
        }
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }
}
