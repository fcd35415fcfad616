internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

struct TerminalTests {
    @Test func `mail is read with a few keys and the terminal is left as it was`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.waitFor("An invoice"), "\(terminal.screen)")
        terminal.send("j")
        terminal.send("k")
        terminal.send("\r")
        #expect(terminal.waitFor(Setting.body), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitFor("An invoice"), "\(terminal.screen)")
        terminal.send("j\r")
        #expect(terminal.waitFor("Please find it attached."), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
        #expect(!terminal.screen.contains(Setting.subject), "\(terminal.screen)")
    }

    @Test func `a smaller and a tiny window keep the program running`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.resize(columns: 40, rows: 12)
        #expect(terminal.waitFor("Plans"), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor("boats"), "\(terminal.screen)")
        for (columns, rows) in [(5, 2), (1, 1), (200, 50), (80, 24)] { terminal.resize(columns: columns, rows: rows) }
        #expect(terminal.waitFor(Setting.body), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitFor("An invoice"), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
    }

    @Test func `a terminal that cannot draw gets one sentence`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open(term: "dumb")
        #expect(terminal.waitForExit() == 64, "\(terminal.screen)")
        #expect(terminal.screen.hasPrefix("herald: "), "\(terminal.screen)")
        #expect(terminal.isCooked)
    }

    @Test func `no terminal gets one sentence`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let ended = try setting.herald.run()
        #expect(ended.code == 64)
        #expect(ended.errors.hasPrefix("herald: "), "\(ended.errors)")
        #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
    }

    @Test func `a signal ends the program and restores the terminal`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.signal(15)
        #expect(terminal.waitForExit() == 143)
        #expect(terminal.isCooked)
    }

    /// Fails when the demo's mail or log stays behind, whatever ends the program.
    @Test(arguments: [0, 1, 15])
    func `the demo leaves nothing`(_ signal: Int32) throws {
        var herald = try Herald(origin: nil)
        herald.variables["TMPDIR"] = herald.home.path
        let terminal = try herald.open(["--demo"])
        #expect(terminal.waitFor("Inbox"), "\(terminal.screen)")
        if signal == 0 { terminal.send("Q") } else { terminal.signal(signal) }
        #expect(terminal.waitForExit() == (signal == 0 ? 0 : 128 + signal))
        #expect(Files.names(in: herald.home.path).isEmpty, "\(Files.names(in: herald.home.path))")
    }
}
