internal import DisplayText
internal import MailModel
internal import TerminalUI

/// The inbox of all accounts: what it shows, and what keys do in it.
extension AppState {
    /// Whether the inbox of all accounts is on the screen.
    var isCombinedShown: Bool { combined?.isShown == true }

    /// Shows the inbox of all accounts, where the person left it.
    mutating func showCombined() -> [Effect] {
        guard hasSeveralAccounts else {
            notice = combinedReason
            return [.bell]
        }
        reader = nil
        files.menu = nil
        dropSelection()
        outbox.isOpen = false
        (list.held, list.seek) = ([], nil)
        if combined == nil { combined = CombinedState() }
        combined?.isShown = true
        return loadCombined()
    }

    /// Why there is no inbox of all accounts; `nil` when there is one.
    var combinedReason: String? {
        hasSeveralAccounts ? nil : "There is one account. “:add-account” signs in to another."
    }

    /// Takes the inbox of all accounts off the screen.
    mutating func leaveCombined() -> [Effect] {
        combined = nil
        return []
    }

    /// Asks every account for the beginning of its inbox.
    mutating func loadCombined() -> [Effect] { accounts.flatMap { loadCombined(of: $0.label) } }

    /// Asks one account for the beginning of its inbox; answers to what it was asked before are dropped.
    mutating func loadCombined(of label: String) -> [Effect] {
        combined?.generations[label, default: 0] += 1
        return combinedQuestion(of: label)
    }

    private func combinedQuestion(of label: String) -> [Effect] {
        guard let combined, let generation = combined.generations[label] else { return [] }
        return [.of(label, .loadCombined(filter: combined.filter, limit: combined.limit, generation: generation))]
    }

    /// What the inbox of all accounts asks for after an event of one of them.
    mutating func combinedEffects(after event: AppEvent, of label: String) -> [Effect] {
        guard combined != nil else { return [] }
        switch event {
        case .storeChanged(let change) where change.touches(nil) || change.touchesMailboxes:
            return combinedQuestion(of: label)
        // What is under way may be of before, and what was foreseen is no longer drawn over it.
        case .settled: return loadCombined(of: label)
        default: return []
        }
    }

    /// Takes the beginning of one account's inbox.
    mutating func take(
        _ rows: [ConversationRow], hasMore: Bool, horizon: Int64, generation: Int, of label: String
    ) -> [Effect] {
        guard var list = combined, generation == list.generations[label], entry(of: label) != nil else { return [] }
        let isFirst = list.loaded[label] == nil && (list.selectedIndex ?? 0) == 0
        let pending = label == accountLabel ? triage.pending : parked[label]?.triage.pending ?? []
        let inbox = ListScope(folder: .inbox)
        list.loaded[label] = CombinedState.Loaded(
            rows: pending.reduce(rows) { $1.applied(to: $0, in: inbox) }, hasMore: hasMore, horizon: horizon,
            generation: generation)
        list.merge()
        // Until every account has answered, the first line is not yet the newest.
        if isFirst, list.offset == 0 { list.selected = list.rows.first?.id }
        if let back = list.returning, list.rows.contains(where: { $0.id == back }) {
            let isMoved = list.selected != list.undoneFrom && list.rows.contains { $0.id == list.undoneFrom }
            if !isMoved { list.selected = back }
            list.returning = nil
        }
        combined = list
        keepCombinedInView()
        if list.isLoaded, let words = list.seek { selectMatchesInCombined(words) }
        return []
    }

    /// What an action does in the inbox of all accounts.
    mutating func performInCombined(_ id: ActionID) -> [Effect] {
        if let effects = performCombinedSelection(id) ?? leavingCombined(for: id) { return effects }
        switch id {
        case .refresh:
            sync.wasAskedFor = true
            return accounts.map { .of($0.label, .syncNow) }
        case .nextFolder: return leaveCombined() + [loadList()]
        case .previousFolder:
            notice = "This is the first folder."
            return [.bell]
        case .back: return backInCombined()
        case .open: return openCombined()
        case .nextUnread, .previousUnread:
            selectUnreadInCombined(isForward: id == .nextUnread)
            return []
        default: return moveInCombined(id)
        }
    }

