internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import Platform

extension Session {
    /// Queues what a person asks for, and has the cache show it; answers once both are on the disk.
    ///
    /// An operation for each message that is shown, and none for one that came since or that may only be read. Undo
    /// passes over what nobody asked for. Asks no server.
    /// - Throws: `OutboxError`, `StoreError`, `CommandFailure`.
    func enqueue(_ request: TriageRequest, isUndoable: Bool = true) async throws -> BatchReceipt {
        guard let reader = try MailReader(path: account.cachePath, owner: account.owner) else {
            throw CommandFailure("No mail is here yet. Run “herald --sync-once”.", .badInput)
        }
        let permitted = try await reader.operations(for: request)
        var receipt = try await outbox.store().enqueue(
            permitted.operations, name: request.action.title, at: WallClock.milliseconds(), isUndoable: isUndoable)
        receipt.readOnly = permitted.readOnly
        try await store.rematerialise()
        return receipt
    }

    /// Takes back the last thing that was queued; `nil` when there is none.
    ///
    /// - Throws: `OutboxError`, `StoreError`.
    func undo() async throws -> UndoReceipt? {
        let receipt = try await outbox.store().undo(at: WallClock.milliseconds())
        if receipt != nil { try await store.rematerialise() }
        return receipt
    }

    /// Tries operations again that wait: one, or all; answers how many.
    ///
    /// - Throws: `OutboxError`.
    func retryOperations(_ id: OperationID?) async throws -> Int { try await outbox.store().hurry(id) }

    /// Gives operations up, so that their messages are as the server has them; answers how many.
    ///
    /// One that is being sent cannot be given up.
    /// - Throws: `OutboxError`, `StoreError`.
    func dropOperations(_ ids: [OperationID]) async throws -> Int {
        let outbox = try outbox.store()
        // Nothing is being sent while the lock is ours, whatever a killed process has left behind.
        let lock = try? FileLock.take(account.drainLockPath)
        if lock != nil {
            try await outbox.restart()
            try await outbox.takeUpSends()
        }
        let count = try await outbox.giveUp(ids, at: WallClock.milliseconds())
        _ = consume lock
        try await store.rematerialise()
        return count
    }
}
