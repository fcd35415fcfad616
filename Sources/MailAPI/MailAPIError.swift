package import HTTP
package import JSON

/// Why the server's answer is missing or of no use.
///
/// Nothing was changed on either side by a failed read.
package enum MailAPIError: Error, Hashable, Sendable {
    /// The exchange itself failed.
    case transport(HTTPError)
    /// The credential is missing, expired or revoked (401), with the server's code.
    case signInNeeded(String)
    /// The account may not do this (403), with the server's code.
    case forbidden(String)
    /// There is no such thing (404), with the server's code.
    case notFound(String)
    /// A cursor the server no longer takes: 410, or 400 with one of the cursor codes.
    case invalidCursor
    /// Too many requests (429); the wait is not told.
    case rateLimited
    /// The server failed (5xx).
    case server(Int)
    /// Any other refusal, with status and the server's code.
    case refused(Int, String)
    /// The answer is not JSON: a sign-in page, a proxy, another kind of site.
    case notJSON
    /// The answer is JSON that breaks the contract.
    case malformed(JSONError)
    /// The server has no change feed (before 1.2).
    case tooOld
    /// A page names a next page on another host or another route, or one without a cursor.
    case foreignLink
    /// Pages that never end: a cursor came twice, or more came than any server can have.
    case endlessPages
    /// An answer no mail server sends: more rows than were asked for, or an identifier that is none.
    case implausible

    /// What the person reads.
    package var message: String {
        switch self {
        case .transport(let error): MailAPIError.message(of: error)
        case .signInNeeded: "The server no longer accepts this sign-in. Sign in again."
        case .forbidden("INSUFFICIENT_SCOPE"): "This sign-in does not cover what was asked. Sign in again."
        case .forbidden: "The server does not allow this account to do that."
        case .notFound: "The server no longer has what was asked for."
        case .invalidCursor: "The server no longer knows where the last sync ended. The next one starts over."
        case .rateLimited: "The server asks to slow down. The next try is in a minute."
        case .server: "The server could not answer."
        case .refused(let status, _): "The server refused the request (status \(status))."
        case .notJSON: "This address answers with something other than mail. Check the server's address."
        case .malformed: "The server sent an answer that cannot be read. Nothing was changed."
        case .tooOld: "This server is too old. HQBase 1.2 or newer is needed."
        case .foreignLink: "The server pointed to another address for the rest of a list. Nothing was sent there."
        case .endlessPages: "The server sent a list without an end. It was not read further."
        case .implausible: "The server sent an answer that no mail server sends. Nothing of it was kept."
        }
    }

    private static func message(of error: HTTPError) -> String {
        switch error {
        case .unreachable, .unknownHost, .transportFailed:
            "The server cannot be reached."
        default: error.message
        }
    }

    /// Whether the same request may succeed later without anyone doing anything.
    package var isRetryable: Bool {
        switch self {
        case .transport(let error): error.isRetryable
        case .rateLimited, .server, .invalidCursor: true
        default: false
        }
    }

    /// Whether there is no way to the server now: no network, or nobody who answers.
    package var isUnreachable: Bool {
        switch self {
        case .transport(.unreachable), .transport(.unknownHost), .transport(.timedOut), .transport(.transportFailed):
            true
        default: false
        }
    }

    /// Whether only a new sign-in helps.
    package var needsSignIn: Bool {
        switch self {
        case .signInNeeded: true
        default: isScope
        }
    }

    /// Whether the credential is good but lacks a scope.
    package var isScope: Bool { self == .forbidden("INSUFFICIENT_SCOPE") }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        switch self {
        case .transport(.tooLarge), .transport(.badResponse): 76
        case .transport, .server: 69
        case .rateLimited: 75
        case .signInNeeded, .forbidden: 77
        case .notFound, .invalidCursor, .refused, .notJSON, .malformed, .tooOld, .foreignLink, .endlessPages,
            .implausible:
            76
        }
    }
}
