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
    private mutating func loadCombined() -> [Effect] {
        guard var list = combined else { return [] }
        list.generation += 1
        combined = list
        return accounts.map { .of($0.label, .loadCombined(limit: list.limit, generation: list.generation)) }
    }

    /// What the inbox of all accounts asks for after an event of one of them.
    func combinedEffects(after event: AppEvent, of label: String) -> [Effect] {
        guard let combined, case .storeChanged(let change) = event, change.touches(nil) || change.touchesMailboxes
        else {
            return []
        }
        return [.of(label, .loadCombined(limit: combined.limit, generation: combined.generation))]
    }

    /// Takes the beginning of one account's inbox.
    mutating func take(_ rows: [ConversationRow], hasMore: Bool, generation: Int, of label: String) -> [Effect] {
        guard var list = combined, generation == list.generation, entry(of: label) != nil else { return [] }
        let isFirst = list.loaded[label] == nil && (list.selectedIndex ?? 0) == 0
        list.loaded[label] = CombinedState.Loaded(rows: rows, hasMore: hasMore)
        list.merge()
        // Until every account has answered, the first line is not yet the newest.
        if isFirst, list.offset == 0 { list.selected = list.rows.first?.id }
        combined = list
        keepCombinedInView()
        return []
    }

    /// What an action does in the inbox of all accounts.
    mutating func performInCombined(_ id: ActionID) -> [Effect] {
        if id == .refresh {
            sync.wasAskedFor = true
            return accounts.map { .of($0.label, .syncNow) }
        }
        if id == .nextFolder || id == .back { return leaveCombined() + [loadList()] }
        if let effects = leavingCombined(for: id) { return effects }
        switch id {
        case .open: return openCombined()
        case .nextUnread, .previousUnread:
            selectUnreadInCombined(isForward: id == .nextUnread)
            return []
        default: return moveInCombined(id)
        }
    }

    /// The places of the account shown last; `nil` for all other actions.
    private mutating func leavingCombined(for id: ActionID) -> [Effect]? {
        let places: Set<ActionID> = [.goInbox, .goStarred, .goSent, .goDrafts, .goArchive, .goTrash, .goCatchall]
        guard places.contains(id) else { return nil }
        return leaveCombined() + (performPlace(id) ?? [])
    }

    private mutating func moveInCombined(_ id: ActionID) -> [Effect] {
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
        guard var list = combined else { return }
        let start = list.selectedIndex ?? -1
        let unread = list.rows.indices.filter { list.rows[$0].row.shownUnread > 0 && $0 != start }
        let next = isForward ? unread.first { $0 > start } ?? unread.first : unread.last { $0 < start } ?? unread.last
        guard let next else {
            notice = "No other conversation is unread in this list."
            return
        }
        list.selected = list.rows[next].id
        combined = list
        keepCombinedInView()
    }

    /// Opens the conversation selected, in its own account.
    private mutating func openCombined() -> [Effect] {
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
