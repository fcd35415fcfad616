package import MailModel
package import TerminalUI

/// Everything that can happen to the program, as values.
package enum AppEvent: Sendable, Hashable {
    /// The program has started; answers the first loads.
    case started
    case input(InputEvent)
    case resized(Size)
    case countsLoaded([MailboxCounts])
    case conversationsLoaded(ListScope, generation: Int, rows: [ConversationRow], hasMore: Bool)
    case draftsLoaded([Draft])
    case conversationLoaded(ThreadID, [ConversationMessage])
    /// A body could not be had; the sentence says why.
    case bodyFailed(MessageID, String)
    /// No body of the thread could be had; the sentence says why.
    case bodiesFailed(ThreadID, String)
    case syncStarted
    case syncProgress(SyncProgress)
    case syncFinished(SyncReport?)
    case syncFailed(String)
    /// The store committed something a shown list may depend on.
    case storeChanged
    case clock(secondsSinceEpoch: Int64, utcOffsetSeconds: Int)
    case offline(Bool)
    /// A sentence for the person, shown until the next key.
    case notice(String)

    /// How far a synchronisation has come.
    package struct SyncProgress: Sendable, Hashable {
        package var done: Int
        package var total: Int?

        package init(done: Int, total: Int? = nil) {
            self.done = done
            self.total = total
        }
    }

    /// What a synchronisation changed.
    package struct SyncReport: Sendable, Hashable {
        package var inserted: Int
        package var updated: Int
        package var deleted: Int

        package init(inserted: Int, updated: Int, deleted: Int) {
            self.inserted = inserted
            self.updated = updated
            self.deleted = deleted
        }
    }
}
