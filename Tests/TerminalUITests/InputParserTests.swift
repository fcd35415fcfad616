import Testing
import TerminalUI

struct InputParserTests {
    static let table: [(bytes: String, events: [InputEvent])] = [
        ("a", [.character("a")]),
        ("é日👍", [.character("é"), .character("日"), .character("👍")]),
        ("\r\n\t\u{7F}\u{8}", [.plain(.enter), .plain(.enter), .plain(.tab), .plain(.backspace), .plain(.backspace)]),
        (
            "\u{0}\u{1}\u{1A}\u{1F}",
            ["a", "z"].reduce(into: [.key(.character(" "), .control)]) {
                $0.append(.key(.character($1), .control))
            } + [.key(.character("_"), .control)]
        ),
        (
            "\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[1;2D",
            [
                .plain(.up), .plain(.down), .key(.right, .control), .key(.left, .shift),
            ]
        ),
        (
            "\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[8~\u{1B}[5~\u{1B}[6;3~",
            [
                .plain(.home), .plain(.end), .plain(.home), .plain(.end), .plain(.pageUp), .key(.pageDown, .alt),
            ]
        ),
        ("\u{1B}[2~\u{1B}[3~\u{1B}[Z", [.plain(.insert), .plain(.delete), .key(.tab, .shift)]),
        (
            "\u{1B}OP\u{1B}[[B\u{1B}[15~\u{1B}[24~\u{1B}[1;2R",
            [
                .plain(.function(1)), .plain(.function(2)), .plain(.function(5)), .plain(.function(12)),
                .key(.function(3), .shift),
            ]
        ),
        (
            "\u{1B}x\u{1B}é\u{1B}\u{7F}\u{1B}\u{1}",
            [
                .key(.character("x"), .alt), .key(.character("é"), .alt), .key(.backspace, .alt),
                .key(.character("a"), [.alt, .control]),
            ]
        ),
        ("\u{1B}[I\u{1B}[O", [.focusGained, .focusLost]),
        ("\u{1B}[200~x\ny\u{1B}[2👍\u{1B}[201~z", [.paste("x\ny\u{1B}[2👍"), .character("z")]),
        ("\u{1B}[200~\u{1B}\u{1B}[201~", [.paste("\u{1B}")]),
        ("\u{1B}[97;5u\u{1B}[27;5;98~", [.key(.character("a"), .control), .key(.character("b"), .control)]),
        ("\u{1B}[?1;2c\u{1B}[12;40R\u{1B}[999~k", [.character("k")]),
        ("\u{1B}]10;rgb:0/0/0\u{7}\u{1B}P1$r\u{1B}\\k", [.character("k")]),
        ("\u{1B}]11;rgb:0/0/0\u{7}k", [.background(isDark: true), .character("k")]),
        ("\u{1B}]11;rgb:fdfd/f6f6/e3e3\u{1B}\\k", [.background(isDark: false), .character("k")]),
        ("\u{1B}]11;rgb:zz/0/0\u{7}\u{1B}]11;?\u{7}\u{1B}]11;rgba:0/0\u{7}", []),
        (
            "\u{1B}[<0;3;2M\u{1B}[<0;3;2m\u{1B}[<64;1;1M\u{1B}[<65;300;200M",
            [
                .mouse(MouseEvent(.press, row: 1, column: 2)), .mouse(MouseEvent(.wheelUp, row: 0, column: 0)),
                .mouse(MouseEvent(.wheelDown, row: 199, column: 299)),
            ]
        ),
        // Other buttons, moves, and what is no report.
        ("\u{1B}[<1;3;2M\u{1B}[<2;3;2M\u{1B}[<35;3;2M\u{1B}[<66;1;1M\u{1B}[<0;0;0M\u{1B}[<0;1M\u{1B}[<M", []),
        ("\u{1B}[M #\"q", [.mouse(MouseEvent(.press, row: 1, column: 2)), .character("q")]),
        ("\u{1B}[M#qqq", [.character("q")]),
        ("\u{1B}[\(String(repeating: "1;", count: 500))Ak", [.character("k")]),
    ]

