package import EventStream
package import HTTP

/// Why there is no stream of events, or no more of one.
///
/// Polling goes on in every case, so nothing is missed, only later.
package enum EventFeedError: Error, Hashable, Sendable {
    /// The exchange itself failed, at its start or while events were awaited.
    case transport(HTTPError)
    /// The credential is missing, expired or revoked (401).
    case signInNeeded
    /// The account may not listen (403).
    case forbidden
    /// The server asks not to come back (204).
    case closed
    /// The server has no such route after all (404, 405, 410, 501).
    case notOffered
    /// The answer is something else than a stream of events: another type, or a pointer to another address.
    case notEvents
    /// Too many requests (429).
    case rateLimited
    /// The server failed (5xx).
    case server(Int)
    /// Any other refusal.
    case refused(Int)
    /// The stream breaks the bounds of lines and events.
    case unreadable(EventStreamError)

    /// The error in words for people.
    package var message: String {
        switch self {
        case .transport(let error): error.message
        case .signInNeeded: "The server no longer accepts this sign-in. Sign in again."
        case .forbidden: "The server does not allow this account to listen for new mail."
        case .closed, .notOffered: "The server does not tell of new mail by itself. Herald asks for it."
        case .notEvents, .unreadable:
            "What the server sends in place of events cannot be read. Herald asks for new mail."
        case .rateLimited: "The server asks to slow down."
        case .server: "The server could not answer."
        case .refused(let status): "The server refused to tell of new mail (status \(status))."
        }
    }

    /// Whether the stream is worth opening again after a while.
    package var isRetryable: Bool {
        switch self {
        // A certificate that is refused is often that of the network's own sign-in page.
        case .transport(let error): error.isRetryable || error == .tlsFailed || error == .badResponse
        case .rateLimited, .server, .unreadable: true
        case .signInNeeded, .forbidden, .closed, .notOffered, .notEvents, .refused: false
        }
    }

    /// Whether only a new sign-in helps.
    package var needsSignIn: Bool { self == .signInNeeded }

    /// The failure that a status and a media type mean; `nil` for a stream of events.
    init?(status: Int, mediaType: String) {
        switch status {
        case 200 where mediaType == "text/event-stream": return nil
        case 204: self = .closed
        case 200..<400: self = .notEvents
        case 401: self = .signInNeeded
        case 403: self = .forbidden
        case 404, 405, 410, 501: self = .notOffered
        case 429: self = .rateLimited
        case 500...: self = .server(status)
        default: self = .refused(status)
        }
    }
}
