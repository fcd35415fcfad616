internal import DisplayText
internal import MailModel
internal import TerminalUI

extension AppState {
    /// What the list shows, in order.
    var items: ListLines {
        ListLines(rows: list.rows, drafts: scope.folder == .drafts ? shownDrafts : nil)
    }

    /// The drafts of the mailbox that the filter means.
    var shownDrafts: [Draft] {
        allDrafts.filter { draft in
            (scope.mailboxID == nil || draft.mailboxID == scope.mailboxID) && list.hits?.contains(draft.id) != false
        }
    }

    /// The drafts that are written here, and those that only the server has, the last changed first.
    var allDrafts: [Draft] {
        if writing.locals.isEmpty, writing.thrown.isEmpty { return drafts }
        let known = Set(writing.locals.map(\.listID))
        let locals = writing.locals.filter { !writing.isThrown($0) }.map(\.listed)
        let others = drafts.filter { !known.contains($0.id) && !writing.isThrown($0) }
        return (locals + others).sorted { $0.updatedAt > $1.updatedAt }
    }

    /// The request for what the list shows.
    func loadList() -> Effect {
        scope.folder == .drafts
            ? .loadDrafts
            : .loadConversations(scope, filter: list.filter, limit: list.limit, generation: list.generation)
    }

    mutating func take(
        _ rows: [ConversationRow], of loadedScope: ListScope, generation: Int, hasMore: Bool, horizon: Int64
    ) -> [Effect] {
        guard loadedScope == scope, generation == list.generation, scope.folder != .drafts else { return [] }
        hasLoadedList = true
        changeItems {
            $0.list.rows = $0.withServerRows($0.withPending(rows))
            $0.list.snippets = [:]
            $0.list.hasMore = hasMore
            $0.list.horizon = horizon
            $0.list.isLoaded = true
            $0.list.shownFilter = $0.list.filter
        }
        trimSelection()
        let effects = (finishSeek() ?? []) + loadMoreIfNear()
        keepListInView()
        return effects + performHeld()
    }

    mutating func takeDrafts(_ loaded: [Draft]) -> [Effect] {
        guard scope.folder == .drafts else {
            drafts = loaded
            return []
        }
        hasLoadedList = true
        changeItems {
            $0.drafts = loaded
            $0.list.hits = $0.draftHits
            $0.list.isLoaded = true
        }
        return performHeld()
    }

    /// Changes what the list shows and keeps the selection on its conversation, or else on the nearest
    /// one that is still there.
    mutating func changeItems(_ change: (inout AppState) -> Void) {
        let before = items
        let oldIndex = selectedIndex
        change(&self)
        let after = items
        if let selected = list.selected, let index = after.index(of: selected, near: oldIndex ?? 0) {
            if let oldIndex, list.offset > 0 { list.offset += index - oldIndex }
            return
        }
        guard let oldIndex else {
            list.selected = remembered[scope].flatMap { after.contains($0) ? $0 : nil } ?? after.first
            return
        }
        // Most often the line behind it moves up; only else all are looked at.
        if let next = before.dropFirst(oldIndex + 1).first, after.indices.contains(oldIndex), after[oldIndex] == next {
            list.selected = next
            return
        }
        let kept = Set(after)
        list.selected =
            before[oldIndex...].first(where: kept.contains) ?? before[..<oldIndex].last(where: kept.contains)
            ?? after.first
    }

    /// Where the selection is.
    var selectedIndex: Int? {
        list.selected.flatMap { items.index(of: $0, near: list.place) }
    }

    /// The item some lines away from the selection, or the last one in that direction.
    ///
    /// `nil` when the selection is the last one.
    func neighbour(by distance: Int) -> ItemID? {
        let all = items
        guard let index = selectedIndex else { return nil }
        let target = max(0, min(all.count - 1, index + distance))
        return target == index ? nil : all[target]
    }

    mutating func performInList(_ id: ActionID) -> [Effect] {
        if let effects = performPlace(id) ?? performSelection(id) { return effects }
        switch id {
        case .open:
            return list.selected.map { open($0) } ?? []
        case .clearFilter:
            guard selection.isEmpty else {
                selection.clear()
                return []
            }
            if list.filter.isEmpty, let effects = callOffBulk() { return effects }
            return setFilter("")
        case .nextUnread, .previousUnread:
            return selectUnread(isForward: id == .nextUnread)
        default:
            return moveSelection(id)
        }
    }

    mutating func moveSelection(_ id: ActionID) -> [Effect] {
        let all = items
        guard !all.isEmpty else { return [] }
        let index = selectedIndex ?? 0
        let page = max(1, listRows - 1)
        if id == .last, count == nil, let effects = seekLast() { return effects }
        let isJump = count != nil
        if isJump || id != .last, let line = Scroll.moved(index, by: id, page: page, last: .max / 2, count: count),
            line >= all.count, let effects = seekLine(line, isFar: isJump)
        {
            return effects
        }
        guard let target = Scroll.moved(index, by: id, page: page, last: all.count - 1, count: count) else { return [] }
        if [.pageDown, .pageUp, .halfPageDown, .halfPageUp].contains(id) { list.offset += target - index }
        (list.selected, list.place) = (all[target], target)
        return loadMoreIfNear()
    }

    /// Asks for more rows when the selection comes near the end of those loaded.
    ///
    /// A list is read from its beginning each time, so the longer it is, the earlier and the more is asked for: a held
    /// key never reaches the end before the rows do.
    mutating func loadMoreIfNear() -> [Effect] {
        guard scope.folder != .drafts, list.hasMore, list.rows.count >= list.limit,
            let index = list.isLoose ? list.offset + listRows : selectedIndex,
            index >= list.rows.count - max(20, 2 * listRows, list.rows.count / 4)
        else { return [] }
        list.limit += max(ListState.step, list.limit / 2)
        list.generation += 1
        return [loadList()]
    }

    /// How many conversations fit in the list pane.
    var listRows: Int {
        let rows = layout.list?.rows ?? layout.body.rows
        return presentation.isLinear ? rows - AppState.spokenExtra(rows: rows) : rows
    }

    /// Moves the list's window so that the selection is in it.
    mutating func keepListInView() {
        let count = items.count
        let rows = max(1, listRows)
        let place = selectedIndex
        list.place = place ?? 0
        if !list.isLoose, let index = place {
            if index < list.offset { list.offset = index }
            if index >= list.offset + rows { list.offset = index - rows + 1 }
        }
        list.offset = max(0, min(list.offset, count - rows))
    }
}
