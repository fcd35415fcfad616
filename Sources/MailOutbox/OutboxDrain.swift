package import MailAPI
package import MailModel
internal import Platform

/// Empties the queue of an account: sends what is due, saves what was written, and notes what became of it.
///
/// One drain runs at a time, in this process and in all of them: the kernel holds a lock. What a killed drain had under
/// way is taken up by the next one.
package actor OutboxDrain {
    /// How many operations are claimed at once.
    ///
    /// More would only help with a server that answers faster than a disk.
    static let batch = 256

    private let queue: any DrainQueue
    private let api: any MailActing
    private let truth: any ServerTruth
    /// What sends mail, once drafts are saved.
    private let sends: SendStage?
    private let lockPath: String
    private let now: @Sendable () -> Int64
    private let zone: @Sendable () -> ZoneOffsets
    private let tell: @Sendable (OutboxEvent) -> Void
    private let drafts: DraftSaver?
    private var isBusy = false
    /// Whether something was queued after the running drain may have looked for the last time.
    private var isAskedAgain = false
    /// Whether drafts are being saved, which may take as long as a file does.
    private var isWriting = false
    /// The sending of operations beside that.
    private var beside: Task<DrainReport, any Error>?

    /// A drain of one account; `now` answers milliseconds since 1970, and `zone` is for days in preconditions.
    package init(
        queue: any DrainQueue, api: any MailActing, truth: any ServerTruth, lockPath: String,
        drafts: DraftSaver? = nil, sends: SendStage? = nil, now: @escaping @Sendable () -> Int64,
        zone: @escaping @Sendable () -> ZoneOffsets = { ZoneOffsets(fixed: 0) },
        tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
    ) {
        self.queue = queue
        self.api = api
        self.truth = truth
        self.sends = sends
        self.lockPath = lockPath
        self.drafts = drafts
        self.now = now
        self.zone = zone
        self.tell = tell
    }

    /// Sends what is due until nothing is left, or the failure table ends it; what is queued meanwhile comes along.
    ///
    /// Operations do not wait for a file that is being uploaded: asked again meanwhile, a drain sends them beside it.
    /// - Throws: `OutboxError` or `StoreError`, with the queue as it was at the last commit; `SystemError` when there
    ///   can be no lock; `CancellationError` once the requests under way have ended.
    package func run() async throws -> DrainReport {
        if isBusy {
            isAskedAgain = true
            return isWriting && beside == nil ? try await sendBeside() : try await unsent(.busy)
        }
        isBusy = true
        defer { isBusy = false }
        guard let lock = try FileLock.take(lockPath) else { return try await unsent(.busy) }
        try await queue.takeUp(at: now())
        try await sends?.begin()
        var report = DrainReport()
        repeat {
            isAskedAgain = false
            report.add(try await runOnce())
        } while isAskedAgain && report.ending == nil
        // Also when something ended the drain before mail had its turn.
        report.nextAt = try await sends?.nextAt()
        _ = consume lock
        tell(.queueDepth(report.counts))
        try Task.checkCancellation()
        return report
    }

    /// Sends operations while something is written, under the lock of that.
    private func sendBeside() async throws -> DrainReport {
        let task = Task { try await runOperations() }
        beside = task
        let result = await task.result
        beside = nil
        let report = try result.get()
        tell(.queueDepth(report.counts))
        return report
    }

    /// The report of a drain that sent nothing.
    private func unsent(_ code: FailureCode, notBefore: Int64? = nil) async throws -> DrainReport {
        var report = DrainReport()
        report.ending = DrainEnding(code, error: code == .rateLimited ? .rateLimited : nil, notBefore: notBefore)
        report.counts = try await queue.counts()
        return report
    }

    private func runOnce() async throws -> DrainReport {
        var report = try await runOperations()
        guard report.ending == nil, drafts != nil || sends != nil else { return report }
        isWriting = true
        let written: Result<DrainReport, any Error>
        do {
            written = .success(try await write())
        } catch {
            written = .failure(error)
        }
        isWriting = false
        // The lock is held until both have ended.
        _ = await beside?.result
        report.add(try written.get())
        try await truth.showQueue()
        report.counts = try await queue.counts()
        return report
    }

    /// Saves drafts, and then sends mail.
    private func write() async throws -> DrainReport {
        var report = DrainReport()
        if let drafts {
            let saved = try await drafts.run()
            (report.saved, report.ending) = (saved.saved, saved.ending)
        }
        // A draft that the server fails at keeps no mail back.
        guard let sends, !(report.ending?.stopsAll ?? false) else { return report }
        let ending = report.ending
        report.add(try await sends.run())
        report.ending = report.ending ?? ending
        return report
    }

    private func runOperations() async throws -> DrainReport {
        if let end = try await queue.pauseEnd(after: now()) { return try await unsent(.rateLimited, notBefore: end) }
        // Whether a sign-in helps now is found out with one operation, as its first request is alone.
        _ = try await queue.release(.credentialRefused)
        var run = DrainRun(queue: queue, api: api, truth: truth, now: now, zone: zone, tell: tell)
        var report = try await run.run()
        report.counts = try await queue.counts()
        return report
    }
}
