internal import HTTP
internal import MailAPI
internal import MailModel
internal import MailOutbox
internal import MailSignIn
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

    /// Notes what a drain did; one that had nothing to do is no news.
    func drained(_ report: DrainReport, _ account: Account) {
        guard report.done > 0 || report.dropped > 0 || report.ending != nil else { return }
        note(
            .info, "queue sent", .account(account), .number("done", report.done), .number("dropped", report.dropped),
            .number("queued", report.counts.queued), .number("blocked", report.counts.blocked),
            .code("ending", report.ending?.code.logCode ?? "none"))
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
        case let error as OutboxError: error.logCode
        case let error as SignInError: error.code
        case let error as TokenStoreError: error.code
        case is HTTPError: "transport"
        case is CommandFailure: "command"
        default: "unexpected"
        }
    }
}
