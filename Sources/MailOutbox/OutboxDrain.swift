package import MailAPI
internal import MailModel
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
    private let lockPath: String
    private let now: @Sendable () -> Int64
    private let tell: @Sendable (OutboxEvent) -> Void
    private let drafts: DraftSaver?
    private var isBusy = false
    /// Whether something was queued after the running drain may have looked for the last time.
    private var isAskedAgain = false

    /// A drain of one account; `now` answers milliseconds since 1970.
    package init(
        queue: any DrainQueue, api: any MailActing, truth: any ServerTruth, lockPath: String,
        drafts: DraftSaver? = nil, now: @escaping @Sendable () -> Int64,
        tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
    ) {
        self.queue = queue
        self.api = api
        self.truth = truth
        self.lockPath = lockPath
        self.drafts = drafts
        self.now = now
        self.tell = tell
    }

    /// Sends what is due until nothing is left, or the failure table ends it; what is queued meanwhile comes along.
    ///
    /// - Throws: `OutboxError` or `StoreError`, with the queue as it was at the last commit; `SystemError` when there
    ///   can be no lock; `CancellationError` once the requests under way have ended.
    package func run() async throws -> DrainReport {
        if isBusy {
            isAskedAgain = true
            return try await unsent(.busy)
        }
        isBusy = true
        defer { isBusy = false }
        guard let lock = try FileLock.take(lockPath) else { return try await unsent(.busy) }
        try await queue.takeUp(at: now())
        var report = DrainReport()
        repeat {
            isAskedAgain = false
            report.add(try await runOnce())
        } while isAskedAgain && report.ending == nil
        _ = consume lock
        tell(.queueDepth(report.counts))
        try Task.checkCancellation()
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
        if let end = try await queue.pauseEnd(after: now()) { return try await unsent(.rateLimited, notBefore: end) }
        // Whether a sign-in helps now is found out with one operation, as its first request is alone.
        _ = try await queue.release(.credentialRefused)
        var run = DrainRun(queue: queue, api: api, truth: truth, now: now, tell: tell)
        var report = try await run.run()
        if let drafts, report.ending == nil {
            let saved = try await drafts.run()
            report.saved += saved.saved
            report.ending = saved.ending
            try await truth.showQueue()
        }
        report.counts = try await queue.counts()
        return report
    }
}
