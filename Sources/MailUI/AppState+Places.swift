internal import DisplayText
internal import MailModel

extension AppState {
    /// The mailboxes in the order of the sidebar; `nil` stands for all.
    var mailboxOrder: [MailboxID?] {
        [nil] + counts.compactMap { $0.mailbox?.id }
    }

    /// The counts of a mailbox; those of all are summed up when no row stands for them.
    func counts(of mailbox: MailboxID?) -> MailboxCounts {
        if let row = counts.first(where: { $0.mailbox?.id == mailbox }) { return row }
        return mailbox == nil ? AppState.sum(counts) : MailboxCounts(mailbox: nil, unread: [:], total: [:])
    }

    /// The counts of all mailboxes together: those of the row that stands for all, else summed up.
    static func sum(_ counts: [MailboxCounts]) -> MailboxCounts {
        if let row = counts.first(where: { $0.mailbox == nil }) { return row }
        var sum = MailboxCounts(mailbox: nil, unread: [:], total: [:])
        for row in counts {
            sum.unread.merge(row.unread) { $0 &+ $1 }
            sum.total.merge(row.total) { $0 &+ $1 }
        }
        return sum
    }

    /// Shows another list from its beginning, or from where the person left it.
    mutating func show(_ newScope: ListScope) -> [Effect] {
        reader = nil
        files.menu = nil
        if prompt?.kind == .filter { prompt = nil }
        guard newScope != scope else { return [] }
        remembered[scope] = list.selected
        dropSelection()
        sidebarTop = nil
        scope = newScope
        let generation = list.generation + 1
        list = ListState()
        list.generation = generation
        if newScope.folder == .drafts, !drafts.isEmpty { changeItems { $0.list.isLoaded = true } }
        return [loadList()]
    }

    /// Goes to the folder or saved search that a name means.
    mutating func go(to name: String) -> [Effect] {
        let exact = SavedSearch.folder(named: name)
        let folders = exact.map { [$0] } ?? Folder.named(like: name)
        var found = exact == nil ? searches(like: name) : []
        // One that is named whole comes before folders that begin so.
        let isWhole = found.count == 1 && AppState.words(found[0].name).lowercased() == name.lowercased()
        if folders.count == 1, found.isEmpty { return go(to: folders[0]) }
        if found.count == 1, folders.isEmpty || isWhole { return show(found.removeFirst()) }
        let some = folders.map(\.word) + found.map { TextDisplay.sanitizedLine($0.name) }
        let known = Folder.allCases.map(\.word) + searches.map { TextDisplay.sanitizedLine($0.name) }
        let nearest = some.isEmpty ? NearestName.of(name, among: known).map { " Did you mean “\($0)”?" } : nil
        let kind = searches.isEmpty ? "folder." : "folder or saved search."
        notice =
            "“\(TextDisplay.sanitizedLine(name))” is " + (some.isEmpty ? "no " : "more than one ") + kind
            + (nearest ?? " There are " + (some.isEmpty ? known : some).joined(separator: ", ") + ".")
        return [.bell]
    }

    /// Shows the mailbox that a part of an address means, or all of them.
    mutating func showMailbox(_ text: String) -> [Effect] {
        if text.lowercased() == "all" { return show(ListScope(folder: scope.folder)) }
        let found = mailboxes(like: text)
        guard let mailbox = found.first, found.count == 1 else {
            let shown = TextDisplay.sanitizedLine(text)
            notice =
                found.isEmpty
                ? "No mailbox here has “\(shown)” in its address."
                : "“\(shown)” fits \(found.count) mailboxes; type more of the address."
            return [.bell]
        }
        return show(ListScope(mailboxID: mailbox.id, folder: scope.folder))
    }

    mutating func go(to folder: Folder) -> [Effect] {
        let place = ListScope(mailboxID: scope.mailboxID, folder: folder)
        return shownSearch == nil ? show(place) : show(Place(scope: place))
    }

    /// Moves through the sidebar; behind a mailbox's last folder comes the next mailbox.
    mutating func moveFolder(by step: Int) -> [Effect] {
        let all = mailboxOrder.flatMap { places(of: $0) }
        let shown = shownSearch
        let present = all.firstIndex {
            $0.search == shown && $0.scope.mailboxID == scope.mailboxID
                && (shown != nil || $0.scope.folder == scope.folder)
        }
        guard let place = present else { return [] }
        let target = max(0, min(all.count - 1, place + step))
        guard target != place else {
            notice = step > 0 ? "This is the last folder." : "This is the first folder."
            return [.bell]
        }
        return show(all[target])
    }

    mutating func moveMailbox(by step: Int) -> [Effect] {
        let mailboxes = mailboxOrder
        let index = mailboxes.firstIndex(of: scope.mailboxID) ?? 0
        return show(ListScope(mailboxID: mailboxes[(index + step) % mailboxes.count], folder: scope.folder))
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
