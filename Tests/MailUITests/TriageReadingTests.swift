import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// Acting in the reader, where to go from there, and what counts as read.
struct TriageReadingTests {
    /// Messages of one conversation: an old one that was read, a sent one, and a new one, all with their texts.
    private static func thread(_ name: String, newest: MessageID? = nil) -> [ConversationMessage] {
        var old = Fixture.message(name, text: "Old words.")
        old.summary.id = MessageID("old")
        old.summary.receivedAt = Timestamp(millisecondsSinceEpoch: 1_000)
        old.summary.readAt = Timestamp(millisecondsSinceEpoch: 2_000)
        var sent = Fixture.message(name, text: "My words.")
        sent.summary.id = MessageID("sent")
        sent.summary.receivedAt = Timestamp(millisecondsSinceEpoch: 2_000)
        sent.summary.direction = .outbound
        sent.summary.folder = "sent"
        var new = Fixture.message(name, text: "New words.")
        new.summary.id = newest ?? new.summary.id
        new.summary.receivedAt = Timestamp(millisecondsSinceEpoch: 9_000)
        return [old, sent, new].map { message in
            var message = message
            message.summary.mailboxID = TriageTests.support
            message.detail?.summary = message.summary
            return message
        }
    }

    private static func reading(_ names: [String] = ["a", "b", "c"], at index: Int = 1, after: AfterAction = .next)
        -> AppState
    {
        var state = TriageTests.state(names, unread: 1)
        _ = state.update(.triageConfigured(TriageSettings(afterAction: after)))
        _ = state.press(String(repeating: "j", count: index))
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID(names[index]), thread(names[index])))
        return state
    }

    /// Fails when archiving a conversation takes sent mail along, or leaves something of the folder behind.
    @Test func `the reader acts on what it shows of the folder`() {
        var state = Self.reading()

        let orders = TriageTests.orders(state.press("e"))

        #expect(
            orders.map(\.request) == [
                TriageRequest(action: .archive, targets: .messages([MessageID("old"), MessageID("m-b")]))
            ])
        #expect(TriageTests.shown(state) == ["a", "c"])
        #expect(state.screen.contains("Archived “Subject”, 2 messages; u undoes it."))
        #expect(state.counts[0].unread[.inbox] == 39)
    }

    /// Fails when mail that arrives while a conversation is open makes a key act on another one.
    @Test func `mail that arrives moves nothing under the key`() {
        var state = Self.reading()
        let rows = ["x", "y", "z", "a", "b", "c"].map { Fixture.row($0) }
        _ = state.update(.conversationsLoaded(state.scope, generation: 0, rows: rows, hasMore: false, horizon: 99))

        let orders = TriageTests.orders(state.press("d"))

        #expect(orders.map(\.request.targets) == [.messages([MessageID("old"), MessageID("m-b")])])
        #expect(TriageTests.shown(state) == ["x", "y", "z", "a", "c"])
    }

    @Test(arguments: [(AfterAction.next, "c"), (.previous, "a"), (.list, nil)] as [(AfterAction, String?)])
    func `the settings say where to go`(_ after: AfterAction, _ open: String?) {
        var state = Self.reading(after: after)

        let effects = state.press("d")

        #expect(state.openThread == open.map { ThreadID($0) })
        if let open { #expect(effects.contains(.loadConversation(ThreadID(open)))) }
        #expect(state.selectedThread == ThreadID(open ?? "c"))
    }

    @Test func `behind the last conversation there is the list`() {
        var state = Self.reading(at: 2)
        _ = state.press("d")
        #expect(state.openThread == nil && state.selectedThread == ThreadID("b"))
    }

    @Test func `a star and being unread are the current message's`() {
        var state = Self.reading()
        _ = state.press("[[")

        #expect(
            TriageTests.orders(state.press("s")).map(\.request) == [
                TriageRequest(action: .star, targets: .messages([MessageID("old")]))
            ])
        #expect(state.list.rows[1].isStarred)
        #expect(
            TriageTests.orders(state.press("U")).map(\.request) == [
                TriageRequest(action: .unread, targets: .messages([MessageID("old")]))
            ])
        #expect(state.list.rows[1].shownUnread == 2 && state.counts[0].unread[.inbox] == 41)
        #expect(
            TriageTests.orders(state.press("I")).map(\.request.targets) == [
                .messages([MessageID("old"), MessageID("m-b")])
            ])
        #expect(state.list.rows[1].shownUnread == 0)
    }

    /// Fails when a key typed right after Enter is lost, or acts on something else.
    @Test func `a conversation that is still loading is acted on by its row`() {
        var state = TriageTests.state(["a", "b"])
        _ = state.update(.input(.plain(.enter)))

        let orders = TriageTests.orders(state.press("e"))

        #expect(orders.count == 1 && TriageTests.shown(state) == ["b"] && state.openThread == ThreadID("b"))
    }

    private static func timers(_ effects: [Effect]) -> [Int: Int] {
        effects.reduce(into: [:]) { if case .wake(let timer, let milliseconds) = $1 { $0[timer] = milliseconds } }
    }

    /// Fails when moving the cursor marks mail as read, or opening it does so at once or never.
    @Test func `mail counts as read when it was open for a while`() {
        var state = TriageTests.state(["a", "b"], columns: 200, rows: 50)
        #expect(Self.timers(state.press("jkjk")).isEmpty)
        _ = state.update(.input(.plain(.enter)))
        let effects = state.update(.conversationLoaded(ThreadID("a"), Self.thread("a")))
        let timers = Self.timers(effects)
        #expect(timers.values.map { $0 } == [2_000])

        let orders = TriageTests.orders(state.update(.woke(timers.keys.first ?? 0)))

        #expect(
            orders == [
                TriageOrder(
                    number: 1, request: TriageRequest(action: .read, targets: .messages([MessageID("m-a")])),
                    isAutomatic: true)
            ])
        #expect(state.notice == nil)
    }

    @Test func `leaving before the time is over marks nothing`() {
        var state = TriageTests.state(["a", "b"])
        _ = state.update(.input(.plain(.enter)))
        let first = Self.timers(state.update(.conversationLoaded(ThreadID("a"), Self.thread("a"))))
        _ = state.press("q")
        #expect(TriageTests.orders(state.update(.woke(first.keys.first ?? 0))).isEmpty)
        _ = state.update(.input(.plain(.enter)))
        #expect(TriageTests.orders(state.update(.woke(first.keys.first ?? 0))).isEmpty)
    }

    /// Fails when a folded message, one without its text, or one that was just marked as unread becomes read.
    @Test func `only what is unfolded and here is marked`() {
        var state = TriageTests.state(["a"])
        _ = state.update(.input(.plain(.enter)))
        var messages = Self.thread("a")
        messages[0].summary.readAt = nil
        messages[2].detail = nil
        let first = Self.timers(state.update(.conversationLoaded(ThreadID("a"), messages)))
        #expect(first.count == 1)
        _ = state.press("zM")
        #expect(TriageTests.orders(state.update(.woke(first.keys.first ?? 0))).isEmpty)
        let second = Self.timers(state.press("zR"))
        #expect(
            TriageTests.orders(state.update(.woke(second.keys.first ?? 0))).map(\.request.targets) == [
                .messages([MessageID("old")])
            ])
        // The text of the newest comes late; its time begins with it.
        messages[0].summary.readAt = Timestamp(millisecondsSinceEpoch: 1)
        let third = Self.timers(state.update(.conversationLoaded(ThreadID("a"), [messages[0], Self.thread("a")[2]])))
        _ = state.press("]]U")
        _ = state.press("U")
        #expect(TriageTests.orders(state.update(.woke(third.keys.first ?? 0))).isEmpty)
        #expect(Self.timers(state.press("jk")).isEmpty)
    }

    @Test(arguments: [(Int?.none, [Int]()), (0, [0]), (7_000, [7_000])])
    func `each mailbox has its own time`(_ own: Int?, _ expected: [Int]) {
        var state = TriageTests.state(["a"])
        _ = state.update(.triageConfigured(TriageSettings(markAfterIn: ["support@example.org": own])))
        _ = state.update(.input(.plain(.enter)))
        let timers = Self.timers(state.update(.conversationLoaded(ThreadID("a"), Self.thread("a"))))
        #expect(timers.values.map { $0 } == expected)
    }
}
