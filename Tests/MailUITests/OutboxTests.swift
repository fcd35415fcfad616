import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// The outbox on the screen: counts, its list, long work, and undo.
struct OutboxTests {
    private static func operation(
        _ name: String, _ action: TriageAction = .archive, status: OperationStatus = .pending, attempts: Int = 0,
        next: Int64? = nil
    ) -> OutboxEntry {
        let operation = Operation(
            id: OperationID(name), batch: BatchID("b"), sequence: 1, message: MessageID(name),
            mailbox: TriageTests.support, kind: .triage(action), status: status,
            createdAt: Timestamp(millisecondsSinceEpoch: 1_000_000), attempts: attempts, nextAttemptAt: next)
        return OutboxEntry(
            operation: operation, subject: "About \(name)",
            reason: attempts > 0 ? "The server could not be reached." : nil)
    }

    private static func ending(_ name: String) -> OutboxEnding {
        let at = Timestamp(millisecondsSinceEpoch: 1_000_000)
        let entry = JournalEntry(
            id: OperationID(name), batch: BatchID("b"), message: MessageID(name), mailbox: nil, kind: .triage(.star),
            verdict: .accessLost, createdAt: at, endedAt: at)
        return OutboxEnding(entry: entry, subject: nil)
    }

    private static func open(columns: Int = 80, rows: Int = 24) -> AppState {
        var state = TriageTests.state(["a"], columns: columns, rows: rows)
        _ = state.update(.clock(secondsSinceEpoch: 1_300, utcOffsetSeconds: 0))
        _ = state.update(.outboxCounted(OutboxCounts(queued: 2, blocked: 1)))
        #expect(state.press("go") == [.loadOutbox, .writing(.loadDrafts)])
        _ = state.update(
            .outboxLoaded(
                [
                    operation("one", attempts: 2, next: 1_330_000),
                    operation("two", .trash, status: .blocked(.credentialRefused)), operation("three", .star),
                ], [ending("four")]))
        return state
    }

    @Test(arguments: [(80, 24), (200, 50), (40, 12), (20, 5)])
    func `the list fits every window, with the cursor on what is selected`(columns: Int, rows: Int) {
        var state = Self.open(columns: columns, rows: rows)
        for _ in 0..<4 {
            let grid = state.draw()
            let row = grid.cursor?.row ?? -1
            #expect(row >= 0 && grid.rowText(row).hasPrefix("> "), "\(state.screen)")
            _ = state.press("j")
        }
        #expect(state.outbox.selected == OperationID("four"))
    }

    @Test func `an operation tells what, where, since when, how often and why not`() {
        let screen = Self.open().screen
        #expect(screen.contains("Archive “About one”, support@example.org"))
        #expect(screen.contains("queued, since 5 min, 2 tries, next in 30 s: The server could not"))
        #expect(screen.contains("Move to trash “About two”, support@example.org"))
        #expect(screen.contains("blocked until you have signed in again"))
        #expect(screen.contains("Star a message that is not here"))
        #expect(screen.contains("The mailbox can no longer be read. (5 min ago)"))
        #expect(screen.contains("2 queued · 1 blocked · 1 of 4"))
    }

    @Test func `an operation is tried again and given up, the latter only when asked twice`() {
        var state = Self.open()
        #expect(state.update(.input(.plain(.enter))) == [.retryOperation(OperationID("one"))])
        #expect(state.press("d") == [])
        #expect(state.screen.contains("Nothing is given up yet"))
        #expect(state.press("jd") == [])
        #expect(state.press("d") == [.dropOperation(OperationID("two"))])
        #expect(state.press("Gd") == [.bell])
        #expect(state.screen.contains("This has ended."))
        #expect(state.press("q") == [] && state.context == .list)
    }

    /// Fails when the list shows what was once, or the selection jumps when something is sent.
    @Test func `the list follows what happens`() {
        var state = Self.open()
        _ = state.press("j")
        #expect(state.update(.outboxCounted(OutboxCounts(queued: 1, blocked: 1))) == [.loadOutbox])
        _ = state.update(.outboxLoaded([Self.operation("two"), Self.operation("three")], []))
        #expect(state.outbox.selected == OperationID("two"))
        _ = state.update(.outboxLoaded([Self.operation("three")], []))
        #expect(state.outbox.selected == OperationID("three"))
        _ = state.update(.outboxLoaded([], []))
        #expect(state.screen.contains("Nothing waits to be sent."))
        #expect(state.press("d") == [.bell])
    }

