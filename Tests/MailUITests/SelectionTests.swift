import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// Selecting conversations, and acting on all of them.
struct SelectionTests {
    private static func chosen(_ state: AppState) -> String {
        state.selectedRows.map(\.threadID.rawValue).joined()
    }

    /// Fails when keys select something else than is seen to be selected.
    @Test(arguments: [
        ("x", "a"), ("xjx", "ab"), ("xx", ""), ("  ", "ab"), ("3 ", "abc"), ("jVjj", "bcd"), ("VjVjjx", "abd"),
        ("jjVk", "bc"), ("Vjjk", "ab"), ("VGX", ""), ("x~", "bcdef"), ("~", "abcdef"), ("tjt", "ab"), ("2V", "ab"),
        ("VjVx", "a"), ("xG", "a"), ("+\r", ""),
        ("xVj\u{1B}", ""), (":select-all\r", "abcdef"), ("G5 ", "f"),
    ])
    func `keys select`(_ keys: String, _ expected: String) {
        var state = TriageTests.state(["a", "b", "c", "d", "e", "f"])
        for key in keys {
            let input: InputEvent =
                key == "\r" ? .plain(.enter) : key == "\u{1B}" ? .plain(.escape) : .character(key)
            _ = state.update(.input(input))
        }
        #expect(Self.chosen(state) == expected)
    }

    /// Fails when a selection is lost without a word.
    @Test func `leaving the list says that the selection is gone`() {
        var state = TriageTests.state(["a", "b", "c"])
        _ = state.press("xjx")
        _ = state.press("gs")
        #expect(state.selection.isEmpty)
        #expect(state.screen.contains("2 conversations are no longer selected"))
    }

    /// Fails when a mark touches the sender, whose name it would become part of in ASCII.
    @Test(arguments: [24, 40, 59, 66, 80, 120, 200])
    func `a blank stands between the marks and the sender`(columns: Int) {
        var state = TriageTests.state(["dana"], unread: 1, columns: columns) {
            $0.isStarred = true
            $0.hasAttachments = true
        }
        _ = state.press("x")
        #expect(state.screen.contains("✓ d"), "\(state.screen)")
    }

    /// Fails when a hint names the opposite of what the key does.
    @Test func `hints name what a key does now`() {
        var state = TriageTests.state(["a", "b"], unread: 2)
        _ = state.press("x")
        #expect(state.screen.contains("s star  U mark read"))
        _ = state.press("Us")
        #expect(state.screen.contains("s unstar  U mark unread"), "\(state.screen)")
    }

    @Test func `a selection is acted on as a whole and named by its count`() {
        var state = TriageTests.state(["a", "b", "c", "d"], unread: 1)
        _ = state.press("xjjx")
        #expect(state.screen.contains("2 selected"))
        #expect(state.screen.contains("2 conversations: e archive"))

        let orders = TriageTests.orders(state.press("je"))

        let threads = [ThreadID("a"), ThreadID("c")]
        let targets = TriageRequest.Targets.conversations(threads, in: ListScope(folder: .inbox), horizon: 77)
        #expect(orders.map(\.request) == [TriageRequest(action: .archive, targets: targets)])
        #expect(TriageTests.shown(state) == ["b", "d"] && state.selection.isEmpty)
        #expect(state.screen.contains("Archived 2 conversations; u undoes it."))
        #expect(state.selectedThread == ThreadID("d") && state.counts[0].unread[.inbox] == 38)
    }

