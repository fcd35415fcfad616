import MailModel
import Testing

@testable import MailUI

/// Where the cursor and the selection are after undo.
struct UndoPlaceTests {
    /// A list as the cache answers it, with what the outbox and the cache say in their turn.
    private struct Bench {
        var state = TriageTests.state(["a", "b", "c", "d"])
        let before: [ConversationRow]
        private var number = 0
        private var question: SettleQuestion?

        init() { before = state.list.rows }

        /// The outbox has the order given last.
        mutating func queued() {
            number += 1
            let receipt = BatchReceipt(batch: BatchID("b\(number)"), operations: [OperationID("o")])
            take(state.update(.triageQueued(state.triage.lastActed, receipt)))
            settle(state.list.rows)
        }

        /// The outbox has undone what it was given as number so many.
        mutating func undone(_ number: Int, _ name: String = "Archive") {
            let batch = OperationBatch(
                id: BatchID("b\(number)"), name: name, count: 1, createdAt: Timestamp(""), isUndone: true)
            take(
                state.update(
                    .undone(state.triage.lastActed, UndoReceipt(batch: batch, cancelled: 1, operations: []))))
        }

        private mutating func take(_ effects: [Effect]) {
            for case .settle(let asked) in effects { question = asked }
        }

        mutating func settle(_ rows: [ConversationRow]) {
            guard let question else { return }
            _ = state.update(
                .settled(
                    SettleAnswer(
                        question: question, counts: state.counts, rows: rows, hasMore: false, horizon: 77,
                        messages: [])))
        }

        var cursor: String? { state.selectedThread?.rawValue }
        var selected: [String] { state.selectedRows.map(\.threadID.rawValue) }
    }

    /// Fails when undo moves the cursor although nothing came back to the list.
    @Test(arguments: ["s", "U"]) func `undo of what stays in the list leaves the cursor`(key: String) {
        var bench = Bench()
        _ = bench.state.press(key)
        bench.queued()
        _ = bench.state.press("jj")
        _ = bench.state.press("u")
        bench.undone(1, "Star")
        bench.settle(bench.before)
        #expect(bench.cursor == "c")
    }

    /// Fails when undo takes the cursor away from somebody who has moved on while it was on its way.
    @Test func `undo does not take the cursor back from where it was moved`() {
        var bench = Bench()
        _ = bench.state.press("e")
        bench.queued()
        #expect(bench.cursor == "b")
        _ = bench.state.press("u")
        bench.undone(1)
        _ = bench.state.press("j")
        bench.settle(bench.before)
        #expect(bench.cursor == "c")
    }

    /// Fails when one more undo, which finds nothing, moves the cursor or drops the selection.
    @Test func `an undo with nothing to undo changes nothing`() {
        var bench = Bench()
        _ = bench.state.press("jxjx")
        _ = bench.state.press("u")
        _ = bench.state.update(.undone(bench.state.triage.lastActed, nil))
        #expect(bench.cursor == "c" && bench.selected == ["b", "c"])
    }

    /// Fails when a selection has to be made again after undo, or when what is selected is not what was.
    @Test func `undo selects again what was selected`() {
        var bench = Bench()
        _ = bench.state.press("jxjx")
        _ = bench.state.press("e")
        bench.queued()
        #expect(bench.selected.isEmpty)
        _ = bench.state.press("u")
        bench.undone(1)
        bench.settle(bench.before)
        #expect(bench.cursor == "b" && bench.selected == ["b", "c"])
    }

    /// Fails when one more undo leaves a selection that the next key is not meant for, or spoils one made by hand.
    @Test func `one more undo drops the selection that undo brought back and no other`() {
        var bench = Bench()
        _ = bench.state.press("e")
        bench.queued()
        _ = bench.state.press("xjx")
        _ = bench.state.press("e")
        bench.queued()
        _ = bench.state.press("u")
        bench.undone(2)
        bench.settle(Array(bench.before.dropFirst()))
        #expect(bench.selected == ["b", "c"])
        _ = bench.state.press("u")
        bench.undone(1)
        bench.settle(bench.before)
        #expect(bench.cursor == "a" && bench.selected.isEmpty)

        _ = bench.state.press("e")
        bench.queued()
        _ = bench.state.press("jx")
        _ = bench.state.press("u")
        bench.undone(3)
        bench.settle(bench.before)
        #expect(bench.selected == ["c"])
    }
}
