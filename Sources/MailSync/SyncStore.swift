package import MailModel
package import MailStorage

/// What a sync writes to; the cache is one, tests have others.
package protocol SyncStore: Sendable {
    /// What is known of the sync.
    func syncState() async throws -> SyncState
    /// Remembers when the server's features were read; `nil` has them read again.
    func recordFeatures(readAt: Int64?) async throws
    /// Notes that a pass begins, before its first request.
    func passBegins() async throws
    /// Notes that the pass has heard of all that happened before it.
    func passEnds(at milliseconds: Int64) async throws
    /// What is known of the account's access.
    func knownAccess() async throws -> KnownAccess
    /// Remembers whether the server offers live events.
    func recordEvents(offered: Bool) async throws
    /// Removes unassigned mail.
    func purgeUnassigned() async throws -> CommitCounts
    /// Stores the mailbox list and answers the readable ones whose mail is to be listed.
    func replaceMailboxes(
        _ mailboxes: [Mailbox], unassigned: UnassignedVerdict
    ) async throws -> (counts: CommitCounts, gained: [MailboxID])
    /// Stores the checkpoint and starts the folder listings.
    func beginBootstrap(cursor: String, seesUnassigned: Bool, at milliseconds: Int64?) async throws
    /// Starts the listing of a mailbox that became readable.
    func beginListing(_ mailbox: MailboxID) async throws
    /// Gives the listing of a mailbox that was lost meanwhile up.
    func abandonListing(_ mailbox: MailboxID) async throws
    /// Writes pages and how far their listings got.
    func commitPages(_ pages: [ListingPage]) async throws -> CommitCounts
    /// Ends a bootstrap.
    func finishBootstrap() async throws -> CommitCounts
    /// Applies changes and the cursor that covers them.
    func commitChanges(_ changes: [MessageChange], cursor: String, trust: FeedTrust) async throws -> CommitCounts
    /// Makes the drafts equal to a complete list.
    func replaceDrafts(_ drafts: [Draft]) async throws -> CommitCounts
    /// Starts listing everything again.
    func beginRelisting(_ purpose: RelistingPurpose) async throws
    /// Repairs the rows of a page that was listed again.
    func commitRelisting(
        _ messages: [MessageSummary], next: String?, at milliseconds: Int64
    ) async throws -> CommitCounts
    /// Removes rows that a complete re-listing did not meet.
    func finishRelisting(after key: Int64, limit: Int) async throws -> RelistingEnd
    /// Of the rows that a complete re-listing did not meet, one of each mailbox.
    func unmetSamples(limit: Int) async throws -> [MessageID]
    /// Drops a re-listing that missed rows.
    func dropRelisting() async throws
    /// Notes that a pass was cut off after it had read pages of a listing.
    func noteInterruptedListing() async throws
    /// Notes that the mailbox list was read after the pages of listings.
    func confirmListings() async throws
    /// About how many messages there are.
    func messagesEstimate() async throws -> Int
    /// How many messages there are.
    func messageCount() async throws -> Int
    /// Keeps texts and lists of files.
    func commitDetails(_ details: [MessageDetail]) async throws
    /// Keeps a message's HTML, or that it has none.
    func commitHTML(_ html: MessageHTML?, for id: MessageID) async throws
    /// Threads that lack bodies, the newest first.
    func bodilessThreads(since: Timestamp?, threadsMax: Int, messagesMax: Int) async throws -> [BodilessThread]
    /// Remembers that the server does not have these bodies.
    func recordUnavailable(_ ids: [MessageID]) async throws
    /// Remembers that the server did not give these bodies for lack of access.
    func recordRefused(_ ids: [MessageID]) async throws
    /// Has refused bodies asked for again.
    func retryRefused() async throws
}

extension MailStore: SyncStore {}
