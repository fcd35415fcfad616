package import MailModel

/// What becomes of an operation that met a failure: one line of the table of failures.
package struct FailureRule: Sendable, Hashable {
    /// What kind of failure it is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nobody's fault and over by itself; it never counts against an operation.
        case environment
        /// A new sign-in helps, and nothing else.
        case credential
        /// It would fail in the same way for ever.
        case permanent
        /// Nobody knows what it means.
        case unclassified
        /// The server has done it.
        case done
        /// This machine is at fault; the queue is as it was.
        case local
    }

    /// What becomes of the operation.
    package enum Outcome: Sendable, Hashable {
        /// It stays and is tried again; with a ceiling, it is dropped when it failed so often in a row.
        case retrying
        /// It waits for somebody.
        case blocked(BlockReason)
        /// It waits for somebody, and so do all others.
        case allBlocked(BlockReason)
        /// It leaves the queue for the journal.
        case dropped(Verdict)
        /// It leaves the queue.
        case done
        /// It stays as it was.
        case unchanged
    }

    /// How often an operation may be refused in a way that nobody knows, and what ends it then.
    package struct Ceiling: Sendable, Hashable {
        package let failures: Int
        package let verdict: Verdict
    }

    package let code: FailureCode
    /// When it applies, as a phrase for the pages.
    package let condition: String
    package let kind: Kind
    package let outcome: Outcome
    /// Whether nothing else is sent until the next drain.
    package let endsDrain: Bool
    package let ceiling: Ceiling?

    init(
        _ code: FailureCode, _ kind: Kind, _ outcome: Outcome, endsDrain: Bool = false, ceiling: Ceiling? = nil,
        _ condition: String
    ) {
        self.code = code
        self.condition = condition
        self.kind = kind
        self.outcome = outcome
        self.endsDrain = endsDrain
        self.ceiling = ceiling
    }

    /// What is told of it, besides the new counts.
    package var events: [OutboxEvent.Name] {
        switch outcome {
        case .dropped: [.mutationDropped]
        case .retrying where ceiling != nil: [.failed, .deadLetter, .mutationDropped]
        case .unchanged where code == .anotherPerson: [.resetRequired]
        case .unchanged where code == .busy: []
        default: [.failed]
        }
    }
}

/// The one table of what a failure does to an operation; the queue, its tests and the pages are made from it.
package enum FailureTable {
    /// Every line, in the order they are listed.
    package static let all: [FailureRule] = [
        FailureRule(
            .offline, .environment, .retrying, endsDrain: true,
            "no network, no such host, nobody there, no secure connection: nothing was sent"),
        FailureRule(
            .answerLost, .environment, .retrying, endsDrain: true,
            "the connection broke or the time ran out after something was sent; the action is safe to repeat"),
        FailureRule(
            .notTheServer, .environment, .retrying, endsDrain: true,
            "a web page, a redirect or a refusal without the server's envelope: a proxy, or a network's sign-in page"),
        FailureRule(
            .rateLimited, .environment, .retrying, endsDrain: true,
            "429; nothing is sent for as long as the answer asks, else 5 s, doubling up to 5 minutes"),
        FailureRule(
            .serverFailed, .environment, .retrying, endsDrain: true, "5xx; the action is safe to repeat"),
        FailureRule(
            .signedOut, .credential, .allBlocked(.credentialRefused), endsDrain: true,
            "401, also with a renewed token; each later drain asks with one operation"),
        FailureRule(
            .scopeMissing, .credential, .allBlocked(.credentialRefused), endsDrain: true,
            "403 INSUFFICIENT_SCOPE: the sign-in may read and not write; each later drain asks with one operation"),
        FailureRule(
            .accessLost, .permanent, .dropped(.accessLost),
            "403 MAILBOX_FORBIDDEN: the access to the mailbox is gone, or too low for the action"),
        FailureRule(.actionForbidden, .permanent, .dropped(Verdict(.rejected, .columnDenied)), "any other 403"),
        FailureRule(
            .requestRefused, .permanent, .dropped(Verdict(.rejected, .constraint)), "400, 413, 415"),
        FailureRule(.messageGone, .permanent, .dropped(.deleteWins), "404: the message was deleted on the server"),
        FailureRule(
            .noEffect, .permanent, .dropped(Verdict(.superseded, .superseded)),
            "200, and the message stayed where it was: somebody had moved it elsewhere"),
        FailureRule(
            .notAsDemanded, .permanent, .dropped(Verdict(.rejected, .precondition)),
            "the message does not fit “--if” on the server any more; it was asked right before, and nothing was sent"),
        FailureRule(
            .unclassified, .unclassified, .retrying,
            ceiling: FailureRule.Ceiling(failures: 5, verdict: Verdict(.deadLetter, .permanentTransport)),
            "any other 3xx or 4xx of the server"),
        FailureRule(
            .unreadableAnswer, .done, .done,
            "2xx with an answer that cannot be read; it is not repeated, and the next pass shows what is"),
        FailureRule(
            .interrupted, .local, .retrying, endsDrain: true, "the program ended while the request was under way"),
        FailureRule(
            .anotherPerson, .local, .unchanged, endsDrain: true,
            "the queue belongs to another sign-in; nothing is sent until “herald outbox adopt”"),
        FailureRule(.busy, .local, .unchanged, endsDrain: true, "another process drains the queue"),
        FailureRule(
            .local, .local, .unchanged, endsDrain: true, "a full disk, or a database that cannot be read or written"),
    ]

    /// The line of a failure.
    package static func rule(_ code: FailureCode) -> FailureRule {
        // Every code has a line, which a test makes sure of; what stays in the queue is never lost.
        all.first { $0.code == code } ?? FailureRule(code, .local, .unchanged, endsDrain: true, "unknown")
    }
}
