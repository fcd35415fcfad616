import DisplayText
import MailModel
import MailUI
import TerminalUI
import Testing

/// What a line of the list says, and that nothing in it moves a column.
struct RowTests {
    /// Texts that terminals, fonts and libraries measure differently, or that try to steer.
    static let texts = [
        "plain", "漢字漢字漢字漢字漢字漢字漢字漢字漢字", "e\u{301}e\u{301}e\u{301}", "👨‍👩‍👧‍👦 family", "🇬🇧🇩🇪 flags", "👍🏽 tone", "❤️ ✉️ 1️⃣ keys",
        "\u{1B}[2J\u{1B}]0;title\u{7}", "tab\tnew\nline\rreturn", "\u{202E}gnp.exe\u{2066}", "שלום עולם", "مرحبا",
        "ｶﾀｶﾅ",
        "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}algo", "\u{E000}\u{FFFE}\u{10FFFF}",
        "\u{3000}wide\u{3000}blanks",
        "\u{1112}\u{1161}\u{11AB}", "🫨🪿", "\u{FE0F}\u{200B}\u{FEFF}", "क्षि தமிழ்", "", "\u{0}nul", "\u{9B}31m\u{85}",
        String(repeating: "long ", count: 400),
    ]

    private func row(_ text: String, number: Int) -> ConversationRow {
        var row = Fixture.row("t\(number)", second: 1_000_000, subject: text, unread: number % 2)
        row.shown.fromAddress = text
        row.shown.snippet = text + " " + text
        row.people = [text, "a@b.example"]
        row.isStarred = number % 3 == 0
        row.hasAttachments = number % 2 == 0
        row.messageCount = number * 7
        return row
    }

    /// Fails when a text moves the column of a date, a border or the lines below.
    @Test(arguments: [(20, 5), (40, 12), (59, 30), (80, 24), (120, 30), (200, 50)])
    func `no text moves a column`(columns: Int, rows: Int) {
        let texts = RowTests.texts
        for start in stride(from: 0, to: texts.count, by: max(1, rows - 3)) {
            let shown = texts[start...].prefix(rows).enumerated().map { row($1, number: start + $0) }
            var state = Fixture.state(columns: columns, rows: rows, shown)
            _ = state.update(.clock(secondsSinceEpoch: 1_000_100, utcOffsetSeconds: 0))
            let grid = state.draw()
            for line in 0..<rows {
                #expect(TextDisplay.width(of: grid.rowText(line)) == columns)
                for scalar in grid.rowText(line).unicodeScalars {
                    #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
                    #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
                }
            }
            if columns >= 60 {
                let ends = Set((0..<rows).flatMap { line in (0..<columns - 4).filter { time(grid, line, $0) } })
                #expect(ends.count == 1, "\(ends)")
            }
        }
    }

    /// Whether a time of the rows, `13:46`, begins in a cell.
    private func time(_ grid: Grid, _ row: Int, _ column: Int) -> Bool {
        (0..<5).map { grid[row, column + $0].text }.joined() == "13:46"
    }

    private func line(_ change: (inout ConversationRow) -> Void, columns: Int = 100) -> String {
        var row = Fixture.row("dana", second: 1_000_000, subject: "Tide tables")
        row.messageCount = 1
        row.shown.snippet = "High water at nine."
        change(&row)
        var state = Fixture.state(columns: columns, rows: 24, [row])
        _ = state.update(.clock(secondsSinceEpoch: 1_000_100, utcOffsetSeconds: 0))
        let text = state.draw().rowText(0)
        return String(text.drop { $0 != "│" }.dropFirst()).split(separator: " ").joined(separator: " ")
    }

    @Test func `a row tells its marks, people, number, subject, snippet and time`() {
        #expect(line { _ in } == "dana@example.org Tide tables High water at nine. 13:46")
        let marked = line {
            $0.shownUnread = 1
            $0.isStarred = true
            $0.hasAttachments = true
            $0.messageCount = 12
            $0.people = ["lee@other.example"]
        }
        #expect(marked == "●★@ dana, lee (12) Tide tables High water at nine. 13:46")
        let quote = line { $0.shown.snippet = "Fine. On 3 May Dana wrote: > High water" }
        #expect(quote == "dana@example.org Tide tables Fine. 13:46")
        let sent = line {
            $0.shown.direction = .outbound
            $0.shown.to = ["sam@client.example"]
        }
        #expect(sent.hasPrefix("To: sam@client.example Tide tables"))
    }

    /// Fails when unread or starred mail can be told apart by colour alone.
    @Test func `unread and starred need no colour`() {
        var unread = Fixture.row("a", unread: 1)
        unread.isStarred = true
        let grid = Fixture.state(columns: 80, rows: 24, [unread, Fixture.row("b")]).draw()
        let marks = (0..<80).map { grid[0, $0] }
        #expect(marks.contains { $0.text == "●" && $0.style.bold } && marks.contains { $0.text == "★" })
        #expect(grid.cells.allSatisfy { $0.style.foreground == nil && $0.style.background == nil })
        #expect(!(0..<80).contains { ["●", "★"].contains(grid[1, $0].text) })
    }

    @Test func `the title tells what is unread`() {
        var state = Fixture.state(columns: 80, rows: 24, [])
        #expect(state.windowTitle == "Herald · example")
        _ = state.update(.countsLoaded([MailboxCounts(mailbox: nil, unread: [.inbox: 1_204], total: [:])]))
        #expect(state.windowTitle == "(1,204) Herald · example")
        state.accountLabel = "a\u{1B}]0;b\u{7}"
        #expect(state.windowTitle == "(1,204) Herald · a]0;b")
    }
}
