import TerminalTestSupport
import Testing

/// Fails when the check that all tests of hostile mail stand on lets something through.
struct EscapeAuditTests {
    @Test(arguments: [
        "\u{1B}]0;title\u{7}", "\u{1B}]52;c;?\u{7}", "\u{1B}]2;a\u{7}", "\u{1B}P1$r\u{1B}\\", "\u{1B}_x\u{1B}\\",
        "\u{1B}c",
        "\u{1B}[?1003h", "\u{1B}[5n", "\u{1B}[c", "\u{1B}[21t", "\u{1B}[3;0;0t", "\u{9B}31m", "\u{202E}", "\u{200D}",
        "\u{0}", "\u{E}",
        "\u{7F}", "\u{E000}", "\u{1B}]8;;http://a\u{9C}b\u{1B}\\", "\u{1B}[1$w", "\u{1B}[>1m", "\u{1B}",
        "\u{1B}]10;?\u{1B}\\",
    ])
    func `what is not on the list is named`(text: String) {
        #expect(!EscapeAudit(Array("a\(text)b".utf8)).violations.isEmpty)
    }

    @Test func `what the program sends is let through`() {
        let text =
            "\u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[1;24r\u{1B}(B\u{1B}[m\u{1B}[4l\u{1B}[?7h\u{1B}[H\u{1B}[2J\u{1B}[?2004hé日\u{1B}[1;31mx\u{1B}[10X"
            + "\u{1B}]2;Title\u{1B}\\\u{1B}]8;;https://x.example/\u{1B}\\\u{1B}]11;?\u{1B}\\\u{1B}]52;c;aGk=\u{7}\r\n\u{7}"
        let audit = EscapeAudit(Array(text.utf8))
        #expect(audit.violations == [])
        #expect(audit.titles == ["Title"] && audit.links == ["https://x.example/"] && audit.bells == 1)
        #expect(audit.copies == ["aGk="])
        for bytes: [UInt8] in [[0x61, 0xFF, 0x62], [0x1B], [0x1B, 0x5B], [0x1B, 0x5B, 0x35]] {
            #expect(!EscapeAudit(bytes).violations.isEmpty)
        }
    }
}
