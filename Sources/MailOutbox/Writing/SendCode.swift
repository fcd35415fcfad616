package import MailAPI

/// Why a mail was not sent, or why nobody knows; scripts may rely on the words.
package enum SendCode: String, Sendable, Hashable, CaseIterable {
    /// Nothing was sent: no network, no such host, nobody there, no secure connection.
    case offline
    case rateLimited = "rate-limited"
    case signedOut = "signed-out"
    case scopeMissing = "scope-missing"
    case accessLost = "access-lost"
    case actionForbidden = "action-forbidden"
    case senderGone = "sender-gone"
    case draftGone = "draft-gone"
    case messageGone = "message-gone"
    case fileGone = "file-gone"
    case requestRefused = "request-refused"
    case unclassified
    /// The connection broke, or the time ran out, after something was sent.
    case answerLost = "answer-lost"
    case serverFailed = "server-failed"
    /// Something answered that is not the mail server.
    case notTheServer = "not-the-server"
    /// The server did it, and its answer cannot be read.
    case unreadableAnswer = "unreadable-answer"
    /// The process ended, or was told to, while the request was under way.
    case interrupted

    /// What a failed request is a case of.
    package init(_ failure: WriteFailure) {
        switch failure.reach {
        case .done: self = .unreadableAnswer
        case .elsewhere: self = .notTheServer
        case .notSent, .unknown, .refused: self = SendCode.code(failure)
        }
    }

    private static func code(_ failure: WriteFailure) -> SendCode {
        guard let status = failure.status else { return unanswered(failure) }
        switch status {
        case 401: return .signedOut
        case 403 where failure.code == "INSUFFICIENT_SCOPE": return .scopeMissing
        case 403 where failure.code == "MAILBOX_FORBIDDEN": return .accessLost
        case 403: return .actionForbidden
        case 404: return gone(failure.code)
        case 400, 413, 415: return .requestRefused
        case 429: return .rateLimited
        case 500...: return .serverFailed
        default: return .unclassified
        }
    }

    private static func gone(_ code: String) -> SendCode {
        switch code {
        case "DRAFT_NOT_FOUND": .draftGone
        case "MESSAGE_NOT_FOUND": .messageGone
        case "ATTACHMENT_NOT_FOUND", "ATTACHMENT_OBJECT_NOT_FOUND": .fileGone
        case "MAILBOX_NOT_FOUND": .senderGone
        default: .unclassified
        }
    }

    /// There is no answer to the request; there may be one of the server that renews bearers.
    private static func unanswered(_ failure: WriteFailure) -> SendCode {
        if failure.reach == .unknown { return .answerLost }
        return switch failure.error {
        case .signInNeeded: .signedOut
        case .rateLimited: .rateLimited
        case .server: .serverFailed
        default: .offline
        }
    }

    /// What a failed read is a case of; a read sends nothing.
    package init(_ error: MailAPIError) {
        switch error {
        case .transport: self = .offline
        case .signInNeeded: self = .signedOut
        case .forbidden("INSUFFICIENT_SCOPE"): self = .scopeMissing
        case .forbidden: self = .accessLost
        case .notFound: self = .messageGone
        case .rateLimited: self = .rateLimited
        case .server: self = .serverFailed
        case .notJSON: self = .notTheServer
        case .refused: self = .unclassified
        default: self = .unreadableAnswer
        }
    }
}
