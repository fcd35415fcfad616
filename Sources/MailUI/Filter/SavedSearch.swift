internal import DisplayText
internal import MailModel

/// A filter with a name, which the sidebar shows like a folder.
package struct SavedSearch: Sendable, Hashable {
    package var name: String
    /// The filter as it is typed.
    package var filter: String

    package init(name: String, filter: String) {
        self.name = name
        self.filter = filter
    }
}

extension AppState {
    /// A line of the sidebar below a mailbox: a folder, or a saved search.
    struct Place: Sendable, Hashable {
        var scope: ListScope
        var search: SavedSearch?
    }

    /// The saved search that the list shows.
    var shownSearch: SavedSearch? {
        list.filter.isEmpty ? nil : savedSearches.first { AppState.words($0.filter) == list.filter }
    }

    /// A filter without blanks that mean nothing.
    static func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The places of a mailbox, in the sidebar's order.
    func places(of mailbox: MailboxID?) -> [Place] {
        // A search begins in the inbox; where it looks further, it says so itself.
        Folder.allCases.map { Place(scope: ListScope(mailboxID: mailbox, folder: $0)) }
            + savedSearches.map { Place(scope: ListScope(mailboxID: mailbox, folder: .inbox), search: $0) }
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
        return savedSearches.map { search in
            SidebarLine(
                scope: ListScope(mailboxID: scope.mailboxID, folder: .inbox),
                name: "    " + TextDisplay.sanitizedLine(search.name), count: 0, isMailbox: false,
                isSelected: search == shown, hasUnread: false, search: search)
        }
    }
}
