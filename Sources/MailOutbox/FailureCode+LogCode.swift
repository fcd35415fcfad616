extension FailureCode {
    /// The word for the log.
    package var logCode: StaticString {
        switch self {
        case .offline: "offline"
        case .answerLost: "answer-lost"
        case .notTheServer: "not-the-server"
        case .rateLimited: "rate-limited"
        case .serverFailed: "server-failed"
        case .signedOut: "signed-out"
        case .scopeMissing: "scope-missing"
        case .accessLost: "access-lost"
        case .actionForbidden: "action-forbidden"
        case .requestRefused: "request-refused"
        case .messageGone: "message-gone"
        case .unclassified: "unclassified"
        case .unreadableAnswer: "unreadable-answer"
        case .noEffect: "no-effect"
        case .notAsDemanded: "not-as-demanded"
        case .interrupted: "interrupted"
        case .anotherPerson: "another-person"
        case .busy: "busy"
        case .local: "local"
        }
    }
}
