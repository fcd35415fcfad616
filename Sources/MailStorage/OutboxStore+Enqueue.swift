package import MailModel
internal import SQLite

extension OutboxStore {
    /// Queues operations as one batch, all or none, and answers once they are on the disk.
    ///
    /// An operation that the person would not see the effect of is passed over. The state before is the one seen, with
    /// what waits replayed on it; so it need not have been shown yet. `name` is for the list of batches: see
    /// `TriageAction.title`.
    ///
    /// Undo passes over a batch that is not to be undone, since nobody asked for it.
    ///
    /// - Throws: `OutboxError`; nothing of the batch is queued then.
    package func enqueue(
        _ operations: [NewOperation], name: String, at milliseconds: Int64, isUndoable: Bool = true
    ) throws(OutboxError) -> BatchReceipt {
        if operations.isEmpty { return BatchReceipt(batch: nil, operations: []) }
        do {
            return try commit { database in
                var queue = try OutboxQueue(database, at: milliseconds)
                var writer = try BatchWriter(database, id: queue.newBatch(), isUndoable: isUndoable)
                for operation in operations { try writer.add(operation, to: &queue) }
                try writer.finish(name: name, at: queue.createdAt)
                try queue.finish()
                return writer.receipt
            }
        } catch .full {
            throw .notQueued
        }
    }
}

/// Writes one batch with its effects.
private struct BatchWriter {
    private let database: Database
    private let id: BatchID
    private let key: Int64
    private let insertion: Statement
    private let isUndoable: Bool
    private var effects = 0
    private var texts = RowTexts()
    private(set) var receipt = BatchReceipt(batch: nil, operations: [])

    init(_ database: Database, id: BatchID, isUndoable: Bool) throws(SQLiteError) {
        self.database = database
        self.id = id
        self.isUndoable = isUndoable
        // No batch has the key 0.
        key = isUndoable ? (try database.scalar("SELECT max(pk) FROM batches") ?? 0) + 1 : 0
        insertion = try database.statement(
            """
            INSERT INTO effects(batch_pk, place, message_id, mailbox_id, undo, operation_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """)
    }

    mutating func add(_ operation: NewOperation, to queue: inout OutboxQueue) throws(SQLiteError) {
        let waiting = try queue.waiting(for: operation.before.id)
        if operation.precondition == nil { try queue.liftCondition(operation.action, waiting) }
        // Replaying what the row shows already changes nothing.
        let before = waiting.reduce(operation.before) { $1.action.applied(to: $0, at: queue.createdAt) }
        let undo = UndoStep.steps(for: operation.action, on: before)
        if undo.isEmpty {
            receipt.idle += 1
            return
        }
        let outcome = try queue.add(
            OutboxQueue.Entry(
                message: before.id, mailbox: before.mailboxID, action: operation.action, inverse: undo.map(\.action),
                batch: id, batchKey: key, place: isUndoable ? effects : -1, precondition: operation.precondition),
            after: waiting)
        switch outcome {
        case .idle:
            receipt.idle += 1
            return
        case .cancelled: receipt.cancelled += 1
        case .queued(let operation): receipt.operations.append(operation)
        }
        effects += 1
        guard isUndoable else { return }
        insertion.bind(1, key)
        insertion.bind(2, effects - 1)
        texts.add(3, before.id.rawValue)
        texts.add(4, before.mailboxID?.rawValue)
        texts.add(5, UndoStep.column(undo))
        if case .queued(let operation) = outcome { texts.add(6, operation.rawValue) }
        try insertion.run(&texts)
    }

    /// Writes the batch, unless it did nothing, and forgets the oldest.
    mutating func finish(name: String, at instant: Timestamp) throws(SQLiteError) {
        if effects == 0 { return }
        receipt.batch = id
        guard isUndoable else { return }
        let statement = try database.statement(
            "INSERT INTO batches(pk, id, name, count, created_at) VALUES (?1, ?2, ?3, ?4, ?5)")
        statement.bind(1, key)
        statement.bind(2, id.rawValue)
        statement.bind(3, name)
        statement.bind(4, effects)
        statement.bind(5, instant.text)
        try statement.run()
        try forget()
    }

    /// Undo reaches back a number of batches; as many undone ones are kept to be listed.
    private func forget() throws(SQLiteError) {
        for isUndone in [false, true] {
            let oldest = try database.statement(
                "SELECT pk FROM batches WHERE is_undone = ?1 ORDER BY pk DESC LIMIT 1 OFFSET ?2")
            oldest.bind(1, isUndone)
            oldest.bind(2, OutboxStore.batchesMax)
            let last = try oldest.step() ? oldest.int(0) : 0
            oldest.reset()
            for sql in [
                "DELETE FROM effects WHERE batch_pk IN (SELECT pk FROM batches WHERE is_undone = ?1 AND pk <= ?2)",
                "DELETE FROM batches WHERE is_undone = ?1 AND pk <= ?2",
            ] {
                let removal = try database.statement(sql)
                removal.bind(1, isUndone)
                removal.bind(2, last)
                try removal.run()
            }
        }
    }
}
