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
        let counts: OutboxCounts
        do {
            counts = try OutboxStore.counts(path: path) ?? OutboxCounts()
        } catch {
            throw CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .inputOutput)
        }
        let count = counts.total
        if count == named ?? 0 { return }
        guard count > 0 else { throw CommandFailure("Nothing is unsent, so there is nothing to discard.", .badInput) }
        throw CommandFailure(
            "\(counts.words) \(count == 1 ? "is" : "are") not sent yet and would be lost. Sync first, or add “--discard \(count)”.",
            .badInput)
    }
}