    @Test(arguments: table, 1...6)
    func `keys are read whatever pieces they come in`(row: (bytes: String, events: [InputEvent]), size: Int) {
        #expect(Self.parse(Array(row.bytes.utf8), size: size) == row.events)
    }

    @Test(arguments: 1...4)
    func `invalid UTF-8 becomes the replacement character`(size: Int) {
        let events = Self.parse([0xFF, 0x61, 0xC3, 0x62, 0xE2, 0x82, 0x63, 0xED, 0xA0, 0x80], size: size)
        #expect(events.first == .character("\u{FFFD}"))
        #expect(
            events.contains(.character("a")) && events.contains(.character("b")) && events.contains(.character("c")))
        #expect(events.allSatisfy { $0 != .character("\u{D7FF}") })
    }

    @Test func `a lone escape waits for the pause`() {
        var parser = InputParser()
        #expect(parser.feed([0x1B]).isEmpty)
        #expect(parser.hasPending)
        #expect(parser.timeout() == [.plain(.escape)])
        #expect(!parser.hasPending)
        #expect(parser.feed([0x1B, 0x5B]).isEmpty)
        #expect(parser.timeout() == [.key(.character("["), .alt)])
    }

    /// Fails when the rest of an answer that a slow line cut is taken for keys, or keys are swallowed for good.
    @Test func `a pause within an answer does not make keys of it`() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}]11;rgb:ffff/".utf8).isEmpty)
        #expect(parser.timeout().isEmpty && parser.hasPending)
        #expect(parser.feed("ffff/ffff\u{1B}\\j".utf8) == [.background(isDark: false), .character("j")])
        #expect(parser.feed("\u{1B}]11;rgb:".utf8).isEmpty)
        for _ in 0..<100 where parser.hasPending { _ = parser.timeout() }
        #expect(parser.feed("j".utf8) == [.character("j")])
    }

    /// Fails when the answer about pictures becomes keys, another is taken for it, or Alt with `_` is lost.
    @Test func `an answer about pictures is one event`() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}_Gi=31;OK\u{1B}\\j".utf8) == [.graphics(isKnown: true), .character("j")])
        #expect(parser.feed("\u{1B}_Gi=31;ENODATA:x\u{1B}\\".utf8) == [.graphics(isKnown: false)])
        #expect(parser.feed("\u{1B}_Gi=7;OK\u{1B}\\\u{1B}_xi=31;OK\u{1B}\\".utf8) == [])
        #expect(parser.feed("\u{1B}_Gi=31;".utf8) == [] && parser.timeout() == [] && parser.hasPending)
        #expect(parser.feed("OK\u{1B}\\".utf8) == [.graphics(isKnown: true)])
        #expect(parser.feed("\u{1B}_".utf8) == [] && parser.timeout() == [.key(.character("_"), .alt)])
    }

    @Test func `a huge paste is cut and ends`() {
        var parser = InputParser()
        _ = parser.feed("\u{1B}[200~".utf8)
        _ = parser.feed(repeatElement(0x61, count: InputParser.pasteLimit + 100))
        let events = parser.feed("\u{1B}[201~b".utf8)
        #expect(events.count == 2)
        guard case .paste(let text) = events.first else { return #expect(Bool(false)) }
        #expect(text.utf8.count == InputParser.pasteLimit)
    }

    @Test func `any bytes leave little waiting`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var parser = InputParser()
            _ = parser.feed((0..<64).map { _ in UInt8.random(in: 0...255, using: &random) })
            for _ in 0..<50 where parser.hasPending { _ = parser.timeout() }
            #expect(!parser.hasPending)
        }
    }

    private static func parse(_ bytes: [UInt8], size: Int) -> [InputEvent] {
        var parser = InputParser()
        return stride(from: 0, to: bytes.count, by: size).flatMap {
            parser.feed(bytes[$0..<min(bytes.count, $0 + size)])
        }
    }
}
