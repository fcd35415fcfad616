internal import HTTP
internal import MailAPI
internal import MailStorage
internal import MailSync

/// The lines about work done, worded in one place.
extension Log {
    /// Notes that a pass begins.
    func passStarted(_ account: Account) { note(.debug, "pass started", .account(account)) }

    /// Notes that texts were asked for.
    func bodiesFetched(_ count: Int, _ account: Account) {
        note(.debug, "texts fetched", .account(account), .number("messages", count))
    }

    /// Notes what a pass did.
    func passFinished(_ report: PassReport, _ account: Account) {
        note(
            .info, "pass finished", .account(account), .number("inserted", report.inserted),
            .number("updated", report.updated), .number("deleted", report.deleted),
            .flag("bootstrap", report.isBootstrap), .number("requests", report.requests),
            .number("bytes", report.bytes), .number("ms", report.durationMilliseconds))
    }

    /// Notes that work did not come to its end; a cancelled one is no failure.
    func failed(_ text: StaticString, _ error: any Error, _ account: Account) {
        if error is CancellationError { return }
        note(
            .error, text, .account(account), .code("reason", Log.code(error)),
            .number("exit", Int(Failures.failure(error).exitCode.rawValue)))
    }

    private static func code(_ error: any Error) -> StaticString {
        switch error {
        case let error as SyncError: error.logCode
        case let error as MailAPIError: error.logCode
        case let error as StoreError: error.logCode
        case is HTTPError: "transport"
        case is CommandFailure: "command"
        default: "unexpected"
        }
    }
}
