package import MailAPI
package import MailModel

/// Decides what becomes of operations, and whether more of them are sent; without clock, disk or network.
package struct OutboxMachine: Sendable {
    /// How many requests are under way at once.
    package static let windowMax = 4

    /// How many requests may be under way: one until the server has answered, so that one is enough to find out.
    package private(set) var window = 1
    /// Why nothing more is sent; `nil` while more is.
    package private(set) var ending: DrainEnding?

    package init() {}

    /// What a request came to.
    package enum Attempt: Sendable {
        case answered(MessageSummary)
        case failed(WriteFailure)
        /// The server has the message otherwise than the operation demands; nothing was asked for.
        case unmet(MessageSummary)
        /// The task was cancelled while the request was under way.
        case cancelled
    }

    /// Decides on an operation by what its request came to.
    package mutating func settle(_ operation: Operation, _ attempt: Attempt, now: Int64) -> Settlement {
        switch attempt {
        case .answered(let message):
            window = OutboxMachine.windowMax
            guard let code = FailureCode(answer: message, to: operation.kind) else {
                return Settlement(operation, .done, answer: message)
            }
            return settlement(operation, FailureTable.rule(code), answer: message, now: now, wait: nil)
        case .unmet(let message):
            window = OutboxMachine.windowMax
            return settlement(operation, FailureTable.rule(.notAsDemanded), answer: message, now: now, wait: nil)
        case .failed(let failure):
            let rule = FailureTable.rule(FailureCode(failure))
            if failure.reach == .refused || failure.reach == .done { window = OutboxMachine.windowMax }
            var settlement = settlement(
                operation, rule, now: now, wait: failure.retryAfterMilliseconds, error: failure.error)
            settlement.mayHaveArrived = failure.reach != .notSent && failure.reach != .refused
            return settlement
        case .cancelled:
            return settlement(operation, FailureTable.rule(.interrupted), now: now, wait: nil)
        }
    }

    private mutating func settlement(
        _ operation: Operation, _ rule: FailureRule, answer: MessageSummary? = nil, now: Int64, wait: Int64?,
        error: MailAPIError? = nil
    ) -> Settlement {
        var notBefore: Int64?
        if rule.code == .rateLimited { notBefore = now + (wait ?? OutboxMachine.wait(attempt: operation.attempts)) }
        if rule.endsDrain, ending == nil {
            ending = DrainEnding(rule.code, error: error, notBefore: notBefore)
        }
        let outcome: Settlement.Outcome
        switch rule.outcome {
        case .done: outcome = .done
        case .dropped(let verdict): outcome = .drop(rule.code, verdict)
        case .blocked(let reason), .allBlocked(let reason): outcome = .block(rule.code, reason)
        case .retrying, .unchanged:
            if let ceiling = rule.ceiling, operation.refusals + 1 >= ceiling.failures {
                outcome = .drop(rule.code, ceiling.verdict)
            } else {
                outcome = .retry(rule.code, notBefore: notBefore, counts: rule.ceiling != nil)
            }
        }
        return Settlement(operation, outcome, answer: answer, warning: rule.outcome == .done ? rule.code : nil)
    }

    /// How long nothing is sent after a refusal that does not say: 5 s, doubling up to 5 minutes.
    static func wait(attempt: Int) -> Int64 {
        min(5_000 << Int64(min(max(attempt - 1, 0), 6)), 300_000)
    }
}

/// Why a drain sent nothing more though something was left.
package struct DrainEnding: Sendable, Hashable {
    package var code: FailureCode
    /// What the person reads of it, when the server or the way to it is the reason.
    package var error: MailAPIError?
    /// When something may be sent again; `nil` when nobody said.
    package var notBefore: Int64?

    package init(_ code: FailureCode, error: MailAPIError? = nil, notBefore: Int64? = nil) {
        self.code = code
        self.error = error
        self.notBefore = notBefore
    }
}

extension DrainEnding {
    /// Whether there is no use in asking the server for anything else now.
    var stopsAll: Bool {
        switch code {
        case .serverFailed, .answerLost, .unclassified, .unreadableAnswer: false
        default: true
        }
    }
}

/// What a drain did.
package struct DrainReport: Sendable, Hashable {
    /// Operations the server has done, and mail whose Sent copy is known.
    package var done = 0
    /// How much of that is mail.
    package var sent = 0
    /// Drafts and files of drafts that the server has now as they are here.
    package var saved = 0
    /// Operations that left the queue without being done, and mail that the server refused.
    package var dropped = 0
    /// Those of them that the server refused, rather than that somebody had made pointless or a condition kept back.
    package var refused = 0
    /// Why it ended early; `nil` when nothing was left that is due.
    package var ending: DrainEnding?
    /// What waits now.
    package var counts = OutboxCounts()
    /// When the next drain has something to do by itself, in milliseconds since 1970; `nil` for never.
    package var nextAt: Int64?

    package init() {}

    /// Adds what a drain after it did.
    package mutating func add(_ later: DrainReport) {
        done += later.done
        sent += later.sent
        saved += later.saved
        dropped += later.dropped
        refused += later.refused
        (ending, counts, nextAt) = (later.ending, later.counts, later.nextAt)
    }
}
