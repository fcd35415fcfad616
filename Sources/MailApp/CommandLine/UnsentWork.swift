internal import MailModel
internal import MailStorage

/// What an account has not sent yet.
struct UnsentWork {
    private let path: String

    init(_ account: Account) { path = account.outboxPath }

    /// Refuses to let unsent work go unless the person named how much of it there is.
    ///
    /// - Throws: `CommandFailure`, also when the outbox cannot be read.
    func checkDiscard(_ named: Int?) throws(CommandFailure) {
        let count: Int
        do {
            let counts = try OutboxStore.counts(path: path) ?? OutboxCounts()
            count = counts.queued + counts.blocked + counts.unknown
        } catch {
            throw CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .inputOutput)
        }
        if count == named ?? 0 { return }
        guard count > 0 else { throw CommandFailure("Nothing is unsent, so there is nothing to discard.", .badInput) }
        let what = count == 1 ? "1 change is" : "\(count) changes are"
        throw CommandFailure(
            "\(what) not sent yet and would be lost. Sync first, or add “--discard \(count)”.", .badInput)
    }
}
