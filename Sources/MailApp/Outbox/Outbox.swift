internal import MailAPI
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailSync
internal import Platform
internal import Synchronization

/// What waits for an account's server, in this process: the file, opened when it is needed, and what sends it.
final class Outbox: Sendable {
    private struct State {
        var store: OutboxStore?
        var drain: OutboxDrain?
        /// What saves drafts in that drain.
        var drafts: DraftSaver?
        /// The drain under way.
        var running: Task<DrainReport, any Error>?
        /// What the drains of this process came to.
        var report: DrainReport?
        /// Why the outbox could not be used before the pass, which went on without it.
        var failure: OutboxError?
    }

    private let account: Account
    private let api: HTTPMailAPIClient
    private let cache: MailStore
    /// Whether somebody sits at the terminal, who can be asked about a conflict.
    private let isInteractive: Bool
    private let tell: @Sendable (OutboxEvent) -> Void
    private let state = Mutex(State())

    init(
        account: Account, api: HTTPMailAPIClient, cache: MailStore, isInteractive: Bool = false,
        tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
    ) {
        self.account = account
        self.api = api
        self.cache = cache
        self.isInteractive = isInteractive
        self.tell = tell
    }

    /// The queue's file; made when there is none.
    ///
    /// - Throws: `OutboxError`.
    func store() throws -> OutboxStore {
        try state.withLock { state in
            if let store = state.store, store.isCurrent { return store }
            // Another file has its place by now.
            state.drain = nil
            let store = try OutboxStore(path: account.outboxPath, owner: account.owner)
            state.store = store
            return store
        }
    }

    /// Sends what waits; whoever never queued anything has no file and makes none.
    ///
    /// - Throws: as `OutboxDrain.run`.
    func drain() async throws -> DrainReport {
        guard Files.exists(account.outboxPath) else { return DrainReport() }
        let store = try store()
        let cache = cache
        try await cache.settleLost(in: store, at: WallClock.milliseconds())
        let drain = state.withLock { state in
            if let drain = state.drain { return drain }
            let drafts = DraftSaver(
                store: store, api: api, spool: account.spool, open: account.openDrafts,
                isInteractive: isInteractive, now: WallClock.milliseconds, tell: tell,
                forget: { try await cache.forget(draft: $0) }, shared: SharedFiles(server: api))
            let drain = OutboxDrain(
                queue: store, api: api, truth: cache, lockPath: account.drainLockPath, drafts: drafts,
                sends: sends(store, drafts), now: WallClock.milliseconds, zone: WallClock.zone, tell: tell)
            (state.drain, state.drafts) = (drain, drafts)
            return drain
        }
        let report = try await run(drain)
        state.withLock { state in
            var all = state.report ?? DrainReport()
            all.add(report)
            state.report = all
        }
        Log.shared.drained(report, account)
        return report
    }

    /// What sends mail in the drain.
    private func sends(_ store: OutboxStore, _ drafts: DraftSaver) -> SendStage {
        let (account, api) = (account, api)
        return SendStage(
            queue: store, server: api, drafts: drafts, copies: cache,
            surroundings: SendStage.Surroundings(
                now: WallClock.milliseconds, isMinding: { SendMinder.isRunning($0, of: account) },
                original: { try await ForwardedText.read($0, from: api) }, tell: tell))
    }

    private func run(_ drain: OutboxDrain) async throws -> DrainReport {
        let task = Task { try await drain.run() }
        let isFirst = state.withLock { state in
            if state.running == nil { state.running = task }
            return state.running == task
        }
        defer { if isFirst { state.withLock { $0.running = nil } } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the upload of a file, when it is under way in this process; it is tried again unless it is taken off.
    func cancelUpload(_ file: DraftFileID) async {
        await state.withLock { $0.drafts }?.cancelUpload(file)
    }

    /// Ends a drain under way, so that nothing is left as being sent.
    func close() async {
        let running = state.withLock { $0.running }
        running?.cancel()
        _ = await running?.result
    }

    /// Sends what waits; an outbox that cannot be used is told of at the end, as new mail does not depend on it.
    ///
    /// - Throws: `SyncError` for the cache, `CancellationError`.
    func drainBeforePass() async throws {
        do {
            _ = try await drain()
            state.withLock { $0.failure = nil }
        } catch let error as OutboxError {
            state.withLock { $0.failure = error }
            if error == .replaced { state.withLock { ($0.store, $0.drain) = (nil, nil) } }
            if case .anothers = error { tell(.resetRequired(.anotherPerson)) } else { tell(.failed(nil, .local)) }
        } catch let error as StoreError {
            throw SyncError.store(error)
        } catch let error as SystemError {
            throw Failures.cannotMake("The lock of the outbox", error)
        }
    }

    /// Ends what waits for messages that a pass found gone.
    ///
    /// - Throws: `StoreError`, `OutboxError`.
    func settleLost() async throws {
        guard Files.exists(account.outboxPath), state.withLock({ $0.failure }) == nil else { return }
        try await cache.settleLost(in: try store(), at: WallClock.milliseconds())
    }

    /// Has the drafts of this machine follow the server's list, as a pass that began at an instant has read it.
    ///
    /// - Throws: `StoreError`, `OutboxError`.
    func followDrafts(listedAt: Int64) async throws {
        guard Files.exists(account.outboxPath), state.withLock({ $0.failure }) == nil else { return }
        let follower = DraftFollower(
            store: try store(), open: account.openDrafts, now: WallClock.milliseconds, tell: tell)
        try await follower.follow(try await cache.serverDrafts(), listedAt: listedAt)
        try await cache.rematerialise()
    }

    /// What the drains so far came to.
    var report: DrainReport { state.withLock { $0.report } ?? DrainReport() }

    /// Why a command that is otherwise done does not end with 0: the server refused something, or something waits.
    func remainder() async throws -> CommandFailure? {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        guard Files.exists(account.outboxPath) else { return nil }
        return Outbox.remainder(report, try await store().counts())
    }

    static func remainder(_ report: DrainReport, _ counts: OutboxCounts) -> CommandFailure? {
        if report.refused > 0 {
            let number = report.refused == 1 ? "1 operation" : "\(report.refused) operations"
            return CommandFailure("The server refused \(number). “herald outbox journal” tells which.", .refused)
        }
        if counts.isEmpty { return nil }
        let reason = report.ending?.error.map { " " + $0.message } ?? ""
        return CommandFailure("Operations remain: \(parts(counts)).\(reason)", .operationsRemain)
    }

    private static func parts(_ counts: OutboxCounts) -> String {
        var parts: [String] = []
        if counts.queued > 0 { parts.append("\(counts.queued) queued") }
        if counts.blocked > 0 { parts.append("\(counts.blocked) blocked") }
        if counts.unknown > 0 { parts.append("\(counts.unknown) unknown") }
        return parts.joined(separator: ", ")
    }

    /// That what another sign-in has queued waits, and what to do about it; `nil` when nothing does.
    static func anothers(_ counts: OutboxCounts, _ account: Account) -> String? {
        if counts.total == 0 { return nil }
        let (isOne, command) = (counts.total == 1, OutboxError.adoption(path: account.outboxPath))
        return "\(counts.words) of another sign-in \(isOne ? "is" : "are") not sent; "
            + "\(command) sends \(isOne ? "it" : "them") with this one."
    }

    /// What a command that is cut off leaves behind, as sentences.
    static func remains(_ counts: OutboxCounts) -> String {
        counts.isEmpty
            ? "Nothing remains to be sent." : "Operations remain: \(parts(counts)). The next pass sends what is queued."
    }
}
