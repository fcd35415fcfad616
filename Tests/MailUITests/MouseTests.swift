import MailModel
import MailUI
import TerminalUI
import Testing

/// Clicks and the wheel on screens.
struct MouseTests {
    private static func state(columns: Int = 80, rows: Int = 24, count: Int = 60) -> AppState {
        Fixture.state(columns: columns, rows: rows, (0..<count).map { Fixture.row("t\($0)", second: $0) })
    }

    private static func thread(_ number: Int) -> ThreadID { ThreadID("t\(number)") }

    /// A column of the list pane and one of the reader's.
    private static let list = 40
    private static let wideReader = 150

    @Test func `a click selects and a second one opens`() {
        var state = MouseTests.state()
        #expect(state.click(row: 3, column: MouseTests.list).isEmpty)
        #expect(state.selectedThread == MouseTests.thread(3) && state.openThread == nil)
        #expect(state.click(row: 3, column: MouseTests.list) == [.loadConversation(MouseTests.thread(3))])
        #expect(state.openThread == MouseTests.thread(3))
    }

    @Test func `a click beside an open reader reads on`() {
        var state = MouseTests.state(columns: 200, rows: 50)
        _ = state.update(.input(.plain(.enter)))
        #expect(state.click(row: 0, column: 60).isEmpty)
        #expect(state.click(row: 5, column: 60) == [.loadConversation(MouseTests.thread(5))])
        #expect(state.selectedThread == MouseTests.thread(5) && state.openThread == MouseTests.thread(5))
    }

    @Test func `a click on the sidebar goes there`() {
        var state = MouseTests.state()
        // Line 0 is all mailboxes; the folders follow.
        _ = state.click(row: 3, column: 5)
        #expect(state.scope.folder == .sent)
        #expect(state.click(row: 3, column: 5).isEmpty)
        #expect(state.click(row: 20, column: 5).isEmpty)
    }

    @Test func `a click on a message's head folds and unfolds it`() {
        var state = MouseTests.state()
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(MouseTests.thread(0), [Fixture.message("t0", text: "Hello there.")]))
        let head = (0..<24).first { state.draw().rowText($0).contains("t0@example.org ─") } ?? -1
        _ = state.click(row: head, column: MouseTests.list)
        #expect(!state.screen.contains("Hello there."))
        _ = state.click(row: head, column: MouseTests.list)
        #expect(state.screen.contains("Hello there."))
    }

    @Test func `the wheel scrolls the pane under the pointer`() {
        var state = MouseTests.state()
        _ = state.wheel(.wheelDown, row: 2, column: MouseTests.list)
        #expect(state.shows(3, inRow: 0))
        #expect(state.selectedThread == MouseTests.thread(3), "the selection stays in view")
        _ = state.wheel(.wheelUp, row: 2, column: MouseTests.list)
        #expect(state.shows(0, inRow: 0))
        _ = state.wheel(.wheelUp, row: 2, column: MouseTests.list)
        #expect(state.shows(0, inRow: 0))
        for _ in 0..<60 { _ = state.wheel(.wheelDown, row: 2, column: MouseTests.list) }
        #expect(state.shows(59, inRow: 21))
    }

    /// Fails when the wheel over the list changes what the reader shows, or the selection takes the list back.
    @Test func `the wheel over the list beside a reader leaves the reader alone`() {
        var state = MouseTests.state(columns: 200, rows: 20)
        _ = state.update(.input(.plain(.enter)))
        let text = (1...90).map { "line \($0)" }.joined(separator: "\n")
        _ = state.update(.conversationLoaded(MouseTests.thread(0), [Fixture.message("t0", text: text)]))
        for _ in 0..<4 { _ = state.wheel(.wheelDown, row: 2, column: 60) }
        #expect(state.shows(12, inRow: 0))
        #expect(state.selectedThread == MouseTests.thread(0) && state.openThread == MouseTests.thread(0))
        _ = state.update(.clock(secondsSinceEpoch: 5, utcOffsetSeconds: 0))
        #expect(state.shows(12, inRow: 0))
        _ = state.wheel(.wheelDown, row: 2, column: MouseTests.wideReader)
        #expect(!state.draw().rowText(0).contains("line 1 "))
        _ = state.press("n")
        #expect(state.shows(1, inRow: 0))
    }

    @Test func `the sidebar scrolls when it is longer than the window`() {
        var state = MouseTests.state(columns: 80, rows: 8)
        let before = state.draw().rowText(0).prefix(20)
        _ = state.wheel(.wheelDown, row: 1, column: 3)
        #expect(state.draw().rowText(0).prefix(20) != before)
        _ = state.wheel(.wheelUp, row: 1, column: 3)
        #expect(state.draw().rowText(0).prefix(20) == before)
    }

    @Test func `the wheel moves help, and clicks there do nothing`() {
        var state = MouseTests.state(rows: 14)
        _ = state.press("?")
        let before = state.draw().rowText(0)
        _ = state.wheel(.wheelDown, row: 1, column: 3)
        #expect(state.draw().rowText(0) != before)
        #expect(state.click(row: 1, column: 3).isEmpty)
    }

    @Test func `a key gives the mouse away and takes it back`() {
        var state = MouseTests.state()
        state.presentation.hasMouse = true
        let key = InputEvent.key(.character("m"), .alt)
        #expect(state.update(.input(key)) == [.mouse(false)])
        #expect(state.screen.contains("A-m gives it back"))
        #expect(state.update(.input(key)) == [.mouse(true)])
    }

    /// Fails when a click anywhere at any size ends the program.
    @Test func `clicks anywhere never trap`() {
        for (columns, rows) in [(1, 1), (20, 5), (40, 12), (80, 24), (200, 50)] {
            var state = MouseTests.state(columns: columns, rows: rows, count: 3)
            for row in stride(from: 0, through: rows + 2, by: 3) {
                for column in stride(from: 0, through: columns + 3, by: 7) {
                    _ = state.click(row: row, column: column)
                    _ = state.wheel(.wheelDown, row: row, column: column)
                    _ = state.wheel(.wheelUp, row: row, column: column)
                }
            }
            #expect(state.draw().size == state.size)
        }
    }
}

extension AppState {
    /// Whether a row of the list is that of a conversation, by its snippet.
    fileprivate func shows(_ number: Int, inRow row: Int) -> Bool {
        draw().rowText(row).contains("of t\(number) ")
    }

    fileprivate mutating func click(row: Int, column: Int) -> [Effect] {
        update(.input(.mouse(MouseEvent(.press, row: row, column: column))))
    }

    fileprivate mutating func wheel(_ kind: MouseEvent.Kind, row: Int, column: Int) -> [Effect] {
        update(.input(.mouse(MouseEvent(kind, row: row, column: column))))
    }
}
