internal import Glibc
package import MailAPI
internal import MailModel
internal import MailStorage

/// Runs passes that make the cache equal to what the account sees on the server.
///
/// Every step is committed with the cursor that covers it, so a pass that is cancelled, fails or is killed at
/// any point is taken up by the next one.
package actor SyncEngine {
    let api: any MailAPIClient
    let store: any SyncStore
    private let now: @Sendable () -> Int64
    private let progress: @Sendable (SyncProgress) -> Void
    private var isPassing = false

    // Of the running pass.
    var counts = CommitCounts()
    private var written = 0
    private var isBootstrap = false

    /// The server's features are read again after this many milliseconds.
    private static let featuresLifetime: Int64 = 86_400_000
    static let pageRows = 100
    static let draftPagesMax = 10_000

    /// An engine for one account; `now` answers milliseconds since 1970.
    package init(
        api: any MailAPIClient, store: any SyncStore, now: @escaping @Sendable () -> Int64 = SyncEngine.clock,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) {
        self.api = api
        self.store = store
        self.now = now
        self.progress = progress
    }

    /// The system's clock in milliseconds since 1970.
    @Sendable package static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Runs one pass; idle, with the features known, it is three requests.
    ///
    /// The outcome is recorded in the store, except for a cancelled pass.
    /// - Throws: `SyncError`, or `CancellationError` when the task is cancelled.
    package func pass(includingDrafts: Bool = true) async throws -> PassReport {
        guard !isPassing else { throw SyncError.alreadyRunning }
        isPassing = true
        defer { isPassing = false }
        (counts, written, isBootstrap) = (CommitCounts(), 0, false)
        let started = ContinuousClock.now
        let before = api.traffic
        var failure: SyncError?
        var hasDrafts = true
        do {
            try await run()
            if includingDrafts { hasDrafts = try await drafts() }
        } catch {
            try Task.checkCancellation()
            guard let known = SyncError(error) else { throw error }
            failure = known
            // A surprise may mean another server; a store that cannot note that has failed already.
            if !known.isRetryable { try? await store.recordFeatures(readAt: nil) }
        }
        let requests = api.traffic.requests - before.requests
        let outcome = PassRecord(finishedAtMilliseconds: now(), requests: requests, failure: failure?.message)
        try await record(outcome, failure)
        let spent = (ContinuousClock.now - started).components
        return PassReport(
            counts: counts, isBootstrap: isBootstrap, hasDrafts: hasDrafts, requests: requests,
            bytes: api.traffic.bytes - before.bytes,
            durationMilliseconds: Int(spent.seconds) * 1_000 + Int(spent.attoseconds / 1_000_000_000_000_000))
    }

    /// Records the outcome, then throws the pass's failure; a failure to record it does not hide it.
    private func record(_ record: PassRecord, _ failure: SyncError?) async throws {
        do {
            try await store.recordPass(record)
        } catch {
            throw failure ?? SyncError(error) ?? error
        }
        if let failure { throw failure }
    }

    private func run() async throws {
        try await checkFeatures()
        let (changed, gained) = try await store.replaceMailboxes(try await api.mailboxes())
        counts += changed
        for mailbox in gained { try await store.beginListing(mailbox) }
        do {
            try await catchUp()
        } catch MailAPIError.invalidCursor {
            // In place and once: rows stay visible, and a server that refuses its own checkpoint fails the pass.
            try await beginBootstrap()
            try await catchUp()
        }
    }

    private func checkFeatures() async throws {
        let time = now()
        if let readAt = try await store.syncState().featuresReadAt, readAt <= time,
            time - readAt < SyncEngine.featuresLifetime
        {
            return
        }
        let features = try await api.features()
        guard features.hasChanges else { throw MailAPIError.tooOld }
        try await store.recordFeatures(readAt: time)
    }

    private func beginBootstrap() async throws {
        let checkpoint = try await api.changes(cursor: nil)
        try await store.beginBootstrap(cursor: checkpoint.nextCursor)
    }

    /// Brings the listings that are not complete to their end, then the change feed.
    private func catchUp() async throws {
        var state = try await store.syncState()
        if state.cursor == nil {
            try await beginBootstrap()
            state = try await store.syncState()
        }
        guard let cursor = state.cursor else { return }
        isBootstrap = isBootstrap || state.isBootstrapping
        try await walk(state.pending)
        // Before the bootstrap ends: a message that moved between two listings is seen here, and so is kept.
        try await readChanges(from: cursor)
        if state.isBootstrapping { counts += try await store.finishBootstrap() }
    }

    /// Counts written messages and tells of them.
    func note(_ messages: Int) {
        guard messages > 0 else { return }
        written += messages
        progress(SyncProgress(messages: written, isBootstrap: isBootstrap))
    }
}
