package import MailFilter
package import MailModel

/// What is searched for, and where.
package struct SearchQuestion: Sendable, Hashable {
    package var filter: Filter
    /// Where to look when the filter does not say; `nil` is every folder but the trash.
    package var folder: Folder?
    /// The mailbox to look in when the filter does not say; `nil` is all.
    package var mailbox: MailboxID?
    package var clock: FilterClock
    /// The most hits.
    package var limit: Int
    var reach = SearchReach()

    package init(_ filter: Filter, folder: Folder? = nil, mailbox: MailboxID? = nil, clock: FilterClock, limit: Int) {
        self.filter = filter
        self.folder = folder
        self.mailbox = mailbox
        self.clock = clock
        self.limit = limit
    }
}

/// How far a search looks in one way before it goes on in another.
struct SearchReach: Sendable, Hashable {
    /// Documents looked at one by one before the index is asked.
    var newest: Int64 = 1_500
    /// Documents looked at by one step.
    var step: Int64 = 20_000
    /// Conversations of a list that is looked at as a whole.
    var list: Int64 = 1_000
}

/// How much of the mail a search can find.
package struct SearchCoverage: Sendable, Hashable {
    package var messages: Int
    /// Messages whose text has been fetched.
    package var bodies: Int
    /// Messages that the index does not have yet, or not as they are now.
    package var waiting: Int

    package init(messages: Int, bodies: Int, waiting: Int) {
        self.messages = messages
        self.bodies = bodies
        self.waiting = waiting
    }
}