    /// Fails when the cursor follows what was given up to where no key does anything, so that the next key is lost.
    @Test func `the cursor stays among what waits`() {
        var state = Self.open()
        _ = state.press("jj")
        _ = state.update(.outboxLoaded([Self.operation("one"), Self.operation("two")], [Self.ending("three")]))
        #expect(state.outbox.selected == OperationID("two"))
        _ = state.update(.outboxLoaded([], [Self.ending("two"), Self.ending("one")]))
        #expect(state.outbox.selected == nil && state.outbox.top == 0)
        #expect(state.press("d") == [.bell])
        #expect(state.screen.contains("Nothing waits"))
        _ = state.press("j")
        #expect(state.outbox.selected == OperationID("two"))
        // Who looks at what has ended stays there.
        _ = state.press("j")
        _ = state.update(.outboxLoaded([Self.operation("new")], [Self.ending("two"), Self.ending("one")]))
        #expect(state.outbox.selected == OperationID("one"))
    }

    /// Fails when a try has no outcome, or its outcome is told before there is one.
    @Test func `what a new try comes to is told`() {
        func afterTry(_ entries: [OutboxEntry], _ endings: [OutboxEnding] = []) -> String {
            var state = Self.open()
            _ = state.update(.input(.plain(.enter)))
            _ = state.update(.outboxLoaded(entries, endings))
            return state.notice ?? ""
        }
        #expect(afterTry([Self.operation("one", attempts: 2)]) == "It is tried again now.")
        #expect(afterTry([Self.operation("one", status: .inFlight, attempts: 3)]) == "It is tried again now.")
        #expect(
            afterTry([Self.operation("one", status: .retrying, attempts: 3)]).hasPrefix("It was tried again and still"))
        #expect(afterTry([]) == "“Archive” was sent.")
        #expect(afterTry([], [Self.ending("one")]) == "The mailbox can no longer be read.")
    }

    /// Fails when another try, which changes no count, leaves old numbers on the screen.
    @Test func `the list is read again when a try fails`() {
        var state = Self.open()
        #expect(state.update(.outboxChanged) == [.loadOutbox])
        _ = state.press("q")
        #expect(state.update(.outboxChanged) == [])
    }

    @Test(arguments: [(80, 24), (200, 50), (40, 12)])
    func `the status line tells what waits`(columns: Int, rows: Int) {
        var state = TriageTests.state(["a"], columns: columns, rows: rows)
        #expect(!state.screen.contains("queued"))
        _ = state.update(.outboxCounted(OutboxCounts(queued: 3, unknown: 1)))
        _ = state.update(.offline(true))
        #expect(state.screen.contains("3 queued · 1 unknown · 1 of 1"), "\(state.screen)")
        #expect(state.screen.contains("offline"))
    }

    private static func batch(_ name: String, _ count: Int) -> UndoReceipt {
        let batch = OperationBatch(
            id: BatchID("b"), name: name, count: count, createdAt: Timestamp(millisecondsSinceEpoch: 1), isUndone: true)
        return UndoReceipt(batch: batch, cancelled: count, operations: [])
    }

    @Test func `undo names what it undid and says when there is nothing`() {
        var state = TriageTests.state(["a"])
        #expect(state.press("u") == [.undo(1)])
        let effects = state.update(.undone(1, Self.batch("Archive", 12)))
        #expect(state.screen.contains("Undone: Archive, 12 messages."))
        #expect(effects.contains { if case .settle = $0 { true } else { false } })
        #expect(state.press("u") == [.undo(2)])
        #expect(state.update(.undone(2, nil)) == [.bell])
        #expect(state.screen.contains("There is nothing to undo."))
    }

    private static let queued = BatchReceipt(batch: BatchID("b"), operations: [OperationID("o")])

    /// Fails when undo counts otherwise than the action did, or claims to know what another program did.
    @Test func `undo names what was acted on as the action did`() {
        var state = TriageTests.state(["a", "b", "c"])
        _ = state.press("xjxe")
        #expect(state.screen.contains("Archived 2 conversations"))
        _ = state.update(.triageQueued(1, Self.queued))
        _ = state.press("u")
        _ = state.update(.undone(2, Self.batch("Archive", 7)))
        #expect(state.screen.contains("Undone: Archive, 2 conversations."))
        _ = state.press("u")
        _ = state.update(.undone(3, Self.batch("Archive", 7)))
        #expect(state.screen.contains("Undone: Archive, 7 messages."))
    }

    /// Fails when what was put away in the reader has to be looked for after undo.
    @Test func `undo in the reader opens again what it brings back`() throws {
        var state = TriageTests.state(["a", "b", "c"])
        let before = state.list.rows
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID("a"), [Fixture.message("a", text: "One")]))
        _ = state.press("e")
        #expect(state.openThread == ThreadID("b"))
        var first: SettleQuestion?
        for case .settle(let asked) in state.update(.triageQueued(1, Self.queued)) { first = asked }
        _ = state.press("u")
        _ = state.update(.undone(2, Self.batch("Archive", 1)))
        func answer(_ question: SettleQuestion, _ rows: [ConversationRow]) -> SettleAnswer {
            SettleAnswer(
                question: question, counts: state.counts, rows: rows, hasMore: false, horizon: 77, messages: [])
        }
        // The answer to the question before undo does not know of it yet.
        var second: SettleQuestion?
        for case .settle(let asked) in state.update(.settled(answer(try #require(first), Array(before.dropFirst())))) {
            second = asked
        }
        #expect(state.openThread == ThreadID("b"))
        let effects = state.update(.settled(answer(try #require(second), before)))
        #expect(state.openThread == ThreadID("a") && state.selectedThread == ThreadID("a"))
        #expect(effects.contains(.loadConversation(ThreadID("a"))))
    }

    /// Fails when what undo brings back has to be looked for.
    @Test func `undo goes back to where it was done`() throws {
        var state = TriageTests.state(["a", "b", "c", "d"])
        let before = state.list.rows
        _ = state.press("jeG")
        var question: SettleQuestion?
        for case .settle(let asked) in state.update(.triageQueued(1, Self.queued)) { question = asked }
        _ = state.update(
            .settled(
                SettleAnswer(
                    question: try #require(question), counts: state.counts, rows: state.list.rows, hasMore: false,
                    horizon: 77, messages: [])))
        _ = state.press("u")
        for case .settle(let asked) in state.update(.undone(2, Self.batch("Archive", 1))) { question = asked }
        _ = state.update(
            .settled(
                SettleAnswer(
                    question: try #require(question), counts: state.counts, rows: before, hasMore: false, horizon: 77,
                    messages: [])))
        #expect(state.selectedThread == ThreadID("b"))
    }

    /// Fails when a list that was replaced under the key is told of as if something had been done.
    @Test func `an order that met nothing is told`() {
        var state = TriageTests.state(["a", "b"])
        _ = state.press("e")
        _ = state.update(.triageQueued(1, BatchReceipt(batch: nil, operations: [])))
        #expect(state.screen.contains("Nothing was changed: the list was not up to date."))
    }

    /// Fails when long work hides how far it is, or cannot be called off.
    @Test func `long work tells how far it is and is called off`() {
        let names = (0..<400).map { "t\($0)" }
        var state = TriageTests.state(names)
        _ = state.press("~e")
        _ = state.press("j")
        #expect(state.screen.contains("Archive: queueing…"), "\(state.screen)")
        let receipt = BatchReceipt(batch: BatchID("b"), operations: names.map { OperationID($0) })
        _ = state.update(.triageQueued(1, receipt))
        _ = state.update(.outboxCounted(OutboxCounts(queued: 390)))
        #expect(state.screen.contains("Archive: 10 of 400 sent; Esc calls it off"))
        #expect(state.update(.input(.plain(.escape))) == [.undo(2)])
        _ = state.update(.undone(2, Self.batch("Archive", 400)))
        #expect(!state.screen.contains("calls it off"))
    }

    @Test func `long work ends by itself`() {
        var state = TriageTests.state((0..<400).map { "t\($0)" })
        _ = state.press("~U")
        let receipt = BatchReceipt(batch: BatchID("b"), operations: (0..<400).map { OperationID("\($0)") })
        _ = state.update(.triageQueued(1, receipt))
        _ = state.update(.outboxCounted(OutboxCounts(queued: 1)))
        _ = state.update(.outboxCounted(OutboxCounts()))
        #expect(state.bulkText == nil)
    }
}
