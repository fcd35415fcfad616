import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// Acting in the inbox of all accounts.
struct CombinedTriageTests {
    private static let inbox = ListScope(folder: .inbox)

    /// Two accounts whose servers use the same ids, in their common inbox; numbers are times, the newest first.
    private static func state(_ rows: [String: [Int]], hasMore: Bool = false) -> AppState {
        var state = AccountsTests.state(columns: 120, rows: 30)
        _ = state.press("gI")
        for label in ["home", "work"] {
            _ = state.update(.of(label, loaded(rows[label] ?? [], of: label, generation: 1, hasMore: hasMore)))
        }
        return state
    }

    private static func loaded(
        _ seconds: [Int], of label: String, generation: Int, hasMore: Bool = false
    ) -> AppEvent {
        let rows = seconds.map { Fixture.row("t\($0)", second: $0, subject: "\(label) \($0)", unread: $0 % 2) }
        return .combinedLoaded(rows, hasMore: hasMore, horizon: label == "home" ? 7 : 9, generation: generation)
    }

    private static func shown(_ state: AppState) -> [String] {
        state.combined?.rows.map { $0.row.shown.subject } ?? []
    }

    /// The orders among effects, by their accounts.
    private static func orders(_ effects: [Effect]) -> [String: TriageRequest] {
        var orders: [String: TriageRequest] = [:]
        for case .of(let label, .triage(let order)) in effects { orders[label] = order.request }
        return orders
    }

    private static func archive(_ names: String..., horizon: Int64) -> TriageRequest {
        TriageRequest(
            action: .archive, targets: .conversations(names.map { ThreadID($0) }, in: inbox, horizon: horizon))
    }

    /// Fails when a row acts in the account that is shown behind, or takes a row of the same id along.
    @Test func `each row acts in its own account`() {
        var state = Self.state(["home": [40], "work": [40, 30]])
        _ = state.press("j")

        let effects = state.press("e")

        #expect(Self.orders(effects) == ["work": Self.archive("t40", horizon: 9)])
        #expect(Self.shown(state) == ["home 40", "work 30"])
        #expect(state.accountLabel == "home" && state.triage.pending.isEmpty)
        #expect(state.combined?.selected == AccountThread(account: "work", thread: ThreadID("t30")))
        #expect(state.screen.contains("Archived “work 40”; u undoes it."), "\(state.screen)")
    }