    @Test func `a count takes as many, from the line on`() {
        var state = TriageTests.state(["a", "b", "c", "d"])
        let orders = TriageTests.orders(state.press("j2d"))
        let threads = [ThreadID("b"), ThreadID("c")]
        #expect(
            orders.map(\.request.targets) == [
                .conversations(threads, in: ListScope(folder: .inbox), horizon: 77)
            ])
        #expect(state.screen.contains("Moved to the trash: 2 conversations") && TriageTests.shown(state) == ["a", "d"])
        #expect(state.selectedThread == ThreadID("d"))
    }

    /// Fails when what is told of an action is broken into lines for the sake of what stands beside it.
    @Test func `in a narrow window the sentence has the room`() {
        var state = TriageTests.state(["a", "b"], columns: 50, rows: 12)
        _ = state.press("~s")
        #expect(state.screen.contains(" Starred 2 conversations; u undoes it. "), "\(state.screen)")
        _ = state.press("j")
        #expect(state.screen.contains("2 selected · 2 of 2"), "\(state.screen)")
    }

    @Test func `marks stay where conversations stay`() {
        var state = TriageTests.state(["a", "b"], unread: 1)
        _ = state.press("~U")
        #expect(Self.chosen(state) == "ab" && state.counts[0].unread[.inbox] == 38)
        #expect(state.screen.contains("Marked as read: 2 conversations"))
    }

    /// Fails when a selection is still there, unseen, after the list was left.
    @Test func `leaving the list drops the selection`() {
        var state = TriageTests.state(["a", "b"])
        _ = state.press("xgs")
        #expect(state.selection.isEmpty)
        _ = state.press("gi")
        #expect(state.selection.isEmpty)
    }

    @Test func `the reader acts on what it shows and not on the selection`() {
        var state = TriageTests.state(["a", "b", "c"])
        _ = state.press("xjxj")
        _ = state.update(.input(.plain(.enter)))
        let message = Fixture.message("c", text: "Words.")
        _ = state.update(.conversationLoaded(ThreadID("c"), [message]))

        let orders = TriageTests.orders(state.press("d"))

        #expect(orders.map(\.request.targets) == [.messages([message.summary.id])])
        #expect(TriageTests.shown(state) == ["a", "b"])
    }

    /// Fails when mail that arrives between the ends of a range becomes selected without anybody having seen it.
    @Test func `what arrives is not selected, and what leaves is not any more`() {
        var state = TriageTests.state(["a", "b", "c", "d"])
        _ = state.press("Vjj")
        let rows = ["new", "a", "x", "c", "d"].map { Fixture.row($0) }
        _ = state.update(.conversationsLoaded(state.scope, generation: 0, rows: rows, hasMore: false, horizon: 78))
        #expect(Self.chosen(state) == "ac")
        #expect(state.selectedThread == ThreadID("c"))
    }

    @Test func `a filter leaves selected what it shows`() {
        var state = TriageTests.state(["a", "b", "c"])
        _ = state.press("xjx/b")
        _ = state.update(
            .conversationsLoaded(state.scope, generation: 1, rows: [state.list.rows[1]], hasMore: false, horizon: 77))
        #expect(Self.chosen(state) == "b")
    }

    /// Fails when “all” means no more than the rows that happen to be loaded.
    @Test func `all means all of the list`() {
        var state = TriageTests.state(["a", "b"])
        let few = state.list.rows
        _ = state.update(.conversationsLoaded(state.scope, generation: 0, rows: few, hasMore: true, horizon: 77))
        let effects = state.update(.input(.key(.character("a"), .control)))
        #expect(
            effects == [
                .loadConversations(state.scope, filter: "", limit: ListState.most, generation: 1)
            ])
        let all = (0..<5).map { Fixture.row("t\($0)") }
        _ = state.update(.conversationsLoaded(state.scope, generation: 1, rows: few + all, hasMore: false, horizon: 77))
        #expect(state.selection.count == 7)
    }

    /// Fails when the selection has a language of its own, or reaches beyond what the list shows.
    @Test func `a filter selects what it would leave of the list`() {
        var state = TriageTests.state(["a", "b", "c"])
        _ = state.press("/from:ann")
        _ = state.update(.input(.plain(.enter)))
        let rows = ["a", "b", "c"].map { Fixture.row($0) }
        _ = state.update(
            .conversationsLoaded(
                state.scope, generation: state.list.generation, rows: rows, hasMore: false, horizon: 77))
        _ = state.press("Tis:unread or is:starred")
        let asked = Effect.findMatches(
            state.scope, filter: "from:ann (is:unread or is:starred)", limit: ListState.most)
        #expect(state.update(.input(.plain(.enter))) == [asked])
        #expect(state.selection.isEmpty && state.prompt == nil)
        let threads = ["a", "c", "elsewhere"].map { ThreadID($0) }
        _ = state.update(.matchesFound(state.scope, filter: "something older", threads))
        #expect(state.selection.isEmpty)
        _ = state.update(.matchesFound(state.scope, filter: "from:ann (is:unread or is:starred)", threads))
        #expect(Self.chosen(state) == "ac")
        #expect(state.notice == "2 that fit were selected.")
    }

    /// Fails when a mistake in a filter selects something, or has to be typed anew.
    @Test func `what is no filter selects nothing and stays to be mended`() {
        var state = TriageTests.state(["a", "b"])
        _ = state.press("Tform:ann")
        #expect(state.update(.input(.plain(.enter))) == [.bell])
        #expect(state.prompt?.text == "form:ann" && state.selection.isEmpty)
        #expect(state.notice?.contains("Column 1") == true)
    }

    @Test func `what may only be read is left out and told`() {
        var state = TriageTests.state(["a", "b", "c"])
        var rows = state.list.rows
        rows[1].shown.mailboxID = TriageTests.archive
        _ = state.update(.conversationsLoaded(state.scope, generation: 0, rows: rows, hasMore: false, horizon: 77))

        let orders = TriageTests.orders(state.press("~d"))

        let threads = [ThreadID("a"), ThreadID("c")]
        #expect(
            orders.map(\.request.targets) == [
                .conversations(threads, in: ListScope(folder: .inbox), horizon: 77)
            ])
        #expect(state.screen.contains("Moved to the trash: 2 conversations; 1 may only be read; u undoes it."))
        #expect(TriageTests.shown(state) == ["b"])
    }

    @Test func `Esc gives up the selection before the filter`() {
        var state = TriageTests.state(["a", "b"])
        _ = state.press("x")
        #expect(state.update(.input(.plain(.escape))).isEmpty)
        #expect(state.selection.isEmpty)
    }

    /// Fails when a selection can be seen by colour alone.
    @Test(arguments: [(80, 24), (200, 50), (40, 12), (24, 6)])
    func `a selection is seen without colours`(columns: Int, rows: Int) {
        var state = TriageTests.state(["a", "b"], columns: columns, rows: rows)
        _ = state.press("x")
        let grid = state.draw()
        let marks = (0..<rows).map { row in (0..<columns).count { grid[row, $0].text == "✓" } }
        #expect(marks.reduce(0, +) == 1)
        state.presentation.isLinear = true
        #expect(state.screen.contains("> selected, "))
    }
}
