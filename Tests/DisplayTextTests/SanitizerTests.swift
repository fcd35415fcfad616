import DisplayText
import Testing

struct SanitizerTests {
    static let lines: [(String, String)] = [
        ("plain text", "plain text"),
        ("a\u{1B}[31mb\u{7}\u{9B}2J\u{7F}", "a[31mb2J"),
        ("a\tb\r\nc\nd\u{2028}e\u{85}f", "a b c d e f"),
        ("\u{202E}abc\u{2066}\u{200F}\u{61C}\u{FEFF}\u{AD}", "abc"),
        ("👨‍👩‍👧 👍🏽 ❤️ 1\u{FE0F}\u{20E3}", "👨👩👧 👍 ❤ 1"),
        ("🇬🇧", "GB"),
        ("\u{301}e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "\u{E9}\u{302}\u{303}\u{304}"),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "\u{D55C}\u{AE00}"),
        ("\u{30AB}\u{3099}", "\u{30AC}"),
        ("\u{E000}\u{10FFFF}\u{378}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{E0041}\u{E0001}x\u{A0}y", "x y"),
        ("日本 русский العربية", "日本 русский العربية"),
    ]

    @Test(arguments: lines)
    func `a line is made safe`(row: (String, String)) {
        let result = TextDisplay.sanitizedLine(row.0)
        #expect(Array(result.unicodeScalars) == Array(row.1.unicodeScalars))
        #expect(TextDisplay.sanitizedLine(result) == result)
    }

    @Test func `a text keeps its lines and aligns its tabs`() {
        #expect(TextDisplay.sanitizedText("a\tb\r\n日\tc\rd") == "a       b\n日      c\nd")
        #expect(TextDisplay.sanitizedText("\u{301}a\n\u{301}b") == "a\nb")
    }

    @Test func `no scalar gets through as a control or a format`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for shown in TextDisplay.sanitizedLine("a" + String(scalar)).unicodeScalars where shown.value >= 0x7F {
                switch shown.properties.generalCategory {
                case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator:
                    Issue.record("U+\(String(value, radix: 16)) gets through")
                default: break
                }
            }
        }
    }
}

struct LayoutTests {
    static let wraps: [(String, Int, [String])] = [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one  two", 4, ["one", "two"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("日本語日本", 5, ["日本", "語日", "本"]),
        ("a\n\nb", 5, ["a", "", "b"]),
        ("  indented word", 10, ["  indented", "word"]),
        ("日a", 1, ["\u{FFFD}", "a"]),
    ]

    @Test(arguments: wraps)
    func `text is wrapped`(row: (String, Int, [String])) {
        let lines = TextDisplay.wrapped(row.0, columns: row.1)
        #expect(lines == row.2)
        #expect(lines.allSatisfy { TextDisplay.width(of: $0) <= row.1 })
    }

    @Test func `text is cut and filled to a width`() {
        #expect(TextDisplay.truncated("abcdef", columns: 4) == "abc…")
        #expect(TextDisplay.truncated("日本語", columns: 4) == "日…")
        #expect(TextDisplay.truncated("日本", columns: 4) == "日本")
        #expect(TextDisplay.truncated("a", columns: 0) == "")
        #expect(TextDisplay.padded("日本語", columns: 4) == "日… ")
        #expect(TextDisplay.padded("é", columns: 3) == "é  ")
    }
}
