internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform

/// What waits for the server, for the terminal program.
extension Backend {
    /// Queues what a person asks for; see `Session.enqueue`.
    func enqueue(_ order: TriageOrder) async throws -> BatchReceipt {
        try await current().enqueue(order.request, isUndoable: !order.isAutomatic)
    }

    /// Takes back the last thing that was queued; `nil` when there is none.
    func undo() async throws -> UndoReceipt? { try await current().undo() }

    /// Has the cache show what waits, where it does not yet: a process may have ended before it did.
    func showQueue() async throws {
        guard Files.exists(account.outboxPath) else { return }
        if MailReader.isAnothers(account.cachePath, owner: account.owner) { return }
        try await current().store.rematerialise()
    }

    /// Sends what waits.
    func drain() async throws -> DrainReport { try await current().outbox.drain() }

    /// How much waits.
    func outboxCounts() async throws -> OutboxCounts {
        // Of an account that was removed nothing waits, and what another person queued is not this one's.
        try checkIsKept()
        return try OutboxStore.counts(path: account.outboxPath, owner: account.owner)?.own ?? OutboxCounts()
    }

    /// What waits, oldest first, and what ended without being done, newest first.
    func outbox(limit: Int) async throws -> (operations: [Operation], journal: [JournalEntry]) {
        let store = try current().outbox.store()
        return (try await store.operations(limit: limit), try await store.journal(limit: limit))
    }

    /// Has an operation that waits tried again, whatever it waits for.
    func retryOperation(_ id: OperationID) async throws { _ = try await current().retryOperations(id) }

    /// Gives an operation up; `false` when it is being sent, or does not wait any more.
    func dropOperation(_ id: OperationID) async throws -> Bool { try await current().dropOperations([id]) == 1 }
}
