/// What one or more commits changed.
package struct StoreChange: Sendable, Hashable {
    /// Messages by what happened to them.
    package struct Messages: Sendable, Hashable {
        package var inserted: Set<MessageID> = []
        package var updated: Set<MessageID> = []
        package var deleted: Set<MessageID> = []
        /// Messages whose text or files came.
        package var bodies: Set<MessageID> = []
        /// Every thread the messages are or were in.
        package var threads: Set<ThreadID> = []

        package init() {}

        /// How many names it holds.
        package var count: Int { inserted.count + updated.count + deleted.count + bodies.count }
    }

    /// `nil` when there are too many to name.
    package var messages: Messages? = Messages()
    /// The mailboxes in which new unread mail has just arrived, `nil` standing for unassigned mail; no bootstrap, no
    /// repair and no move is news.
    package var news: Set<MailboxID?> = []
    package var touchesMailboxes = false
    package var touchesDrafts = false
    /// Whether a bootstrap wrote any of it.
    package var isBootstrap = false

    package init() {}

    /// A change of unknown extent: everything must be read again.
    package static var everything: StoreChange {
        var change = StoreChange()
        change.messages = nil
        change.touchesMailboxes = true
        change.touchesDrafts = true
        return change
    }

    /// Whether nothing changed.
    package var isEmpty: Bool { messages?.count == 0 && !touchesMailboxes && !touchesDrafts }

    /// Whether the thread, or any for `nil`, has a message that changed.
    package func touches(_ thread: ThreadID?) -> Bool {
        guard let messages else { return true }
        guard let thread else { return messages.count > 0 }
        return messages.threads.contains(thread)
    }

    /// Adds what a later commit changed.
    package mutating func merge(_ later: StoreChange) {
        touchesMailboxes = touchesMailboxes || later.touchesMailboxes
        touchesDrafts = touchesDrafts || later.touchesDrafts
        isBootstrap = isBootstrap || later.isBootstrap
        news.formUnion(later.news)
        guard var known = messages, let new = later.messages else {
            messages = nil
            return
        }
        known.inserted = known.inserted.subtracting(new.deleted).union(new.inserted.subtracting(known.deleted))
        known.updated = known.updated.subtracting(new.deleted).union(new.updated)
        known.deleted = known.deleted.subtracting(new.inserted).union(new.deleted)
        known.bodies.formUnion(new.bodies)
        known.threads.formUnion(new.threads)
        messages = known
    }
}
