/// A conversation as one list shows it.
///
/// Aggregates cover every message of the thread the account can see, in all folders (contract §3.7);
/// `shown` and `shownUnread` speak of the list's own mailbox and folder.
package struct ConversationRow: Sendable, Hashable {
    package var threadID: ThreadID
    /// The thread's newest message, which the server's own list would show.
    package var newest: MessageSummary
    /// The newest message of the list's folder, which the screen shows.
    package var shown: MessageSummary
    package var isStarred: Bool
    package var hasAttachments: Bool
    package var messageCount: Int
    package var unreadCount: Int
    /// Unread messages of the list's folder and mailbox.
    package var shownUnread: Int
    /// Senders of its other received messages, newest first, each once; a few at most.
    package var people: [String]

    package init(
        threadID: ThreadID, newest: MessageSummary, shown: MessageSummary, isStarred: Bool,
        hasAttachments: Bool, messageCount: Int, unreadCount: Int, shownUnread: Int, people: [String] = []
    ) {
        self.threadID = threadID
        self.newest = newest
        self.shown = shown
        self.isStarred = isStarred
        self.hasAttachments = hasAttachments
        self.messageCount = messageCount
        self.unreadCount = unreadCount
        self.shownUnread = shownUnread
        self.people = people
    }
}

/// One message of an opened conversation, with what is known of its body.
package struct ConversationMessage: Sendable, Hashable {
    package var summary: MessageSummary
    /// `nil` until the body was fetched.
    package var detail: MessageDetail?
    /// `nil` until the HTML was fetched, and for mail without HTML.
    package var html: MessageHTML?

    package init(summary: MessageSummary, detail: MessageDetail?, html: MessageHTML?) {
        self.summary = summary
        self.detail = detail
        self.html = html
    }
}
