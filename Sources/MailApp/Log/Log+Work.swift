internal import MailModel
internal import MailOutbox
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
            .error, text, .account(account), .code("reason", Failures.code(error) ?? "command"),
            .number("exit", Int(Failures.failure(error).exitCode.rawValue)))
    }
}
