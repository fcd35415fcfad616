package import MailAPI
package import MailModel

/// Why an operation was not done, or not as it was meant; scripts may rely on the words.
package enum FailureCode: String, Sendable, Hashable, CaseIterable {
    /// Nothing was sent: no network, no such host, nobody there, no secure connection.
    case offline
    /// The connection broke, or the time ran out, after something was sent.
    case answerLost = "answer-lost"
    /// Something answered that is not the mail server.
    case notTheServer = "not-the-server"
    case rateLimited = "rate-limited"
    case serverFailed = "server-failed"
    case signedOut = "signed-out"
    case scopeMissing = "scope-missing"
    case accessLost = "access-lost"
    case actionForbidden = "action-forbidden"
    case requestRefused = "request-refused"
    case messageGone = "message-gone"
    case unclassified
    /// The server did it, and its answer cannot be read.
    case unreadableAnswer = "unreadable-answer"
    /// The server answered that it did nothing.
    case noEffect = "no-effect"
    /// The server has the message otherwise than was demanded.
    case notAsDemanded = "not-as-demanded"
    /// The process ended, or was told to, while the request was under way.
    case interrupted
    /// Another person has signed in.
    case anotherPerson = "another-person"
    /// Another process drains the queue.
    case busy
    /// A file of this machine cannot be read or written.
    case local
}

extension FailureCode {
    /// What a failed write is a case of.
    package init(_ failure: WriteFailure) {
        switch failure.reach {
        case .done: self = .unreadableAnswer
        case .elsewhere: self = .notTheServer
        case .notSent, .unknown, .refused: self = FailureCode.code(failure)
        }
    }

    private static func code(_ failure: WriteFailure) -> FailureCode {
        guard let status = failure.status else { return unanswered(failure) }
        switch status {
        case 401: return .signedOut
        case 403 where failure.code == "INSUFFICIENT_SCOPE": return .scopeMissing
        case 403 where failure.code == "MAILBOX_FORBIDDEN": return .accessLost
        case 403: return .actionForbidden
        case 404: return .messageGone
        case 400, 413, 415: return .requestRefused
        case 429: return .rateLimited
        case 500...: return .serverFailed
        default: return .unclassified
        }
    }

    /// There is no answer to the write; there may be one of the server that renews bearers.
    private static func unanswered(_ failure: WriteFailure) -> FailureCode {
        switch failure.error {
        case .signInNeeded: .signedOut
        case .rateLimited: .rateLimited
        case .server: .serverFailed
        default: failure.reach == .unknown ? .answerLost : .offline
        }
    }

    /// The case of an answer that shows the message unmoved; `nil` for one that shows the action done.
    ///
    /// The server answers `unarchive` and `restore` of a message that is elsewhere with the message as it is.
    package init?(answer: MessageSummary, to kind: OperationKind) {
        guard case .triage(let action) = kind, action == .unarchive || action == .restore,
            answer.isIn(.archived) || answer.isIn(.trash)
        else { return nil }
        self = .noEffect
    }
}
