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
