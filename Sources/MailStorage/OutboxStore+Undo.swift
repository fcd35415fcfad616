package import MailModel
internal import SQLite

extension OutboxStore {
    /// Takes back the last batch that was not undone; `nil` when there is none.
    ///
    /// What was never sent goes from the queue. Of the rest the opposite is queued, after what is under way. What the
    /// server refused was not done and stays so; a batch that was refused whole is passed over.
    ///
    /// - Throws: `OutboxError`; nothing is taken back then.
    package func undo(at milliseconds: Int64) throws(OutboxError) -> UndoReceipt? {
        try commit { database in
            while let (key, batch) = try OutboxStore.undoable(in: database) {
                let effects = try Effect.all(of: key, in: database)
                try OutboxStore.markUndone(key, in: database)
                if effects.isEmpty { continue }
                var queue = try OutboxQueue(database, at: milliseconds)
                var receipt = UndoReceipt(batch: batch, cancelled: 0, operations: [])
                receipt.batch.isUndone = true
                for effect in effects { try effect.takeBack(batch.id, key, from: &queue, &receipt) }
                try queue.finish()
                return receipt
            }
            return nil
        }
    }

    private static func markUndone(_ key: Int64, in database: Database) throws(SQLiteError) {
        for sql in ["UPDATE batches SET is_undone = 1 WHERE pk = ?1", "DELETE FROM effects WHERE batch_pk = ?1"] {
            let statement = try database.statement(sql)
            statement.bind(1, key)
            try statement.run()
        }
    }

    private static func undoable(in database: Database) throws(SQLiteError) -> (Int64, OperationBatch)? {
        let row = try database.statement(
            """
            SELECT id, name, count, created_at, is_undone, pk FROM batches WHERE is_undone = 0
            ORDER BY pk DESC LIMIT 1
            """)
        defer { row.reset() }
        return try row.step() ? (row.int(5), BatchRow.batch(row)) : nil
    }
}

/// What a batch did to one message.
private struct Effect {
    let message: MessageID
    let mailbox: MailboxID?
    let undo: [UndoStep]
    let place: Int
    /// The operation's place in the queue; `nil` when it is not there any more.
    let sequence: Int64?

    /// The effects of a batch, the last first.
    static func all(of batch: Int64, in database: Database) throws(SQLiteError) -> [Effect] {
        let row = try database.statement(effectsSQL)
        row.bind(1, batch)
        defer { row.reset() }
        var effects: [Effect] = []
        while try row.step() {
            effects.append(
                Effect(
                    message: MessageID(row.text(0)), mailbox: row.optionalText(1).map { MailboxID($0) },
                    undo: UndoStep.steps(row.text(2)), place: Int(row.int(3)), sequence: row.optionalInt(4)))
        }
        return effects
    }

    static let effectsSQL = """
        SELECT e.message_id, e.mailbox_id, e.undo, e.place, o.sequence
        FROM effects e LEFT JOIN operations o ON o.id = e.operation_id
        WHERE e.batch_pk = ?1 ORDER BY e.place DESC
        """

    func takeBack(
        _ batch: BatchID, _ batchKey: Int64, from queue: inout OutboxQueue, _ receipt: inout UndoReceipt
    ) throws(SQLiteError) {
        var waiting = try queue.waiting(for: message)
        if let sequence, waiting.contains(where: { $0.sequence == sequence && $0.isUnsent }) {
            try queue.remove(sequence, of: message)
            receipt.cancelled += 1
            return
        }
        for step in undo {
            let entry = OutboxQueue.Entry(
                message: message, mailbox: mailbox, action: step.action, inverse: step.inverse, batch: batch,
                batchKey: batchKey, place: -1)
            switch try queue.add(entry, after: waiting) {
            case .queued(let id): receipt.operations.append(id)
            case .cancelled: receipt.cancelled += 1
            case .idle: break
            }
            waiting = try queue.waiting(for: message)
        }
    }
}