    /// Fails when a selection over accounts is not named by its count, or one account's part is lost.
    @Test func `a selection acts in every account it is of`() {
        var state = Self.state(["home": [40, 20], "work": [40, 30]])
        _ = state.press("xjx")
        #expect(state.screen.contains("2 conversations: "), "\(state.screen)")
        #expect(state.screen.contains("2 selected") && state.screen.contains("✓"))

        let effects = state.press("e")

        #expect(
            Self.orders(effects) == ["home": Self.archive("t40", horizon: 7), "work": Self.archive("t40", horizon: 9)])
        #expect(Self.shown(state) == ["work 30", "home 20"])
        #expect(state.screen.contains("Archived 2 conversations; u undoes it."), "\(state.screen)")
        #expect(state.selectedCount == 0)
    }

    /// Fails when undo takes back what another account did earlier, or only a part of one key's work.
    @Test func `undo takes back what was done last, wherever that was`() {
        var state = Self.state(["home": [40, 20], "work": [30]])
        _ = state.press("e")
        _ = state.press("xjxd")
        #expect(Self.shown(state).isEmpty)
        var undone = state.press("u")
        #expect(undone == [.of("home", .undo(3)), .of("work", .undo(2))])
        undone = state.press("u")
        #expect(undone == [.of("home", .undo(4))])
        #expect(state.press("u") == [.bell])
        #expect(state.screen.contains("Nothing was done since Herald was started."))
    }

    /// Fails when an undo over several accounts tells of a part of it only.
    @Test func `an undo over accounts is told as one`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.press("xjxe")
        _ = state.press("u")
        for label in ["home", "work"] {
            let batch = OperationBatch(
                id: BatchID(label), name: "Archive", count: 2, createdAt: Timestamp(""), isUndone: true)
            _ = state.update(.of(label, .undone(2, UndoReceipt(batch: batch, cancelled: 2, operations: []))))
        }
        #expect(state.screen.contains("Undone: Archive, 4 messages."), "\(state.screen)")
    }

    /// Fails when the pane beside the list shows mail of the account behind it.
    @Test func `a wide window shows the line selected beside the list`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.update(.resized(Size(columns: 200, rows: 50)))
        _ = state.press("j")
        #expect(state.screen.contains("Account: work"), "\(state.screen)")
        #expect(state.screen.contains("Subject: work 30") && !state.screen.contains("From home"))
    }

    /// Fails when what was undone in an account is undone once more from the inbox of all.
    @Test func `undo in an account is known to all`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.press("e")
        _ = state.press("q")
        _ = state.press("u")
        _ = state.press("gI")
        #expect(state.press("u") == [.bell])
    }

    /// Fails when an answer that was under way brings back what has gone, or undo does not bring it back.
    @Test func `rows go at once, stay away, and come back with undo`() {
        var state = Self.state(["home": [40, 20], "work": [30]])
        _ = state.press("e")
        // A commit of before is read while the order is on its way.
        _ = state.update(.of("home", Self.loaded([40, 20], of: "home", generation: 1)))
        #expect(Self.shown(state) == ["work 30", "home 20"])

        _ = state.update(
            .of("home", .triageQueued(1, BatchReceipt(batch: BatchID("b"), operations: [OperationID("o")]))))
        let settled = state.update(.of("home", .settled(nil)))
        #expect(settled.contains(.of("home", .loadCombined(limit: 200, generation: 2))))
        _ = state.update(.of("home", Self.loaded([40, 20], of: "home", generation: 1)))
        #expect(Self.shown(state) == ["work 30", "home 20"])
        _ = state.update(.of("home", Self.loaded([20], of: "home", generation: 2)))

        _ = state.press("u")
        let batch = OperationBatch(
            id: BatchID("b"), name: "Archive", count: 1, createdAt: Timestamp(""), isUndone: true)
        _ = state.update(.of("home", .undone(2, UndoReceipt(batch: batch, cancelled: 1, operations: []))))
        _ = state.update(.of("home", .settled(nil)))
        _ = state.update(.of("home", Self.loaded([40, 20], of: "home", generation: 3)))
        #expect(Self.shown(state) == ["home 40", "work 30", "home 20"])
        #expect(state.combined?.selected == AccountThread(account: "home", thread: ThreadID("t40")))
    }

    /// Fails when undo goes to a row that never went, or takes the cursor from somebody who has moved on.
    @Test func `undo leaves the cursor alone where nothing comes back to it`() {
        var state = Self.state(["home": [40, 20], "work": [30]])
        _ = state.press("sj")
        _ = state.press("u")
        _ = state.update(.of("home", Self.loaded([40, 20], of: "home", generation: 1)))
        #expect(state.combined?.selected == AccountThread(account: "work", thread: ThreadID("t30")))

        _ = state.press("k")
        _ = state.press("e")
        _ = state.press("u")
        _ = state.press("j")
        _ = state.update(.of("home", .settled(nil)))
        _ = state.update(.of("home", Self.loaded([40, 20], of: "home", generation: 1)))
        #expect(state.combined?.selected == AccountThread(account: "home", thread: ThreadID("t20")))
    }

    /// Fails when a failure of an account that is not shown behind is not told, or its row stays away.
    @Test func `what could not be queued is told with its account`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.press("je")
        _ = state.update(.of("work", .triageFailed(1, "The disk is full.")))
        #expect(state.screen.contains("work: The disk is full."), "\(state.screen)")
        let effects = state.update(.of("work", .settled(nil)))
        #expect(effects.contains(.of("work", .loadCombined(limit: 200, generation: 2))))
        _ = state.update(.of("work", Self.loaded([30], of: "work", generation: 2)))
        #expect(Self.shown(state) == ["home 40", "work 30"])
    }

    /// Fails when the way of a toggle differs between the accounts of one selection.
    @Test func `a toggle does the same everywhere`() {
        var state = Self.state(["home": [41], "work": [40, 30]])
        let effects = state.press("VGU")
        #expect(Self.orders(effects).mapValues(\.action) == ["home": .read, "work": .read])
        #expect(state.combined?.rows.allSatisfy { $0.row.shownUnread == 0 } == true)
    }

    /// Fails when reading on from the inbox of all goes on in one account only, or archiving there loses the place.
    @Test func `the reader goes on along the list of all accounts`() {
        var state = Self.state(["home": [40, 20], "work": [30]])
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.of("home", .conversationLoaded(ThreadID("t40"), [Fixture.message("t40", text: "One")])))
        let next = state.press("n")
        #expect(next.first == .accountShown("work") && next.last == .loadConversation(ThreadID("t30")))
        _ = state.update(.of("work", .conversationLoaded(ThreadID("t30"), [Fixture.message("t30", text: "Two")])))
        let effects = state.press("e")
        #expect(TriageTests.orders(effects).map(\.request.action) == [.archive])
        #expect(state.accountLabel == "home" && state.openThread == ThreadID("t20"))
        _ = state.press("q")
        #expect(Self.shown(state) == ["home 40", "home 20"])
        #expect(state.press("u") == [.of("work", .undo(2))])
    }

    /// Fails when the filter asks only one account, or leaves no way back to all.
    @Test func `a filter narrows every account`() {
        var state = Self.state(["home": [40], "work": [30]])
        let effects = state.press("/invoice")
        #expect(
            effects.suffix(2)
                == ["home", "work"].map { .of($0, .loadCombined(filter: "invoice", limit: 200, generation: 8)) })
        _ = state.update(.of("home", Self.loaded([], of: "home", generation: 8)))
        _ = state.update(.of("work", Self.loaded([30], of: "work", generation: 8)))
        _ = state.update(.input(.plain(.enter)))
        #expect(Self.shown(state) == ["work 30"])
        #expect(state.screen.contains("filter: invoice"))
        _ = state.press("/ from:")
        #expect(state.combined?.filter == "invoice from" && state.typedFault != nil)
        _ = state.update(.input(.plain(.escape)))
        #expect(state.combined?.filter == "" && state.isCombinedShown)
    }

    /// Fails when the outbox shown is one in which nothing waits, or it does not say whose it is.
    @Test func `the outbox of the account in which something waits opens, and goes back`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.update(.of("work", .outboxCounted(OutboxCounts(queued: 3))))
        #expect(state.screen.contains("3 queued"), "\(state.screen)")
        #expect(
            state.press("go") == [.accountShown("work"), .loadCounts] + state.listEffects + [
                .loadOutbox, .writing(.loadDrafts),
            ])
        _ = state.update(.of("work", .outboxLoaded([], [])))
        #expect(state.screen.contains("Waiting in work"))
        _ = state.press("gA")
        #expect(state.accountLabel == "home" && state.outbox.isOpen)
        _ = state.press("q")
        #expect(state.isCombinedShown)
    }

    @Test func `the sidebar, the folder above and commands work`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.press("B")
        #expect(!state.screen.contains("All inboxes ") || state.layout.sidebar == nil)
        #expect(state.press("K") == [.bell])
        #expect(state.screen.contains("This is the first folder."))
        _ = state.press(":archive")
        #expect(Self.orders(state.update(.input(.plain(.enter)))).keys.sorted() == ["home"])
    }

    /// Fails when all of a long list is taken for all that is loaded.
    @Test func `everything is loaded before everything is selected`() {
        var state = Self.state(["home": [40, 39], "work": [30]], hasMore: true)
        let effects = state.press("T4") + state.update(.input(.plain(.enter)))
        #expect(effects.contains(.of("work", .loadCombined(limit: ListState.most, generation: 2))))
        #expect(state.selectedCount == 0)
        _ = state.update(.of("home", Self.loaded([40, 39], of: "home", generation: 2)))
        _ = state.update(.of("work", Self.loaded([44, 30], of: "work", generation: 2)))
        #expect(state.selectedCount == 2, "\(state.screen)")
    }

    /// Fails when an account that is gone stays in the list or is acted on.
    @Test func `an account that is removed takes its rows along`() {
        var state = Self.state(["home": [40], "work": [30]])
        _ = state.press("Ve")
        _ = state.update(.accounts([AccountsTests.entries[1]], shown: "work"))
        #expect(Self.shown(state) == ["work 30"])
        #expect(state.acted.entries.isEmpty)
        _ = state.update(.accounts([], shown: ""))
        #expect(state.screen.contains("Welcome to Herald"))
        #expect(!state.screen.contains("work"), "\(state.screen)")
    }
}

extension AppState {
    fileprivate var listEffects: [Effect] { [loadList()] }
}
