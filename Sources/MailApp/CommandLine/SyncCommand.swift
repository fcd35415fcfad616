internal import JSON
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// `herald --sync-once`: one pass, for cron.
struct SyncCommand {
    let options: Command.SyncOptions
    let account: Account

    func run() async throws {
        try account.makeDirectories()
        guard let lock = try SyncCommand.passLock(account) else {
            throw CommandFailure("Another pass is running. Try again later.", .tryLater)
        }
        let end = options.deadlineSeconds.map { ContinuousClock.now + .seconds($0) }
        let session = try SyncCommand.session(account, showsProgress: !options.quiet)
        defer { session.close() }
        Log.shared.passStarted(account)
        let report = try await withDeadline { try await session.engine.pass() }
        Log.shared.passFinished(report, account)
        if !options.quiet { Output.endProgress() }
        _ = consume lock
        if options.json { Output.write(SyncCommand.json(report, account: account)) }
        if !options.quiet, !options.json {
            Output.line("\(report.inserted) new, \(report.updated) changed, \(report.deleted) gone.")
        }
        // The pass is told and done; bodies come in what is left of the time, and none of them is a must.
        await BodiesAhead.fill(session, BodiesAhead.policy(account), until: end)
    }

    /// The account's pass lock, or `nil` while another pass runs.
    static func passLock(_ account: Account) throws(CommandFailure) -> FileLock? {
        do {
            return try FileLock.take(account.passLockPath)
        } catch {
            throw Failures.cannotMake("The lock of this account", error)
        }
    }

    /// Opens a session whose passes show their progress on a terminal.
    static func session(
        _ account: Account, path: String? = nil, expectedMessages: Int? = nil, showsProgress: Bool
    ) throws -> Session {
        try Session(account: account, path: path, expectedMessages: expectedMessages) { progress in
            if showsProgress, progress.isBootstrap { Output.progress(SyncCommand.line(progress)) }
        }
    }

    private static func line(_ progress: SyncProgress) -> String {
        var line = "Fetching mail: \(progress.messages)"
        if let total = progress.total { line += " of about \(total)" }
        if let seconds = progress.secondsLeft { line += ", \(seconds) s left" }
        return line
    }

    /// Ends the work with exit code 75 once the deadline is over.
    private func withDeadline<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let seconds = options.deadlineSeconds else { return try await body() }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw CommandFailure("The pass did not end in \(seconds) s.", .tryLater)
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private static func json(_ report: PassReport, account: Account) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("accounts")
            writer.array { writer in
                writer.object { writer in
                    writer.member("account", account.label)
                    writer.member("inserted", report.inserted)
                    writer.member("updated", report.updated)
                    writer.member("deleted", report.deleted)
                    writer.member("isBootstrap", report.isBootstrap)
                    writer.member("requests", report.requests)
                    writer.member("bytes", report.bytes)
                    writer.member("durationMs", report.durationMilliseconds)
                }
            }
        }
        return writer.bytes + [0x0A]
    }
}

/// `herald --rebuild-cache`: fetches everything into a new file, then puts it in the old one's place.
struct RebuildCommand {
    let options: Command.SyncOptions
    let account: Account

    func run() async throws {
        try account.makeDirectories()
        guard let lock = try SyncCommand.passLock(account) else {
            throw CommandFailure("Another pass is running. Try again later.", .tryLater)
        }
        let path = account.cachePath + ".new"
        for suffix in ["", "-wal", "-shm"] { Files.remove(path + suffix) }
        do {
            let before = try? await MailReader(path: account.cachePath, owner: account.owner)?.status().messages
            let session = try SyncCommand.session(
                account, path: path, expectedMessages: before ?? nil, showsProgress: !options.quiet)
            defer { session.close() }
            defer { if !options.quiet { Output.endProgress() } }
            let report = try await session.engine.pass()
            // Bodies that were opened stay readable offline.
            _ = try await session.store.carryBodies(from: account.cachePath, owner: account.owner)
            Log.shared.passFinished(report, account)
            await session.store.tidy()
            // The old file's log must not meet the new file.
            for suffix in ["-wal", "-shm"] { Files.remove(account.cachePath + suffix) }
            try Files.rename(path, to: account.cachePath)
            for suffix in ["-wal", "-shm"] { Files.remove(path + suffix) }
            if !options.quiet { Output.line("The cache was rebuilt with \(report.inserted) messages.") }
        } catch {
            for suffix in ["", "-wal", "-shm"] { Files.remove(path + suffix) }
            throw error
        }
        _ = consume lock
    }
}

/// Remembers a failing unattended sync, so that cron tells it once and then daily.
struct FailureNotice {
    let account: Account

    private var path: String { account.stateDirectory + "/sync-failed" }
    private var today: Int64 { WallClock.milliseconds() / 86_400_000 }

    /// Whether a failure is to be told now: it is new, another kind, or a day older than when last told.
    func shouldTell(_ exitCode: ExitCode) -> Bool {
        let mark = "\(exitCode.rawValue) \(today)"
        if let told = try? Files.read(path), String(decoding: told, as: UTF8.self) == mark { return false }
        try? Files.replace(path, with: Array(mark.utf8))
        return true
    }

    /// Forgets a failure, after a success.
    func clear() {
        if Files.exists(path) { Files.remove(path) }
    }
}
