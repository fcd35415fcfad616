internal import MailAPI
internal import MailStorage

extension SyncError {
    /// A word of ours for the log; nothing the server said is in it.
    package var logCode: StaticString {
        switch self {
        case .server(let error): error.logCode
        case .store(let error): error.logCode
        case .alreadyRunning: "already-running"
        }
    }
}
