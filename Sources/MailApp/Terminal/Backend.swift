internal import MailAPI
internal import MailModel
internal import MailOutbox
internal import MailSignIn
internal import MailStorage
internal import MailSync
internal import Platform

/// The account's slow side for the terminal program: opening files, passes and fetching bodies.
///
/// Runs on a thread of its own, so that no file or lock ever waits on the screen's thread. That thread, and those of
/// the cache's writer and of the connection, which it starts, leave the processor to the screen's.
actor Backend {
    nonisolated let executor = ThreadExecutor(niceness: 10)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let account: Account
    private(set) var settings: Settings
    let history: HistoryFile
    private var session: Session?
    private var inode: UInt64?
    private var isIdling = false
    /// Whether a pass was made, so that mail that comes now comes while somebody looks.
    private var hasPassed = false
    private var indexing: Task<Void, Never>?
    /// The draft that is being written here; held so that others see it.
    var openDraft: (id: LocalDraftID, lock: OpenDraft)?
    /// Held while the stream of events is open, for `herald status` to see.
    private var eventsLock: FileLock?
    /// Held from the first mail on that can be taken back here.
    private var minder: SendMinder?

    private let progress: @Sendable (SyncProgress) -> Void
    private let tell: @Sendable (OutboxEvent) -> Void

    init(
        account: Account, progress: @escaping @Sendable (SyncProgress) -> Void,
        tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
    ) {
        self.tell = tell
        self.account = account
        settings = account.settings
        history = HistoryFile(path: account.places.historyPath)
        self.progress = progress
    }

    isolated deinit {
        executor.stop()
    }

    /// How a pass ended without failing.
    enum PassOutcome: Sendable {
        case finished(PassReport)
        /// Another process is at it; what is known of the passes before it.
        case elsewhere(PassHistory)
    }

    /// Follows other settings from now on.
    func use(_ settings: Settings) { self.settings = settings }

    /// Makes the cache exist, so that a reader can open it.
    ///
    /// One of another bearer stays until a pass has found that the server accepts this one.
    func prepare() throws {
        if MailReader.isAnothers(account.cachePath, owner: account.owner) { return }
        _ = try current()
    }

    /// A reader of the present cache file, unless there is none or it is the one of `inode`.
    func openReader(unless inode: UInt64?) throws -> MailReader? {
        guard let present = Files.inode(account.cachePath), present != inode else { return nil }
        return try MailReader(path: account.cachePath, owner: account.owner)
    }

    /// The session, if one is open.
    var opened: Session? { session }

    /// The session on the present cache file; opened again when another process replaced the file.
    ///
    /// A cache found damaged is set aside by opening it.
    func current() throws -> Session {
        try checkIsKept()
        let now = Files.inode(account.cachePath)
        if let session, now == inode, now != nil, !CacheName(account.cachePath).isMarked { return session }
        session?.close()
        session = nil
        let opened = try Session(account: account, isInteractive: true, progress: progress, tell: tell)
        session = opened
        inode = opened.store.inode
        return opened
    }

    /// Makes nothing anew for an account that another process has removed, and nothing as somebody else.
    ///
    /// - Throws: `AccountChange`.
    func checkIsKept() throws(AccountChange) {
        guard case .signIn(let identity) = account.credential else { return }
        guard Files.exists(account.tokens.file.path) else { throw .removed }
        // What cannot be read is told by who needs it.
        guard let stored = try? account.tokens.file.load(), stored.identity != identity else { return }
        throw .anotherPerson(identity: stored.identity)
    }

    /// How the sign-in stands by what is kept here, as far as is known of this machine's clock.
    func signInStanding() -> SignInStanding? {
        SignInStanding(account, clockAhead: session?.clock.aheadMilliseconds ?? 0)
    }

    /// Runs one pass unless another process runs one.
    func pass(includingDrafts: Bool = true) async throws -> PassOutcome {
        try checkIsKept()
        try account.makeDirectories()
        guard let lock = try PassLock.take(account) else { return .elsewhere(account.passJournal.history) }
        CacheName(account.cachePath).sweep()
        try await Session.checkBearer(of: account)
        Log.shared.passStarted(account)
        let report: PassReport
        do {
            report = try await passOnce(includingDrafts: includingDrafts)
        } catch let error as SyncError where error.isDamage {
            report = try await passOnce(includingDrafts: includingDrafts)
        }
        Log.shared.passFinished(report, account)
        _ = consume lock
        return .finished(report)
    }

    /// Sends what waits, then fetches what is new.
    private func passOnce(includingDrafts: Bool) async throws -> PassReport {
        let session = try current()
        // What was here before the program is on its first screen.
        if !hasPassed { _ = try await session.store.claimArrivals() }
        hasPassed = true
        try await session.outbox.drainBeforePass()
        let listedAt = WallClock.milliseconds()
        let report = try await session.engine.pass(includingDrafts: includingDrafts)
        try await session.outbox.settleLost()
        if includingDrafts, report.hasDrafts { try await session.outbox.followDrafts(listedAt: listedAt) }
        return report
    }

    /// Fetches the bodies that the messages lack.
    func fetchBodies(_ ids: [MessageID]) async throws {
        try await current().engine.fetchBodies(thread: ids)
        Log.shared.bodiesFetched(ids.count, account)
    }

    /// Where attachments are fetched from.
    func attachments() throws -> HTTPAttachmentSource { try current().attachments }

    /// Removes opened files that a program left behind which is no longer there.
    func sweepOpenedFiles(_ base: String) { OpenedFiles.sweep(base) }

    /// Does what idle time after a pass is for: a page of the slow check of all rows, then bodies ahead.
    ///
    /// Its failures are not told; the next pass meets what is wrong.
    func useIdleTime() async {
        guard !isIdling else { return }
        isIdling = true
        defer { isIdling = false }
        do {
            let session = try current()
            if let lock = try PassLock.take(account) {
                _ = try await session.engine.audit()
                _ = consume lock
            }
            _ = try await session.engine.fillBodies(
                settings.bodies(of: account.label), threadsMax: BodiesAhead.threadsPerBeat)
            indexWords()
        } catch {
            return
        }
    }

    /// Brings the search index up to date beside all else; one such work at a time.
    func indexWords() {
        // What is there of another bearer, or of none yet, is not for opening here.
        guard indexing == nil, Files.exists(account.cachePath),
            !MailReader.isAnothers(account.cachePath, owner: account.owner), let store = try? current().store
        else { return }
        indexing = Task {
            await BodyWords.index(store)
            indexing = nil
        }
    }

    /// Messages that the server finds by a text.
    func searchServer(_ text: String, mailbox: MailboxID?, folder: Folder?) async throws -> [MessageSummary] {
        try await current().api.search(text, mailbox: mailbox, folder: folder)
    }

    /// How long mail can be taken back.
    var sendDelayMilliseconds: Int64 { settings.sendDelayMilliseconds }

    /// The name of this program's watch over mail; `nil` before there was any.
    var mindingNow: SendMinderID? { minder?.id }

    /// The name of this program's watch over mail, which begins now if it did not before.
    func minding() throws -> SendMinderID {
        if let id = minder?.id { return id }
        let begun = try SendMinder(account)
        minder = begun
        return begun.id
    }

    /// Lets other processes see whether events are listened to.
    func noteListening(_ isOpen: Bool) {
        eventsLock = nil
        guard isOpen else { return }
        do {
            // Another terminal may hold it; then that one is seen.
            eventsLock = try FileLock.take(account.eventsLockPath, waitMilliseconds: 50)
        } catch {
            eventsLock = nil
        }
    }

    /// Ends the connection and makes the next start quick.
    func close() async {
        indexing?.cancel()
        await indexing?.value
        await session?.outbox.close()
        session?.close()
        await session?.store.tidy()
        session = nil
        minder = nil
    }
}
