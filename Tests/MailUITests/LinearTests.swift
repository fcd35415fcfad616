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
            #expect(state.screen.contains("folded message,"))
            #expect(state.screen.contains("message, unread"))
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
