package import MailModel
package import MailStorage

/// What a sync writes to; the cache is one, tests have others.
package protocol SyncStore: Sendable {
    /// What is known of the sync.
    func syncState() async throws -> SyncState
    /// Remembers when the server's features were read; `nil` has them read again.
    func recordFeatures(readAt: Int64?) async throws
    /// Stores the mailbox list and answers the readable ones whose mail was never listed.
    func replaceMailboxes(_ mailboxes: [Mailbox]) async throws -> (counts: CommitCounts, gained: [MailboxID])
    /// Stores the checkpoint and starts the folder listings.
    func beginBootstrap(cursor: String) async throws
    /// Starts the listing of a mailbox that became readable.
    func beginListing(_ mailbox: MailboxID) async throws
    /// Writes pages and how far their listings got.
    func commitPages(_ pages: [ListingPage]) async throws -> CommitCounts
    /// Ends a bootstrap.
    func finishBootstrap() async throws -> CommitCounts
    /// Applies changes and the cursor that covers them.
    func commitChanges(_ changes: [MessageChange], cursor: String) async throws -> CommitCounts
    /// Makes the drafts equal to a complete list.
    func replaceDrafts(_ drafts: [Draft]) async throws -> CommitCounts
    /// Makes the rows equal to complete listings.
    func reconcile(_ listings: [Listing], seen: [MessageSummary]) async throws -> CommitCounts
    /// Remembers how a pass ended.
    func recordPass(_ record: PassRecord) async throws
    /// Keeps texts and lists of files.
    func commitDetails(_ details: [MessageDetail]) async throws
    /// Keeps a message's HTML.
    func commitHTML(_ html: MessageHTML, for id: MessageID) async throws
}

extension MailStore: SyncStore {}
