import MailModel
import MailUI
import TerminalUI
import Testing

/// The form for people who listen to the screen.
struct LinearTests {
    private func state(columns: Int = 200, rows: Int = 24) -> AppState {
        var unread = Fixture.row("dana", second: 1_000_000, subject: "Tide tables", unread: 1)
        unread.isStarred = true
        unread.hasAttachments = true
        unread.shown.snippet = "High water at nine."
        var state = Fixture.state(
            columns: columns, rows: rows, [unread, Fixture.row("lee", second: 900_000, subject: "Boats")])
        state.presentation.isLinear = true
        _ = state.update(.clock(secondsSinceEpoch: 1_000_100, utcOffsetSeconds: 0))
        return state
    }

    @Test func `a row is a sentence`() {
        let state = state()
        let lines = state.screen.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix(" All mailboxes › Inbox"))
        #expect(
            lines[1].hasPrefix(
                "> unread, starred, dana@example.org, Tide tables, 3 messages, attachment, 13:46, High water at nine."))
        #expect(lines[2].hasPrefix("  lee@example.org, Boats, 3 messages,"))
        #expect(state.draw().cursor == Position(row: 1, column: 0))
    }

    /// Fails when the selected line is cut, or pushes itself or the status line off the screen.
    @Test(arguments: [(80, 24), (40, 12), (30, 10)])
    func `the selected sentence is told whole`(columns: Int, rows: Int) {
        var state = Fixture.state(
            columns: columns, rows: rows,
            (0..<30).map { Fixture.row("t\($0)", second: 1_000 - $0, subject: "Tide tables of all the harbours \($0)") }
        )
        state.presentation.isLinear = true
        for number in [0, 29, 0] {
            _ = state.press(number == 0 ? "gg" : "G")
            let lines = state.screen.split(separator: "\n").map(String.init)
            let start = lines.firstIndex { $0.hasPrefix("> ") }
            #expect(start.map { state.draw().cursor == Position(row: $0, column: 0) } == true)
            let text = lines.dropFirst(start ?? 0).joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(text.contains("Tide tables of all the harbours \(number), 3 messages"), "\(state.screen)")
            #expect(lines.count == rows && lines.contains { $0.contains(" of 30") })
        }
    }

    /// Fails when text is put in the order of the eye for somebody who listens.
    @Test func `what runs from right to left stays in the order in which it is read`() {
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("sam", subject: "استفسار عن الشحن")])
        state.presentation.isLinear = true
        #expect(state.screen.contains("استفسار عن الشحن"))
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID("sam"), [Fixture.message("sam", text: "مرحبا هل يصل")]))
        #expect(state.screen.contains("مرحبا هل يصل"))
    }

    @Test func `the sidebar's key says where folders are`() {
        var state = state()
        _ = state.press("B")
        #expect(state.screen.contains(":go and :mailbox"))
    }

    /// Fails when a pane, a frame, a colour or a weight remains, at any width.
    @Test(arguments: [(20, 5), (40, 12), (80, 24), (200, 50)])
    func `nothing is drawn and nothing is styled`(columns: Int, rows: Int) {
        var state = state(columns: columns, rows: rows)
        func check(_ place: Comment) {
            let grid = state.draw()
            #expect(grid.cells.allSatisfy { $0.style == .plain }, place)
            #expect(!state.screen.contains { "│─●★▾▸".contains($0) }, place)
        }
        check("list")
        _ = state.press("?")
        #expect(state.draw().cells.allSatisfy { $0.style == .plain })
        _ = state.press("?")
        _ = state.update(.input(.plain(.enter)))
        var read = Fixture.message("dana", text: "High water at nine.")
        read.summary.readAt = read.summary.createdAt
        read.summary.id = MessageID("old")
        read.summary.createdAt = Timestamp(millisecondsSinceEpoch: 1)
        read.summary.receivedAt = read.summary.createdAt
        _ = state.update(.conversationLoaded(ThreadID("dana"), [read, Fixture.message("dana", text: "> Quoted")]))
        check("reader")
        if columns >= 40, rows >= 12 {
            #expect(state.screen.contains("folded message, dana@"))
            #expect(state.screen.contains("message, unread, dana@"))
            #expect(state.screen.contains("> Quoted"))
        }
    }

    /// Fails when a line changes by itself each second, which a screen reader would read out.
    @Test func `time alone changes nothing on the screen`() {
        var state = state()
        _ = state.update(.syncStarted)
        _ = state.update(.syncFinished)
        let before = state.screen
        _ = state.update(.clock(secondsSinceEpoch: 1_000_107, utcOffsetSeconds: 0))
        #expect(state.screen == before)
        #expect(before.contains("synced"))
    }
}
