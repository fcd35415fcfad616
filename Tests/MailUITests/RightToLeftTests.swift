import MailModel
import MailUI
import TerminalUI
import Testing

/// Text that runs from right to left, on the screen.
@Suite struct RightToLeftTests {
    private static let subject = "שלום world"

    private func screen(ordersText: Bool) -> String {
        var row = Fixture.row("ann", subject: Self.subject)
        row.shown.snippet = ""
        var state = Fixture.state(columns: 100, rows: 20, [row])
        state.ordersText = ordersText
        return state.screen
    }

    /// Fails when a subject is drawn backwards, or its letters leave their column.
    @Test func `a subject in Hebrew is drawn in its order`() {
        #expect(screen(ordersText: true).contains("world םולש"))
        #expect(screen(ordersText: false).contains(Self.subject))
    }

    /// Fails when a body is put in order twice, or not at all.
    @Test func `a body in Hebrew is drawn in its order`() {
        var state = Fixture.state(columns: 60, rows: 20, [Fixture.row("ann")])
        _ = state.update(.input(.plain(.enter)))
        let message = Fixture.message("ann", text: "אבג (12)")
        _ = state.update(.conversationLoaded(message.summary.threadID, [message]))
        #expect(state.screen.contains("(12) גבא"))
        let printed = ReaderText.lines(of: message, columns: 58, now: 0, zone: ZoneOffsets(fixed: 0))
        #expect(printed.contains("אבג (12)"))
    }
}
