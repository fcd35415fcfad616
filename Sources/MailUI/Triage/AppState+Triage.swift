internal import DisplayText
internal import MailModel

/// Acting on mail: at once on the screen, then in the outbox.
extension AppState {
    /// The actions that change mail or what is to be changed; `nil` for all others.
    mutating func performTriage(_ id: ActionID) -> [Effect]? {
        switch id {
        case .undo where isCombinedShown: return undoInCombined()
        case .undo:
            acted.takeLast(of: accountLabel)
            return [.undo(nextUndo())]
        case .outbox where isCombinedShown: return openOutboxOfCombined()
        case .outbox: return openOutbox()
        default: break
        }
        if isCombinedShown { return performTriageInCombined(id) }
        guard case .success(let plan) = triagePlan(id) else { return nil }
        return act(plan)
    }

    /// Why an action on mail, the selection or the outbox cannot be done now; `nil` when it can.
    func triageReason(_ id: ActionID) -> String? {
        switch id {
        case .clearSelection: return selectedCount == 0 ? "Nothing is selected." : nil
        case .select, .selectDown, .selectRange, .selectAll, .selectMatching, .invertSelection:
            if isCombinedShown { return combined?.rows.isEmpty == false ? nil : "There is no conversation here." }
            if scope.folder == .drafts { return "Drafts cannot be selected." }
            return list.rows.isEmpty ? "There is no conversation here." : nil
        case .retry, .drop, .declareSent: return outboxReason(id)
        default:
            guard case .failure(let refusal)? = triagePlan(id) else { return nil }
            return refusal.sentence
        }
    }

    /// What an action is called where it is shown: the way back where there is one.
    func triageName(_ action: Action) -> String {
        if outbox.isOpen, let entry = outbox.selectedMail { return mailName(action, entry) }
        return switch (action.id, isCombinedShown ? .inbox : scope.folder) {
        case (.archive, .archived): "unarchive"
        case (.trash, .trash): "restore"
        case (.trash, .drafts): "throw away"
        case (.toggleRead, _), (.toggleStar, _): toggleName(action)
        default: action.name
        }
    }

    private mutating func act(_ plan: TriagePlan) -> [Effect] {
        let isReading = reader != nil
        let change = pendingChange(plan)
        if plan.action == .unread { reader?.keptUnread.formUnion(plan.subject.messages.map(\.id)) }
        let what = what(plan.subject)
        notice = sentence(of: plan, what)
        let leaves = change.rows.values.contains { $0.after == nil }
        let isInCombined = isReadingCombined
        let nextInCombined = combinedPlaceAfter
        let next = leaves && !plan.subject.isSelection ? placeAfter(isReading: isReading) : nil
        begin(change)
        triage.lastActed = change.number
        if let thread = plan.subject.shown.first?.threadID {
            let hasLeft = change.rows[thread].map { $0.after == nil } ?? false
            triage.note(
                TriageState.Place(
                    number: change.number, scope: scope, thread: thread, what: what, isReading: isReading,
                    hasLeft: hasLeft,
                    selected: hasLeft && plan.subject.isSelection ? plan.subject.rows.map(\.threadID) : []))
        }
        acted.note(
            ActedLog.Entry(
                orders: [accountLabel: change.number],
                first: plan.subject.shown.first.map { AccountThread(account: accountLabel, thread: $0.threadID) }))
        if plan.subject.count >= BulkWork.least {
            triage.bulk = BulkWork(name: plan.action.title, number: change.number, total: nil)
        }
        let order = Effect.triage(
            TriageOrder(number: change.number, request: TriageRequest(action: plan.action, targets: plan.targets)))
        if plan.subject.isSelection, plan.action.aspect == .folder { selection.clear() }
        if leaves, isInCombined { return [order] + readOnInCombined(nextInCombined) }
        return [order] + (leaves ? go(to: next, isReading: isReading) : []) + loadMoreIfNear()
    }

    /// Marks messages read because they were read, and says nothing of it.
    mutating func markRead(_ messages: [MessageSummary]) -> [Effect] {
        let subject = TriageSubject(messages: messages)
        let plan = TriagePlan(action: .read, subject: subject, targets: .messages(messages.map(\.id)))
        let change = pendingChange(plan)
        begin(change)
        let request = TriageRequest(action: .read, targets: plan.targets)
        return [.triage(TriageOrder(number: change.number, request: request, isAutomatic: true))]
    }

    /// Where the settings say to go from a conversation that leaves the list; `nil` for what the list decides.
    private func placeAfter(isReading: Bool) -> ItemID? {
        switch triage.settings.afterAction {
        case .next: neighbour(by: 1)
        case .previous: neighbour(by: -1)
        case .list: nil
        }
    }

    /// The same for a conversation that was opened in the inbox of all accounts.
    private var combinedPlaceAfter: AccountThread? {
        switch triage.settings.afterAction {
        case .next: combined?.neighbour(by: 1)
        case .previous: combined?.neighbour(by: -1)
        case .list: nil
        }
    }

    private mutating func go(to item: ItemID?, isReading: Bool) -> [Effect] {
        if let item, items.contains(item) { list.selected = item }
        guard isReading else { return [] }
        guard let item, items.contains(item) else {
            reader = nil
            files.menu = nil
            return []
        }
        return open(item)
    }

    /// What is acted on: a subject where it is one conversation, else how many.
    func what(_ subject: TriageSubject) -> String {
        let count = subject.count
        if !subject.rows.isEmpty, count > 1 || subject.isSelection {
            return count == 1 ? "1 conversation" : Formatting.grouped(count) + " conversations"
        }
        let title = MailDisplay.subject(subject.shown.first?.subject ?? "")
        let text = "“" + TextDisplay.truncated(title, columns: 30) + "”"
        return text + (subject.messages.count > 1 ? ", \(Formatting.grouped(subject.messages.count)) messages" : "")
    }

    /// Names what is done to what, and how to take it back.
    func sentence(of plan: TriagePlan, _ what: String) -> String {
        var text = plan.action.done + " " + what
        if plan.subject.leftOut > 0 {
            text += "; \(Formatting.grouped(plan.subject.leftOut)) may only be read"
        }
        return text + (keyText(.undo).map { "; \($0) undoes it" } ?? "") + "."
    }
}

extension TriageSubject {
    /// How many conversations, or messages, are acted on.
    var count: Int { max(rows.count, messages.count) }
}

extension TriageAction {
    /// The action when it was done, to go before what it was done to.
    var done: String {
        switch self {
        case .read: "Marked as read:"
        case .unread: "Marked as unread:"
        case .star: "Starred"
        case .unstar: "Took the star from"
        case .archive: "Archived"
        case .unarchive: "Took out of the archive:"
        case .trash: "Moved to the trash:"
        case .restore: "Restored"
        }
    }
}
