import DisplayText
import MailModel
import MailUI
import TerminalUI
import Testing

/// What `herald show --plain` prints is what the reader shows.
@Suite struct ReaderTextTests {
    private static let text = """
        Words of the body, long enough to be broken in most windows, see https://a.example/page.

        > A quotation
        > of four
        > lines in
        > all
        --\u{20}
        Ann
        """

    /// The reader's lines in a window that it has for itself.
    private func shown(_ message: ConversationMessage, columns: Int) -> [String] {
        var state = Fixture.state(columns: columns + 2, rows: 60, [Fixture.row("ann")])
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(message.summary.threadID, [message]))
        _ = state.press("zq")
        let grid = state.draw()
        return (0..<grid.size.rows).map { row in
            var line = grid.rowText(row).dropFirst()
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    /// Fails when what is printed and what is shown differ.
    @Test(arguments: [30, 40, 57, 66]) func `printed text is the reader's text`(columns: Int) {
        let message = Fixture.message("ann", text: Self.text)

        let printed = ReaderText.lines(of: message, columns: columns, now: 0, zone: ZoneOffsets(fixed: 0))

        #expect(printed.count > 8)
        #expect(Array(shown(message, columns: columns).prefix(printed.count)) == printed)
    }

    /// Fails when a printed line is wider than was asked for, or lacks a part of the message.
    @Test(arguments: [20, 30, 57, 80, 120, 200])
    func `printed text has the width asked for`(columns: Int) {
        let lines = ReaderText.lines(
            of: Fixture.message("ann", text: Self.text), columns: columns, now: 0, zone: ZoneOffsets(fixed: 0))

        #expect(lines.allSatisfy { TextDisplay.width(of: $0) <= columns })
        let words = lines.joined(separator: " ")
        #expect(words.contains("ann@example.org") && words.contains("A quotation") && words.contains("Ann"))
    }
}
