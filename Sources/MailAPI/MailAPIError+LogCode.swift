internal import HTTP

extension MailAPIError {
    /// A word of ours for the log; nothing the server said is in it.
    package var logCode: StaticString {
        switch self {
        case .transport(let error): MailAPIError.logCode(of: error)
        case .signInNeeded: "sign-in-needed"
        case .forbidden: isScope ? "scope" : "forbidden"
        case .notFound: "not-found"
        case .invalidCursor: "invalid-cursor"
        case .rateLimited: "rate-limited"
        case .server: "server-failed"
        case .refused: "refused"
        case .notJSON: "not-json"
        case .malformed: "malformed"
        case .tooOld: "too-old"
        case .foreignLink: "foreign-link"
        case .endlessPages: "endless-pages"
        case .implausible: "implausible"
        }
    }

    private static func logCode(of error: HTTPError) -> StaticString {
        switch error {
        case .badURL: "bad-url"
        case .badRequest: "bad-request"
        case .badBody: "bad-body"
        case .unknownHost: "unknown-host"
        case .unreachable: "unreachable"
        case .timedOut: "timed-out"
        case .tlsFailed: "tls-failed"
        case .interrupted: "interrupted"
        case .tooLarge: "too-large"
        case .badResponse: "bad-response"
        case .stopped: "stopped"
        case .transportFailed: "transport-failed"
        }
    }
}
