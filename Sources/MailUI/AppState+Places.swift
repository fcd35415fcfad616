internal import MailModel

extension AppState {
    /// The mailboxes in the order of the sidebar; `nil` stands for all.
    var mailboxOrder: [MailboxID?] {
        [nil] + counts.compactMap { $0.mailbox?.id }
    }

    /// The counts of a mailbox; those of all are summed up when no row stands for them.
    func counts(of mailbox: MailboxID?) -> MailboxCounts {
        if let row = counts.first(where: { $0.mailbox?.id == mailbox }) { return row }
        var sum = MailboxCounts(mailbox: nil, unread: [:], total: [:])
        guard mailbox == nil else { return sum }
        for row in counts {
            sum.unread.merge(row.unread) { $0 &+ $1 }
            sum.total.merge(row.total) { $0 &+ $1 }
        }
        return sum
    }

    /// Shows another list from its beginning, or from where the person left it.
    mutating func show(_ newScope: ListScope) -> [Effect] {
        reader = nil
        prompt = nil
        guard newScope != scope else { return [] }
        remembered[scope] = list.selected
        scope = newScope
        let generation = list.generation + 1
        list = ListState()
        list.generation = generation
        if newScope.folder == .drafts, !drafts.isEmpty { changeItems { $0.list.isLoaded = true } }
        return [loadList()]
    }

    mutating func go(to folder: Folder) -> [Effect] {
        show(ListScope(mailboxID: scope.mailboxID, folder: folder))
    }

    /// Moves through the sidebar; behind a mailbox's last folder comes the next mailbox.
    mutating func moveFolder(by step: Int) -> [Effect] {
        let folders = Folder.allCases
        let mailboxes = mailboxOrder
        guard let folder = folders.firstIndex(of: scope.folder) else { return [] }
        let mailbox = mailboxes.firstIndex(of: scope.mailboxID) ?? 0
        let target = mailbox * folders.count + folder + step
        guard target >= 0, target < mailboxes.count * folders.count else {
            notice = step > 0 ? "This is the last folder." : "This is the first folder."
            return [.bell]
        }
        return show(
            ListScope(mailboxID: mailboxes[target / folders.count], folder: folders[target % folders.count]))
    }

    mutating func moveMailbox() -> [Effect] {
        let mailboxes = mailboxOrder
        let index = mailboxes.firstIndex(of: scope.mailboxID) ?? 0
        return show(ListScope(mailboxID: mailboxes[(index + 1) % mailboxes.count], folder: scope.folder))
    }

    /// Whether an unread conversation other than the selected one is loaded.
    var hasUnread: Bool {
        scope.folder != .drafts
            && list.rows.contains { $0.shownUnread > 0 && .thread($0.threadID) != list.selected }
    }

    /// Selects the next unread conversation, around the end if need be; the reader opens it.
    mutating func selectUnread(isForward: Bool) -> [Effect] {
        let rows = list.rows
        guard !rows.isEmpty, scope.folder != .drafts else { return [] }
        let start = selectedIndex ?? 0
        for distance in 1...rows.count {
            let step = isForward ? distance : rows.count - distance
            let row = rows[(start + step) % rows.count]
            guard row.shownUnread > 0 else { continue }
            list.selected = .thread(row.threadID)
            let more = loadMoreIfNear()
            return reader == nil ? more : open(.thread(row.threadID)) + more
        }
        return []
    }
}

extension Folder {
    /// What people call the folder.
    var title: String {
        switch self {
        case .inbox: "Inbox"
        case .starred: "Starred"
        case .sent: "Sent"
        case .drafts: "Drafts"
        case .archived: "Archive"
        case .trash: "Trash"
        case .catchall: "Catch-all"
        }
    }
}
