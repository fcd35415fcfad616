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
    let reads: ServerReads
    let store: any SyncStore
    let limits: SyncLimits
    let now: @Sendable () -> Int64
    private let journal: any PassJournal
    private let expectedMessages: Int?
    private let progress: @Sendable (SyncProgress) -> Void
    private var isBusy = false
    private var recordedRequests: Int

    // Of the running pass.
    var counts = CommitCounts()
    /// Whether the message of unassigned mail that was asked for was gone, so that another is to be asked for.
    var asksAgain = false
    private var written = 0
    private var isBootstrap = false
    private var estimate = ProgressEstimate(total: nil, startedAt: 0)

    /// The server's features are read again after this many milliseconds.
    private static let featuresLifetime: Int64 = 86_400_000

    /// An engine for one account; `now` answers milliseconds since 1970.
    ///
    /// `expectedMessages` is how many messages a bootstrap will about list, when a cache of before tells.
    package init(
        api: any MailAPIClient, store: any SyncStore, journal: any PassJournal = NoPassJournal(),
        limits: SyncLimits = SyncLimits(), expectedMessages: Int? = nil,
        now: @escaping @Sendable () -> Int64 = SyncEngine.clock,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) {
        self.api = api
        reads = ServerReads(api: api)
        self.store = store
        self.journal = journal
        self.limits = limits
        self.expectedMessages = expectedMessages
        self.now = now
        self.progress = progress
        recordedRequests = api.traffic.requests
    }

    /// The system's clock in milliseconds since 1970.
    @Sendable package static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Runs one pass; idle, with the features known, it is three requests and writes nothing.
    ///
    /// The outcome is recorded in the journal, except for a cancelled pass.
    /// - Throws: `SyncError`, or `CancellationError` when the task is cancelled.
    package func pass(includingDrafts: Bool = true) async throws -> PassReport {
        guard beginExclusive() else { throw SyncError.alreadyRunning }
        defer { endExclusive() }
        (counts, written, isBootstrap, asksAgain) = (CommitCounts(), 0, false, false)
        estimate = ProgressEstimate(total: expectedMessages, startedAt: now())
        let started = ContinuousClock.now
        let before = api.traffic
        var hasDrafts = true
        do {
            try await store.passBegins()
            try await run()
            try await store.passEnds(at: now())
            if includingDrafts { hasDrafts = try await drafts() }
        } catch {
            try Task.checkCancellation()
            guard let known = SyncError(error) else { throw error }
            // A surprise may mean another server; a store that cannot note that has failed already.
            if !known.isRetryable { try? await store.recordFeatures(readAt: nil) }
            record(known)
            throw known
        }
        record(nil, hasDrafts: includingDrafts ? hasDrafts : nil)
        let spent = (ContinuousClock.now - started).components
        return PassReport(
            counts: counts, isBootstrap: isBootstrap, hasDrafts: hasDrafts,
            requests: api.traffic.requests - before.requests, bytes: api.traffic.bytes - before.bytes,
            durationMilliseconds: Int(spent.seconds) * 1_000 + Int(spent.attoseconds / 1_000_000_000_000_000))
    }

    /// Claims the engine for a pass or a check; `false` while one runs.
    func beginExclusive() -> Bool {
        if isBusy { return false }
        isBusy = true
        return true
    }

    /// Gives the engine free.
    func endExclusive() { isBusy = false }

    /// Writes the outcome and the requests since the last one to the journal.
    private func record(_ failure: SyncError?, hasDrafts: Bool? = nil) {
        journal.record(
            PassRecord(
                finishedAtMilliseconds: now(), failure: failure?.message,
                failureCode: failure.map { "\($0.logCode)" }, requests: takeRequests(), hasDrafts: hasDrafts,
                needsSignIn: failure?.needsSignIn ?? false))
    }

    /// Writes the requests made outside a pass to the journal.
    func countRequests() {
        let requests = takeRequests()
        if requests > 0 { journal.count(requests: requests, at: now()) }
    }

    private func takeRequests() -> Int {
        let requests = api.traffic.requests
        defer { recordedRequests = requests }
        return requests - recordedRequests
    }

    private func run() async throws {
        let isDaily = try await checkFeatures()
        if try await store.syncState().isUnconfirmed { try await store.noteInterruptedListing() }
        try await readMailboxes(isDaily: isDaily)
        if isDaily { try await store.retryRefused() }
        do {
            try await catchUp()
        } catch MailAPIError.invalidCursor {
            // In place and once: rows stay visible, and a server that refuses its own checkpoint fails the pass.
            try await beginBootstrap()
            try await catchUp()
        }
        try await confirmListings()
    }

    /// Reads the mailbox list again after listings: a mailbox that left sight meanwhile has wrong rows or none.
    private func confirmListings() async throws {
        guard try await store.syncState().isUnconfirmed else { return }
        try await readMailboxes(isDaily: false)
        try await store.confirmListings()
    }

    /// Reads the server's features when they were not read for a day; answers whether it did.
    private func checkFeatures() async throws -> Bool {
        let time = now()
        if let readAt = try await store.syncState().featuresReadAt, readAt <= time,
            time - readAt < SyncEngine.featuresLifetime
        {
            return false
        }
        let features = try await api.features()
        guard features.hasChanges else { throw MailAPIError.tooOld }
        try await store.recordEvents(offered: features.hasEvents)
        try await store.recordFeatures(readAt: time)
        return true
    }

    private func beginBootstrap() async throws {
        let seesUnassigned = try await seesUnassigned()
        let checkpoint = try await reads.changes(cursor: nil)
        if estimate.total == nil, try await store.syncState().isBootstrapped {
            estimate.total = try await store.messageCount()
        }
        try await store.beginBootstrap(cursor: checkpoint.nextCursor, seesUnassigned: seesUnassigned, at: now())
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
        let trust = try await readChanges(from: cursor)
        try await repair()
        if state.isBootstrapping { counts += try await store.finishBootstrap() }
        try await repairDoubts()
        try await followUnassigned(trust)
    }

    /// Counts written messages and tells of them.
    func note(_ messages: Int) {
        guard messages > 0 else { return }
        written += messages
        progress(estimate.progress(messages: written, isBootstrap: isBootstrap, at: now()))
    }
}
