package import MailAPI
package import MailModel
internal import MailStorage

/// The part of a drain that sends mail, after all that has to be on the server before.
///
/// One mail at a time, in the order in which they were asked for. Runs under the drain's lock only.
package struct SendStage: Sendable {
    let queue: any SendQueue
    let server: any MailSending & SendReading
    let drafts: any DraftBringing
    let copies: any SentCopies
    let surroundings: Surroundings

    /// What a stage asks of the machine it runs on.
    package struct Surroundings: Sendable {
        /// Milliseconds since 1970.
        let now: @Sendable () -> Int64
        /// Whether a program that watches over sends still runs.
        let isMinding: @Sendable (SendMinderID) -> Bool
        /// A message as it reads when it is passed on; throws `MailAPIError`, `StoreError` or `CancellationError`.
        let original: @Sendable (MessageID) async throws -> String
        let tell: @Sendable (OutboxEvent) -> Void

        package init(
            now: @escaping @Sendable () -> Int64, isMinding: @escaping @Sendable (SendMinderID) -> Bool,
            original: @escaping @Sendable (MessageID) async throws -> String,
            tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
        ) {
            (self.now, self.isMinding, self.original, self.tell) = (now, isMinding, original, tell)
        }
    }

    /// A stage of an account's drain.
    package init(
        queue: any SendQueue, server: any MailSending & SendReading, drafts: any DraftBringing,
        copies: any SentCopies, surroundings: Surroundings
    ) {
        (self.queue, self.server, self.drafts) = (queue, server, drafts)
        (self.copies, self.surroundings) = (copies, surroundings)
    }

    /// Finds out what became of what was under way when a drain was killed, and of what programs watched over.
    ///
    /// Needs no server, so that what is shown is true also without one.
    /// - Throws: `OutboxError`.
    package func begin() async throws {
        try await queue.takeUpSends()
        try await lookAfter()
    }

    /// Sends what is due, and looks for copies.
    ///
    /// - Throws: `OutboxError`, `StoreError`, `CancellationError`.
    package func run() async throws -> DrainReport {
        var report = DrainReport()
        // Whether a sign-in helps now is found out with one send.
        _ = try await queue.releaseSends(.credentialRefused)
        for send in try await queue.sendsDue(now: surroundings.now()) {
            try Task.checkCancellation()
            var run = SendRun(stage: self, send: send)
            try await run.run()
            run.count(in: &report)
            if let ending = run.ending {
                report.ending = ending
                break
            }
        }
        report.nextAt = try await nextAt()
        return report
    }

    /// When mail is due next, in milliseconds since 1970; `nil` for never.
    ///
    /// - Throws: `OutboxError`.
    package func nextAt() async throws -> Int64? { try await queue.nextSendAt(after: surroundings.now()) }

    /// Holds what a program watched over that has ended, and takes over what it did not take back in time.
    private func lookAfter() async throws {
        for send in try await queue.mindedSends() {
            guard let minder = send.minder else { continue }
            let now = surroundings.now()
            if !surroundings.isMinding(minder) {
                try await queue.settle(
                    send.id, from: .queued, SendOutcome(.held(.interrupted, seen: nil)), at: now)
                surroundings.tell(.sendChanged(send.id, send.draft, .held(.interrupted)))
            } else if send.notBefore <= now || send.notBefore > now + OutboxStore.longestWaitMilliseconds {
                _ = try await queue.letGo(send.id)
            }
        }
    }
}
