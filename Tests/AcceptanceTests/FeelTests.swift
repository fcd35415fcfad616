internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Windows that change, pastes that come where no text is written, and keys that look like the beginning of others.
@Suite(.serialized, .ownThread) struct FeelTests {
    private static let ceiling = 60

    /// The same sizes in every run, down to the smallest that is promised.
    private static func sizes(_ count: Int, seed: UInt64) -> [(columns: Int, rows: Int)] {
        var state = seed
        func next(_ range: ClosedRange<Int>) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(state >> 33) % range.count
        }
        return (0..<count).map { $0 % 10 == 9 ? (20, 5) : (next(20...220), next(5...60)) }
    }

    /// Fails when anything of another size stays on the screen, or the selection moves.
    @Test(arguments: [false, true])
    func `after any resize the screen is as if drawn anew`(isReading: Bool) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        // Mail that becomes read changes the screen by itself.
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write("h/config/config.toml", "read.mark_after = \"never\"\n")
        try #require(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor("An invoice", ceiling: FeelTests.ceiling), "\(terminal.screen)")
        terminal.send(isReading ? "j\r" : "j")
        #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
        for size in FeelTests.sizes(25, seed: isReading ? 1 : 2) {
            terminal.resize(columns: size.columns, rows: size.rows)
            // The loss of the focus changes nothing on the screen, and is read after the new size.
            terminal.send("\u{1B}[O")
            #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
            let after = FeelTests.still(terminal)
            terminal.send("\u{C}")
            #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
            #expect(after == FeelTests.still(terminal), "at \(size)")
        }
        terminal.resize(columns: 80, rows: 24)
        #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
        let row = terminal.cursor.row
        #expect(isReading || terminal.line(row).contains("An invoice"), "\(terminal.screen)")
        #expect(!isReading || terminal.screen.contains("Please find it attached."), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: FeelTests.ceiling) == 0)
        #expect(EscapeAudit(terminal.log).violations == [])
    }

    /// The screen without the one line that tells the time.
    private static func still(_ terminal: VirtualTerminal) -> String {
        terminal.screen.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("sync") }.joined(separator: "\n")
    }

    /// Fails when a new size during the first pass fails a request, or the program does not come to rest after it.
    @Test func `resizes during the first pass fail nothing`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/deliver?to=info@example.test&count=2000&seed=5")
        let terminal = try setting.herald.open()
        for size in FeelTests.sizes(50, seed: 3) {
            terminal.resize(columns: size.columns, rows: size.rows)
            terminal.send("j")
            _ = terminal.wait(ceiling: 1) { !$0.screen.isEmpty }
        }
        terminal.resize(columns: 120, rows: 30)
        let isSynced = terminal.wait(ceiling: FeelTests.ceiling) {
            $0.screen.contains("synced") && !$0.screen.contains("syncing")
        }
        #expect(isSynced, "\(terminal.screen)")
        #expect(!terminal.screen.contains("failed"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: FeelTests.ceiling) == 0)
        let log = String(decoding: try Files.read(setting.herald.home.path + "/h/state/herald.log"), as: UTF8.self)
        #expect(!log.contains("pass failed"), "\(log)")
    }

    /// Fails when what is pasted where nothing is written acts as keys, or is cut where something is.
    @Test func `a paste never acts`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try #require(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor("An invoice", ceiling: FeelTests.ceiling), "\(terminal.screen)")
        #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
        let before = FeelTests.still(terminal)
        for text in ["http://a/d#x", "jjQq\r\n", "?gt\t\u{3}\u{3}", String(repeating: "Qq?j\n", count: 200_000)] {
            terminal.send("\u{1B}[200~" + text + "\u{1B}[201~")
            #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
            #expect(FeelTests.still(terminal) == before)
        }
        terminal.send("\r")
        #expect(terminal.waitFor(Setting.body, ceiling: FeelTests.ceiling))
        let reading = FeelTests.still(terminal)
        terminal.send("\u{1B}[200~nqQ]\r\u{1B}[201~")
        #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
        #expect(FeelTests.still(terminal) == reading)
        terminal.send("q/")
        terminal.send("\u{1B}[200~An\ninv\u{1B}[201~")
        #expect(terminal.waitFor("Filter: An inv", ceiling: FeelTests.ceiling), "\(terminal.screen)")
        terminal.send("\u{1B}")
        #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: FeelTests.ceiling) == 0)
    }

    /// Fails when a click lands elsewhere than a person sees, or the wheel does nothing.
    @Test func `the mouse works on a real terminal and is switched off with it`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try #require(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor("An invoice", ceiling: FeelTests.ceiling), "\(terminal.screen)")
        #expect(terminal.waitForIdle(ceiling: FeelTests.ceiling))
        let row = (0..<24).first { terminal.line($0).contains("An invoice") } ?? 0
        terminal.send("\u{1B}[<0;50;\(row + 1)M\u{1B}[<0;50;\(row + 1)m")
        #expect(terminal.wait(ceiling: FeelTests.ceiling) { $0.cursor.row == row }, "\(terminal.screen)")
        terminal.send("\u{1B}[<0;50;\(row + 1)M\u{1B}[<0;50;\(row + 1)m")
        #expect(terminal.waitFor("Please find it attached.", ceiling: FeelTests.ceiling), "\(terminal.screen)")
        terminal.send("\u{1B}m")
        #expect(terminal.waitFor("The mouse selects text now", ceiling: FeelTests.ceiling), "\(terminal.screen)")
        let log = { String(decoding: terminal.log, as: UTF8.self) }
        #expect(log().contains("\u{1B}[?1000h") && log().contains("\u{1B}[?1000l"))
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: FeelTests.ceiling) == 0)
    }

    /// Fails when a setting of the terminal does nothing.
    @Test func `mouse and title can be switched off for good`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write(
            "h/config/config.toml", "[terminal]\nmouse = \"off\"\ntitle = \"off\"\ntheme = \"dark\"\n")
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject, ceiling: FeelTests.ceiling), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: FeelTests.ceiling) == 0)
        let log = String(decoding: terminal.log, as: UTF8.self)
        #expect(!log.contains("\u{1B}[?1000h") && !log.contains("\u{1B}]"))
    }
}
