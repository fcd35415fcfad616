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

    /// What a failed request is a case of: as with operations, but for what exactly is gone.
    package init(_ failure: WriteFailure) {
        let code = FailureCode(failure)
        if failure.reach == .unknown, failure.status == nil {
            // Whatever is known of the way, the server may have sent it.
            self = .answerLost
        } else if code == .messageGone {
            self = SendCode.gone(failure.code)
        } else {
            self = SendCode(rawValue: code.rawValue) ?? .unclassified
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
