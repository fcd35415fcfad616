package import MailModel
package import MailText

/// How the program shows itself and makes itself heard: what settings and options choose.
package struct Presentation: Sendable, Hashable {
    /// One pane of plain lines, for people who listen to the screen or read it by touch.
    package var isLinear = false
    /// Whether the mouse belongs to the program; the terminal's own selection of text needs it given back.
    package var hasMouse = false
    /// Whether the lowest line names keys.
    package var hasHints = true
    /// Whether mailboxes and folders are shown beside the list where there is room.
    package var hasSidebar = true
    /// The form that is shown of mail that has a text and HTML; `nil` for the one that says more.
    package var preferredForm: BodyForm?
    /// The offsets of the person's clocks.
    package var zone = ZoneOffsets(fixed: 0)

    package init(isLinear: Bool = false, hasMouse: Bool = false) {
        self.isLinear = isLinear
        self.hasMouse = hasMouse
    }
}

extension AppState {
    /// Unread mail in all inboxes.
    var inboxUnread: Int { counts(of: nil).unread[.inbox] ?? 0 }

    /// What the window is to be called: the number of unread messages, and the account.
    package var windowTitle: String {
        let unread = accounts.isEmpty ? inboxUnread : accounts.reduce(0) { $0 &+ inboxUnread(of: $1.label) }
        let label = MailDisplay.line(hasSeveralAccounts ? "" : entry?.name ?? accountLabel)
        return (unread > 0 ? "(\(Formatting.grouped(unread))) " : "") + "Herald" + (label.isEmpty ? "" : " · " + label)
    }
}
