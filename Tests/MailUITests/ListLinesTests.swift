import MailModel
import Testing

@testable import MailUI

/// Where a line is, in lists of very many.
struct ListLinesTests {
    private let rows = (0..<500).map { Fixture.row("t\($0)") }

    /// Fails when a line is found somewhere else, or only where it is thought to be.
    @Test(arguments: [0, 1, 7, 8, 9, 300, 499, 500, -3])
    func `a line is found whatever the guess`(guess: Int) {
        let lines = ListLines(rows: rows, drafts: nil)
        #expect(lines.index(of: .thread(ThreadID("t8")), near: guess) == 8)
        #expect(lines.index(of: .thread(ThreadID("gone")), near: guess) == nil)
        #expect(lines.index(of: .draft(DraftID("t8")), near: guess) == nil)
    }

    /// Fails when the selection goes elsewhere than to the nearest line below what left the list, or else above.
    @Test(arguments: [
        ([5], "t6"), ([5, 6, 7], "t8"), (Array(5..<500), "t4"), (Array(1..<500), "t0"), ([0, 499], "t5"),
    ])
    func `the selection stays near what left the list`(gone: [Int], selected: String) {
        var state = Fixture.state(columns: 80, rows: 24, rows)
        _ = state.press("jjjjj")
        let left = rows.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        _ = state.update(
            .conversationsLoaded(
                ListScope(folder: .inbox), generation: state.list.generation, rows: left, hasMore: false))
        #expect(state.selectedThread == ThreadID(selected))
    }
}
