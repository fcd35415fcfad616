package import MailAPI
package import MailStorage

/// Why a pass ended early.
///
/// What it committed until then stays, and the next pass goes on from there.
package enum SyncError: Error, Hashable, Sendable {
    /// The server's answer is missing or of no use.
    case server(MailAPIError)
    /// The cache could not be read or written.
    case store(StoreError)
    /// Another pass of this engine is running.
    case alreadyRunning

    /// The case of a lower layer's error; `nil` for cancellation and anything else.
    package init?(_ error: any Error) {
        switch error {
        case let error as SyncError: self = error
        case let error as MailAPIError: self = .server(error)
        case let error as StoreError: self = .store(error)
        default: return nil
        }
    }

    /// What the person reads.
    package var message: String {
        switch self {
        case .server(let error): error.message
        case .store(let error): error.message
        case .alreadyRunning: "A sync is running already."
        }
    }

    /// Whether the next pass may succeed without anyone doing anything.
    package var isRetryable: Bool {
        switch self {
        case .server(let error): error.isRetryable
        case .store(let error): error.isRetryable
        case .alreadyRunning: true
        }
    }

    /// Whether there is no way to the server now.
    package var isUnreachable: Bool {
        if case .server(let error) = self { return error.isUnreachable }
        return false
    }

    /// Whether only a new sign-in helps.
    package var needsSignIn: Bool {
        if case .server(let error) = self { return error.needsSignIn }
        return false
    }

    /// Whether the cache must be set aside before the next pass.
    package var isDamage: Bool { self == .store(.damaged) }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        switch self {
        case .server(let error): error.exitCode
        case .store(let error): error.exitCode
        case .alreadyRunning: 75
        }
    }
}
