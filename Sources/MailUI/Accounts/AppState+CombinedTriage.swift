internal import DisplayText
internal import MailFilter
internal import MailModel

/// What an action in the inbox of all accounts does, an account each.
struct CombinedPlan: Sendable, Hashable {
    var plans: [Part] = []
    /// Whether the conversations were selected beforehand.
    var isSelection = false

    /// What one account does.
    struct Part: Sendable, Hashable {
        let account: String
        let plan: TriagePlan
    }
}

/// Acting in the inbox of all accounts: each row in its own account.
extension AppState {
    private static let inbox = ListScope(folder: .inbox)

    /// All that is done as one plan, for its sentence and for why it cannot be done.
    func combinedPlan(_ id: ActionID) -> Result<TriagePlan, TriageRefusal>? {
        combinedPlans(id).map { work in
            var all = TriageSubject()
            all.isSelection = work.isSelection
            all.rows = work.plans.flatMap(\.plan.subject.rows)
            all.leftOut = work.plans.reduce(0) { $0 + $1.plan.subject.leftOut }
            return TriagePlan(action: work.plans[0].plan.action, subject: all, targets: .messages([]))
        }
    }

    /// The plan of every account that an action is about, or why it cannot be done in any.
    private func combinedPlans(_ id: ActionID) -> Result<CombinedPlan, TriageRefusal> {
        guard let list = combined, let start = list.selectedIndex else {
            return .failure(TriageRefusal("There is no conversation here."))
        }
        let rows = list.selection.isEmpty ? Array(list.rows[start...].prefix(max(1, count ?? 1))) : list.selectedRows
        var work = CombinedPlan(isSelection: !list.selection.isEmpty)
        var refusal: TriageRefusal?
        // What a key does is the same for all, whosever they are.
        let action = TriageAction.of(id, on: TriageSubject(rows: rows.map(\.row)))
        for (label, rows) in AppState.byAccount(rows) {
            let place = TriageList(
                scope: AppState.inbox, horizon: list.loaded[label]?.horizon ?? 0, looksElsewhere: list.looksElsewhere)
            let subject = TriageSubject(rows: rows).withinAccess(id, counts(ofAccount: label))
            switch subject.flatMap({ TriagePlan.of(action, $0, in: place) }) {
            case .success(let plan): work.plans.append(CombinedPlan.Part(account: label, plan: plan))
            case .failure(let reason): refusal = refusal ?? reason
            }
        }
        if !work.plans.isEmpty { return .success(work) }
        return .failure(refusal ?? TriageRefusal("There is no conversation here."))
    }

    /// Rows by their accounts, both in the order of the list.
    private static func byAccount(_ rows: [CombinedRow]) -> [(String, [ConversationRow])] {
        var labels: [String] = []
        for row in rows where !labels.contains(row.account) { labels.append(row.account) }
        return labels.map { label in (label, rows.filter { $0.account == label }.map(\.row)) }
    }

    /// The actions that change mail in the inbox of all accounts; `nil` for all others.
    mutating func performTriageInCombined(_ id: ActionID) -> [Effect]? {
        guard AppState.triageActions.contains(id), case .success(let work) = combinedPlans(id) else { return nil }
        if case .success(let whole)? = combinedPlan(id) { notice = sentence(of: whole, what(whole.subject)) }
        let before = combined
        let first = work.plans.first.flatMap { part in
            part.plan.subject.rows.first.map { AccountThread(account: part.account, thread: $0.threadID) }
        }
        var entry = ActedLog.Entry(orders: [:], first: first)
        var effects: [Effect] = []
        for part in work.plans {
            let change = within(part.account) { state in
                let change = state.pendingChange(part.plan, in: AppState.inbox)
                state.begin(change)
                state.triage.lastActed = change.number
                return change
            }
            entry.orders[part.account] = change.number
            let request = TriageRequest(action: part.plan.action, targets: part.plan.targets)
            effects.append(.of(part.account, .triage(TriageOrder(number: change.number, request: request))))
        }
        acted.note(entry)
        if work.isSelection, work.plans.first?.plan.action.aspect == .folder { combined?.selection.clear() }
        if triage.settings.afterAction == .previous, !work.isSelection { selectBefore(in: before) }
        return effects
    }

    /// Goes to the line before the one that left, where the settings say so.
    private mutating func selectBefore(in before: CombinedState?) {
        guard let before, let old = before.selected, combined?.rows.contains(where: { $0.id == old }) == false,
            let place = before.neighbour(by: -1), combined?.rows.contains(where: { $0.id == place }) == true
        else { return }
        combined?.selected = place
    }

    /// Undoes what was done last, in whichever accounts that was.
    mutating func undoInCombined() -> [Effect] {
        guard let entry = acted.takeLast() else {
            notice = "Nothing was done since Herald was started. Undo in an account goes further back."
            return [.bell]
        }
        // What is still there does not come back.
        let isHere = combined?.rows.contains { $0.id == entry.first } ?? false
        let cursor = combined?.selected
        combined?.returning = isHere ? nil : entry.first
        combined?.undoneFrom = cursor
        combined?.undoing = Set(entry.orders.keys)
        combined?.undone = 0
        return entry.orders.keys.sorted().map { label in
            .of(label, .undo(within(label) { $0.nextUndo() }))
        }
    }

    /// The number of one more undo.
    mutating func nextUndo() -> Int {
        triage.lastNumber += 1
        triage.lastActed = triage.lastNumber
        return triage.lastNumber
    }

    /// The account whose outbox is meant: that of the line, unless something waits in another one only.
    mutating func openOutboxOfCombined() -> [Effect] {
        func waits(_ label: String) -> Bool { !outboxCounts(of: label).isEmpty }
        let own = combined?.selected?.account ?? accountLabel
        let label = waits(own) ? own : accounts.map(\.label).first(where: waits) ?? own
        return showAccount(label) + openOutbox()
    }

    /// How much waits in an account.
    func outboxCounts(of label: String) -> OutboxCounts {
        label == accountLabel ? outbox.counts : parked[label]?.outbox.counts ?? OutboxCounts()
    }
}

extension CombinedState {
    /// Whether the filter says itself which folders or mailboxes it means.
    var looksElsewhere: Bool { parsed.map { $0.namesPlace || $0.namesMailbox } ?? false }
}
