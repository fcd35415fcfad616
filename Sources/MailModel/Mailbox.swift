/// What the caller may do in a mailbox (contract §3.0).
package enum AccessLevel: String, Sendable, Hashable {
    case read, agent, manager
}

/// An address whose mail the account can see.
package struct Mailbox: Sendable, Hashable {
    package var id: MailboxID
    package var address: String
    package var displayName: String
    package var isActive: Bool
    /// `nil` means the server shows the mailbox but none of its mail.
    package var accessLevel: AccessLevel?

    package init(
        id: MailboxID, address: String, displayName: String, isActive: Bool, accessLevel: AccessLevel?
    ) {
        self.id = id
        self.address = address
        self.displayName = displayName
        self.isActive = isActive
        self.accessLevel = accessLevel
    }
}

/// A folder as a person sees it; `starred` and `drafts` are views, the others are stored.
package enum Folder: String, Sendable, Hashable, CaseIterable {
    case inbox, starred, sent, drafts, archived, trash, catchall

    /// The folders a message can be stored in, inbox first (contract §3.1).
    package static let stored: [Folder] = [.inbox, .sent, .archived, .trash, .catchall]
}

/// Which conversations a list shows: a folder of one mailbox, or of all (`mailboxID == nil`).
package struct ListScope: Sendable, Hashable {
    package var mailboxID: MailboxID?
    package var folder: Folder

    package init(mailboxID: MailboxID? = nil, folder: Folder) {
        self.mailboxID = mailboxID
        self.folder = folder
    }
}

/// A mailbox with the counts its folders show.
package struct MailboxCounts: Sendable, Hashable {
    /// `nil` for the row that stands for all mailboxes.
    package var mailbox: Mailbox?
    /// Unread messages (contract §4.4) by folder; absent means none.
    package var unread: [Folder: Int]
    /// Conversations by folder, drafts for `.drafts`; absent means none.
    package var total: [Folder: Int]

    package init(mailbox: Mailbox?, unread: [Folder: Int], total: [Folder: Int]) {
        self.mailbox = mailbox
        self.unread = unread
        self.total = total
    }
}
