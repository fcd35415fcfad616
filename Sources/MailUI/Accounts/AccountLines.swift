internal import DisplayText
internal import MailModel
internal import TerminalUI

/// What a line of the sidebar about accounts leads to.
enum AccountPlace: Sendable, Hashable {
    /// The inbox of all accounts.
    case all
    case account(String)
}

/// The accounts in the sidebar, the folders of the one shown below it.
extension AppState {
    /// Every line of the sidebar: accounts, where there are several, around the mailboxes of the one shown.
    var allSidebarLines: [SidebarLine] {
        guard hasSeveralAccounts else { return sidebarLines }
        let unread = accounts.reduce(0) { $0 &+ inboxUnread(of: $1.label) }
        var all = SidebarLine(
            scope: scope, name: "All inboxes", count: unread, isMailbox: true, isSelected: isCombinedShown,
            hasUnread: unread > 0)
        all.account = .all
        return [all]
            + accounts.enumerated().flatMap { index, entry -> [SidebarLine] in
                let isShown = entry.label == accountLabel
                let unread = inboxUnread(of: entry.label)
                let name = TextDisplay.sanitizedLine(entry.name)
                var line = SidebarLine(
                    scope: scope, name: "\(index + 1) \(name)", count: isShown ? 0 : unread, isMailbox: true,
                    isSelected: false, hasUnread: unread > 0)
                line.account = .account(entry.label)
                line.color = entry.color
                line.sign = AccountSign(sync(of: entry.label))
                guard isShown else { return [line] }
                return [line] + sidebarLines
            }
    }

    /// Goes where a line about accounts leads.
    mutating func go(to place: AccountPlace) -> [Effect] {
        switch place {
        case .all: return showCombined()
        case .account(let label):
            let isLeaving = isCombinedShown
            return leaveCombined() + showAccount(label) + (isLeaving && label == accountLabel ? [loadList()] : [])
        }
    }

    /// The account before the folder where there is no sidebar; empty with a single account.
    var headerAccount: String {
        guard hasSeveralAccounts, let entry,
            let number = accounts.firstIndex(where: { $0.label == accountLabel })
        else { return "" }
        return "\(number + 1) \(TextDisplay.sanitizedLine(entry.name)) › "
    }
}
