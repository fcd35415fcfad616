internal import JSON
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// `herald --sync-once`: one pass, for cron.
struct SyncCommand {
    let options: Command.SyncOptions
    let account: Account
    /// Whether passes of other accounts run beside it, so that what is told names the account.
    var isOneOfSeveral = false

    /// Who is named on the progress line.
    private var worker: String? { isOneOfSeveral ? account.label : nil }

    /// How long the search index is filled where there is no deadline.
    private static let indexing = Duration.seconds(20)

    func run() async throws {
        // Bodies end well before the deadline, also after a wait for the lock, so that they never fail a pass.
        let end = options.deadlineSeconds.map { ContinuousClock.now + .milliseconds($0 * 800) }
        let (session, report) = try await passAlone()
        defer { session.close() }
        if options.json { Output.write(SyncCommand.json([SyncOutcome(label: account.label, report: report)])) }
        if !options.quiet, !options.json { Output.line(SyncCommand.sentence(report)) }
        if let failure = try await SyncCommand.afterwards(session, until: end) { throw failure }
    }

    /// What follows a pass that is done: telling of new mail, bodies and the index, none of which is a must; answers
    /// what remains in the outbox.
    static func afterwards(
        _ session: Session, until end: ContinuousClock.Instant?
    ) async throws -> CommandFailure? {
        await NewMail.tell(session, until: end)
        await BodiesAhead.fill(session, until: end)
        await BodyWords.index(session.store, until: end ?? ContinuousClock.now + indexing)
        return try await session.outbox.remainder()
    }

    /// What a pass did, in words.
    static func sentence(_ report: PassReport) -> String {
        "\(report.inserted) new, \(report.updated) changed, \(report.deleted) gone."
    }

    /// One pass while no other process makes one.
    func passAlone() async throws -> (Session, PassReport) {
        try account.makeDirectories()
        let lock = try await PassLock.wait(account, showsProgress: !options.quiet, worker: worker)
        let outcome = try await pass()
        _ = consume lock
        return outcome
    }

    /// One pass; a cache that proves damaged is set aside and fetched anew, once.
    private func pass() async throws -> (Session, PassReport) {
        CacheName(account.cachePath).sweep()
        do {
            return try await passOnce()
        } catch let error as SyncError where error.isDamage {
            return try await passOnce()
        }
    }

    /// The pass's report, with the session for what follows.
    private func passOnce() async throws -> (Session, PassReport) {
        try await Session.checkBearer(of: account)
        let session = try SyncCommand.session(account, showsProgress: !options.quiet, worker: worker)
        defer { if !options.quiet { Output.endProgress(of: worker) } }
        Log.shared.passStarted(account)
        do {
            try await session.outbox.drainBeforePass()
            let listedAt = WallClock.milliseconds()
            let report = try await session.engine.pass()
            try await session.outbox.settleLost()
            if report.hasDrafts { try await session.outbox.followDrafts(listedAt: listedAt) }
            Log.shared.passFinished(report, account)
            return (session, report)
        } catch {
            session.close()
            throw error
        }
    }

    /// Opens a session whose passes show their progress on a terminal.
    static func session(
        _ account: Account, path: String? = nil, expectedMessages: Int? = nil, showsProgress: Bool,
        worker: String? = nil
    ) throws -> Session {
        try Session(account: account, path: path, expectedMessages: expectedMessages) { progress in
            if showsProgress, progress.isBootstrap {
                Output.progress(ProgressLine.text(progress), of: worker)
            }
        }
    }

    /// What the passes did, an account each.
    static func json(_ outcomes: [SyncOutcome]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("accounts")
            writer.array { writer in
                for outcome in outcomes { write(outcome, &writer) }
            }
        }
        return writer.bytes + [0x0A]
    }

    private static func write(_ outcome: SyncOutcome, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("account", outcome.label)
            if let report = outcome.report {
                writer.member("inserted", report.inserted)
                writer.member("updated", report.updated)
                writer.member("deleted", report.deleted)
                writer.member("isBootstrap", report.isBootstrap)
                writer.member("requests", report.requests)
                writer.member("bytes", report.bytes)
                writer.member("durationMs", report.durationMilliseconds)
            }
            if let failure = outcome.failure {
                writer.member("error", failure.message)
                writer.member("code", outcome.failureCode)
                writer.member("exitCode", Int(failure.exitCode.rawValue))
            }
        }
    }
}

/// How an account's pass ended.
struct SyncOutcome: Sendable {
    let label: String
    var report: PassReport?
    var failure: CommandFailure?
    /// The failure's word of ours (docs/errors.md); `nil` for what has none, such as operations that remain.
    var failureCode: String?
}
