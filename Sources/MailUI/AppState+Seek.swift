internal import MailModel

/// Going to the end and to what is unread, also where the rows are not loaded yet.
extension AppState {
    /// Whether an unread conversation other than the selected one is loaded.
    var hasUnread: Bool {
        scope.folder != .drafts
            && list.rows.contains { $0.shownUnread > 0 && .thread($0.threadID) != list.selected }
    }

    /// Whether the list goes on below the rows loaded.
    var hasUnloadedRows: Bool { scope.folder != .drafts && list.hasMore }

    /// Whether the folder has unread mail further down than the rows loaded.
    var hasUnloadedUnread: Bool {
        guard scope.folder != .drafts, list.filter.isEmpty, list.hasMore, list.limit < ListState.most else {
            return false
        }
        let loaded = list.rows.reduce(0) { $0 &+ $1.shownUnread }
        return loaded < counts(of: scope.mailboxID).unread[scope.folder] ?? 0
    }

    /// The next place with unread mail that people read from: inboxes and catch-all folders, in the sidebar's order.
    ///
    /// All mailboxes together have no place behind them, since they show what every mailbox has.
    var nextUnreadPlace: ListScope? {
        let folders: [Folder] = [.inbox, .catchall]
        let mailboxes = scope.mailboxID == nil ? [nil] : mailboxOrder.filter { $0 != nil }
        let places = mailboxes.flatMap { mailbox in
            folders.map { ListScope(mailboxID: mailbox, folder: $0) }
        }
        let start =
            places.firstIndex(of: scope).map { $0 + 1 }
            ?? places.firstIndex { $0.mailboxID == scope.mailboxID } ?? 0
        return (places[start...] + places[..<start]).first { place in
            place != scope && (counts(of: place.mailboxID).unread[place.folder] ?? 0) > 0
        }
    }

    /// Selects the next or the previous unread conversation; the reader opens it.
    ///
    /// Forward goes on below the rows loaded, then from the top, then in the next place with unread mail.
    mutating func selectUnread(isForward: Bool) -> [Effect] {
        let opens = reader != nil
        let start = selectedIndex ?? -1
        let rows = scope.folder == .drafts ? [] : list.rows
        let unread = rows.indices.filter { rows[$0].shownUnread > 0 && $0 != start }
        let times = max(1, count ?? 1)
        if !isForward {
            let before = unread.filter { $0 < start }.suffix(times)
            guard let index = before.first ?? unread.last else { return [] }
            return selectUnread(at: index, opens: opens)
        }
        if let index = unread.filter({ $0 > start }).prefix(times).last {
            return selectUnread(at: index, opens: opens)
        }
        if hasUnloadedUnread { return loadFurther(.unread(opens: opens)) }
        if let index = unread.first { return selectUnread(at: index, opens: opens) }
        guard let place = nextUnreadPlace else { return [] }
        let effects = show(place)
        list.seek = .unread(opens: opens)
        notice = "Next unread: \(mailboxTitle) › \(place.folder.title)."
        return effects
    }

    /// Asks for the rest of the list, to go to its end; `nil` when the end is here.
    mutating func seekLast() -> [Effect]? {
        guard scope.folder != .drafts, list.hasMore, list.limit < ListState.most else { return nil }
        return loadFurther(.last)
    }

    /// Asks for more of the list, to go to a line of it; `nil` when there is no more to be had.
    ///
    /// A far jump loads as much as jumps do; a step just past the end waits for the rows asked for already.
    mutating func seekLine(_ index: Int, isFar: Bool, opens: Bool = false) -> [Effect]? {
        guard scope.folder != .drafts, list.hasMore else { return nil }
        if isFar {
            guard list.limit < ListState.most else { return nil }
            return loadFurther(.line(index, opens: opens))
        }
        list.seek = .line(index, opens: opens)
        guard index >= list.limit || list.rows.count >= list.limit else { return [] }
        list.limit = max(list.limit, index) + ListState.step
        list.generation += 1
        return [loadList()]
    }

    mutating func loadFurther(_ seek: ListState.Seek) -> [Effect] {
        list.seek = seek
        list.limit = ListState.most
        list.generation += 1
        return [loadList()]
    }

    /// Goes where the rows were asked for; `nil` when they were not.
    mutating func finishSeek() -> [Effect]? {
        guard let seek = list.seek else { return nil }
        list.seek = nil
        switch seek {
        case .line(let index, let opens):
            let all = items
            list.selected = all.isEmpty ? nil : all[min(index, all.count - 1)]
            return opens ? list.selected.map { open($0) } ?? [] : []
        case .matches(let words):
            return selectMatches(words)
        case .last:
            list.selected = items.last
            if list.hasMore {
                let further = keyText(.last).map { "; \($0) goes further" } ?? ""
                notice = "The first \(Formatting.grouped(list.rows.count)) conversations\(further)."
            }
            return []
        case .unread(let opens):
            let start = selectedIndex ?? -1
            let unread = list.rows.indices.filter { list.rows[$0].shownUnread > 0 }
            guard let index = unread.first(where: { $0 >= start }) ?? unread.first else { return [] }
            return selectUnread(at: index, opens: opens)
        }
    }

    private mutating func selectUnread(at index: Int, opens: Bool) -> [Effect] {
        let item = ItemID.thread(list.rows[index].threadID)
        list.selected = item
        let more = loadMoreIfNear()
        return opens ? open(item) + more : more
    }
}
