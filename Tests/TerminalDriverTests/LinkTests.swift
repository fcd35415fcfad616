import TerminalDriver
import TerminalTestSupport
import Testing

/// Links of the terminal, and its clipboard.
struct LinkTests {
    private static func log(_ terminal: VirtualTerminal, from start: Int = 0) -> String {
        String(decoding: terminal.log[start...], as: UTF8.self)
    }

    /// Fails when cells of a link are no link, lose their place or look, or stay one when they are none any more.
    @Test func `cells become links, change their target and stop being links`() throws {
        let terminal = try VirtualTerminal(DriverTests.probe, columns: 40, rows: 6)
        #expect(terminal.waitFor("ready"))
        #expect(!Self.log(terminal).contains("\u{1B}]8"))
        let steps = [("l", "one", "https://one.example/a"), ("m", "two", "https://two.example/b"), ("n", "none", "")]
        for (key, note, address) in steps {
            let before = terminal.log.count
            terminal.send(key)
            #expect(terminal.waitFor(note))
            let wanted = ";\(address)\u{1B}\\"
            #expect(terminal.wait { Self.log($0, from: before).contains(wanted) })
            let sent = Self.log(terminal, from: before)
            #expect(sent.contains("\u{1B}[3;5H\u{1B}]8;"), "\(sent.debugDescription)")
            #expect(sent.contains("\u{1B}[0;4;36mthe 日本 link"), "\(sent.debugDescription)")
            #expect(terminal.line(2) == "    the 日本 link")
            #expect(terminal.cursor == (1, 3))
        }
        let before = terminal.log.count
        terminal.send("t")
        #expect(terminal.waitFor("deadline"))
        #expect(!Self.log(terminal, from: before).contains("\u{1B}]8"))
    }

    @Test func `a text is sent to the clipboard`() throws {
        let terminal = try VirtualTerminal(DriverTests.probe)
        #expect(terminal.waitFor("ready"))
        terminal.send("c")
        #expect(terminal.waitFor("copied true"))
        #expect(Self.log(terminal).contains("\u{1B}]52;c;dGV4dCDDqQ==\u{7}"))
    }

    /// Fails when a program between swallows the text, or a long one is sent.
    @Test func `the clipboard is reached through what is between`() throws {
        let plain = try #require(ClipboardSequence.bytes("a", through: .nothing))
        #expect(String(decoding: plain, as: UTF8.self) == "\u{1B}]52;c;YQ==\u{7}")
        let tmux = try #require(ClipboardSequence.bytes("a", through: .tmux))
        let wrapped = "\u{1B}]52;c;YQ==\u{7}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{7}\u{1B}\\"
        #expect(String(decoding: tmux, as: UTF8.self) == wrapped)
        let screen = try #require(ClipboardSequence.bytes(String(repeating: "a", count: 600), through: .screen))
        let pieces = String(decoding: screen, as: UTF8.self).split(separator: "\u{1B}P")
        #expect(pieces.count > 1)
        #expect(pieces.allSatisfy { $0.hasSuffix("\u{1B}\\") && $0.utf8.count <= 250 })
        #expect(ClipboardSequence.bytes("", through: .nothing) == nil)
        let long = String(repeating: "a", count: ClipboardSequence.bytesMax + 1)
        #expect(ClipboardSequence.bytes(long, through: .nothing) == nil)
    }

    @Test(arguments: [
        ("xterm-256color", false, false, ClipboardSequence.Between.nothing), ("tmux-256color", true, false, .tmux),
        ("xterm-256color", true, false, .tmux), ("screen-256color", true, true, .tmux),
        ("screen", false, true, .screen),
        ("screen.xterm-256color", false, false, .screen),
    ])
    func `what is between is known by the environment`(
        term: String, hasTmux: Bool, hasScreen: Bool, expected: ClipboardSequence.Between
    ) {
        #expect(ClipboardSequence.Between.found(term: term, hasTmux: hasTmux, hasScreen: hasScreen) == expected)
    }

    /// Fails when a terminal without links is sent them, or one with links is not.
    @Test(arguments: [
        (["TERM": "xterm-256color"], false), (["TERM": "xterm-256color", "VTE_VERSION": "7003"], true),
        (["TERM": "xterm-256color", "VTE_VERSION": "4205"], false), (["TERM": "xterm-kitty"], true),
        (["TERM": "foot"], true), (["TERM": "foot-extra"], true), (["TERM": "football"], false),
        (["TERM": "alacritty"], true), (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], true),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "190801"], false), (["TERM": "linux"], false),
        (["TERM": "screen-256color", "STY": "1", "VTE_VERSION": "7003"], false),
        (["TERM": "tmux-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false),
        (["TERM": "tmux-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"], true),
        (["TERM": "screen-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.10"], true),
        (["TERM": "tmux-256color", "TMUX": "x", "VTE_VERSION": "7003"], false), ([:], false),
    ])
    func `terminals with links are known`(environment: [String: String], isKnown: Bool) {
        #expect(Hyperlinks.areKnown { environment[$0] } == isKnown)
    }
}
