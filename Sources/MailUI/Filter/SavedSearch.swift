internal import DisplayText
internal import MailModel

/// A filter with a name, which the sidebar shows like a folder.
package struct SavedSearch: Sendable, Hashable {
    package var name: String
    /// The filter as it is typed.
    package var filter: String
    /// The only account that has it; `nil` when all have it.
    package var account: String?

    package init(name: String, filter: String, account: String? = nil) {
        self.name = name
        self.filter = filter
        self.account = account
    }

    /// The most letters of a name; a sidebar has no room for more.
    package static let nameMax = 40

    /// What the folder is called that commands call by a name, which no search may have; `nil` when there is none.
    package static func folderTitle(named name: String) -> String? { folder(named: name)?.title }

    static func folder(named name: String) -> Folder? {
        let name = name.lowercased()
        return Folder.allCases.first { [$0.word, $0.rawValue.lowercased(), $0.title.lowercased()].contains(name) }
    }
}

extension AppState {
    /// A line of the sidebar below a mailbox: a folder, or a saved search.
    struct Place: Sendable, Hashable {
        var scope: ListScope
        var search: SavedSearch?
    }

    /// The saved searches of the account shown; one of its own stands for one of all accounts by its name.
    var searches: [SavedSearch] {
        let own = savedSearches.filter { $0.account == accountLabel }
        return savedSearches.filter { search in
            search.account == accountLabel
                || search.account == nil && !own.contains { $0.name.lowercased() == search.name.lowercased() }
        }
    }

    /// The saved search that the list shows.
    var shownSearch: SavedSearch? {
        list.filter.isEmpty ? nil : searches.first { AppState.words($0.filter) == list.filter }
    }

    /// The saved searches whose name begins like a text; one that is named whole is the only one.
    func searches(like typed: String) -> [SavedSearch] {
        let typed = AppState.words(typed).lowercased()
        let exact = searches.filter { AppState.words($0.name).lowercased() == typed }
        return exact.isEmpty ? searches.filter { AppState.words($0.name).lowercased().hasPrefix(typed) } : exact
    }

    /// Shows what a saved search finds, in the mailbox shown.
    mutating func show(_ search: SavedSearch) -> [Effect] {
        show(Place(scope: ListScope(mailboxID: scope.mailboxID, folder: .inbox), search: search))
    }

    /// A filter without blanks that mean nothing.
    static func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The places of a mailbox, in the sidebar's order.
    func places(of mailbox: MailboxID?) -> [Place] {
        // A search begins in the inbox; where it looks further, it says so itself.
        Folder.allCases.map { Place(scope: ListScope(mailboxID: mailbox, folder: $0)) }
            + searches.map { Place(scope: ListScope(mailboxID: mailbox, folder: .inbox), search: $0) }
    }

    /// Shows a folder, or what a saved search finds.
    mutating func show(_ place: Place) -> [Effect] {
        let effects = show(place.scope)
        guard let search = place.search else { return effects + (list.filter.isEmpty ? [] : setFilter("")) }
        // The list without the filter need not be loaded first.
        return setFilter(search.filter)
    }

    /// The lines of the saved searches below the mailbox shown.
    var searchLines: [SidebarLine] {
        let shown = shownSearch
        return searches.map { search in
            SidebarLine(
                scope: ListScope(mailboxID: scope.mailboxID, folder: .inbox),
                name: "    " + TextDisplay.sanitizedLine(search.name), count: 0, isMailbox: false,
                isSelected: search == shown, hasUnread: false, search: search)
        }
    }
}