    /// One step back: from a selection, then from a filter, then to the account shown last.
    private mutating func backInCombined() -> [Effect] {
        guard combined?.selection.isEmpty != false else {
            combined?.selection.clear()
            return []
        }
        if combined?.filter.isEmpty == false { return setCombinedFilter("") }
        return leaveCombined() + [loadList()]
    }

    /// The places of the account shown last; `nil` for all other actions.
    private mutating func leavingCombined(for id: ActionID) -> [Effect]? {
        let places: Set<ActionID> = [.goInbox, .goStarred, .goSent, .goDrafts, .goArchive, .goTrash, .goCatchall]
        guard places.contains(id) else { return nil }
        return leaveCombined() + (performPlace(id) ?? [])
    }

    mutating func moveInCombined(_ id: ActionID) -> [Effect] {
        guard var list = combined, !list.rows.isEmpty else { return [] }
        let (index, last, page) = (list.selectedIndex ?? 0, list.rows.count - 1, max(1, listRows - 1))
        guard let target = Scroll.moved(index, by: id, page: page, last: last, count: count) else { return [.bell] }
        if [.pageDown, .pageUp, .halfPageDown, .halfPageUp].contains(id) { list.offset += target - index }
        list.selected = list.rows[target].id
        combined = list
        keepCombinedInView()
        guard list.hasMore, list.limit < ListState.most, target >= last - max(20, 2 * listRows) else { return [] }
        combined?.limit = min(ListState.most, list.limit * 2)
        return loadCombined()
    }

    private mutating func selectUnreadInCombined(isForward: Bool) {
        guard let next = combined?.unread(isForward: isForward) else {
            notice = "No other conversation is unread in this list."
            return
        }
        combined?.selected = next
        keepCombinedInView()
    }

    /// Opens the conversation selected, in its own account.
    mutating func openCombined() -> [Effect] {
        guard let item = combined?.selected else {
            notice = "There is nothing to open in this list."
            return [.bell]
        }
        combined?.isShown = false
        list.held = []
        var effects = showAccount(item.account)
        let inbox = ListScope(folder: .inbox)
        if scope != inbox || !list.filter.isEmpty {
            effects += scope == inbox ? setFilter("") : show(inbox)
        }
        list.seek = nil
        list.selected = .thread(item.thread)
        remembered[inbox] = .thread(item.thread)
        return effects + open(.thread(item.thread))
    }

    /// Goes back to the inbox of all accounts when what was read was opened there; `nil` when not.
    mutating func backToCombined() -> [Effect]? {
        guard combined != nil, scope == ListScope(folder: .inbox) else { return nil }
        reader = nil
        combined?.isShown = true
        return []
    }

    /// Whether the reader shows a conversation that was opened in the inbox of all accounts.
    var isReadingCombined: Bool {
        combined?.isShown == false && reader != nil && scope == ListScope(folder: .inbox)
            && combined?.selected == openThread.map { AccountThread(account: accountLabel, thread: $0) }
    }

    /// Goes on reading at another line of the inbox of all accounts; back to it where there is none.
    mutating func readOnInCombined(_ item: AccountThread?) -> [Effect] {
        guard let item else { return backToCombined() ?? [] }
        combined?.selected = item
        return openCombined()
    }

    /// A click selects a line; one on the line selected opens it.
    mutating func pressCombined(_ row: Int) -> [Effect] {
        guard let list = combined, list.rows.indices.contains(list.offset + row) else { return [] }
        let id = list.rows[list.offset + row].id
        if id == list.selected { return openCombined() }
        combined?.selected = id
        return []
    }

    /// Moves the window so that the selection is in it.
    mutating func keepCombinedInView() {
        guard var list = combined else { return }
        let rows = max(1, listRows)
        if let index = list.selectedIndex {
            if index < list.offset { list.offset = index }
            if index >= list.offset + rows { list.offset = index - rows + 1 }
        }
        list.offset = max(0, min(list.offset, list.rows.count - rows))
        combined = list
    }
}
