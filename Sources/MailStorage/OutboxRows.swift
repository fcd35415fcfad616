internal import MailModel
internal import SQLite

/// A row of `operations` and its mapping to the model.
enum OperationRow {
    static func sql(_ condition: String) -> String {
        """
        SELECT id, batch_id, sequence, message_id, mailbox_id, kind, status, block_reason, created_at, attempts,
            refusals, next_attempt_at, last_failure, precondition, may_have_arrived
        FROM operations o WHERE \(condition)
        """
    }

    /// The operations that meet a condition of numbers.
    static func all(
        _ condition: String, _ numbers: [Int64], in database: Database
    ) throws(SQLiteError) -> [Operation] {
        let row = try database.statement(sql(condition))
        for (place, number) in numbers.enumerated() { row.bind(Int32(place + 1), number) }
        defer { row.reset() }
        var operations: [Operation] = []
        while try row.step() {
            if let operation = operation(row) { operations.append(operation) }
        }
        return operations
    }

    /// The operation of a row; `nil` for a kind that no version of this file has.
    static func operation(_ row: Statement) -> Operation? {
        guard let kind = OperationKind(name: row.text(5)) else { return nil }
        return Operation(
            id: OperationID(row.text(0)), batch: BatchID(row.text(1)), sequence: row.int(2),
            message: MessageID(row.text(3)), mailbox: row.optionalText(4).map { MailboxID($0) }, kind: kind,
            status: status(row.text(6), reason: row.optionalText(7)), createdAt: Timestamp(row.text(8)),
            attempts: Int(row.int(9)), refusals: Int(row.int(10)), nextAttemptAt: row.optionalInt(11),
            lastFailure: row.optionalText(12), precondition: row.optionalText(13), mayHaveArrived: row.bool(14))
    }

    private static func status(_ word: String, reason: String?) -> OperationStatus {
        switch word {
        case "inFlight": .inFlight
        case "retrying": .retrying
        case "blocked": .blocked(reason.flatMap { BlockReason(rawValue: $0) } ?? .retriesExhausted)
        default: .pending
        }
    }
}

/// A row of `batches`.
enum BatchRow {
    /// The batch of the columns id, name, count, created_at and is_undone.
    static func batch(_ row: Statement) -> OperationBatch {
        OperationBatch(
            id: BatchID(row.text(0)), name: row.text(1), count: Int(row.int(2)), createdAt: Timestamp(row.text(3)),
            isUndone: row.bool(4))
    }
}

/// Rows of `journal`.
enum JournalRow {
    private static let columns =
        "id, batch_id, message_id, mailbox_id, kind, verdict, reason, created_at, ended_at"

    static func newest(_ limit: Int, in database: Database) throws(SQLiteError) -> [JournalEntry] {
        try entries("TRUE ORDER BY pk DESC LIMIT ?1", in: database) { $0.bind(1, limit) }
    }

    /// What ended after a place, in order.
    static func all(after place: Int64, in database: Database) throws(SQLiteError) -> [JournalEntry] {
        try entries("pk > ?1 ORDER BY pk", in: database) { $0.bind(1, place) }
    }

    /// What of a batch ended, in order.
    ///
    /// Looks at the whole journal, which is bounded.
    static func all(of batch: BatchID, in database: Database) throws(SQLiteError) -> [JournalEntry] {
        try entries("batch_id = ?1 ORDER BY pk", in: database) { $0.bind(1, batch.rawValue) }
    }

    private static func entries(
        _ condition: String, in database: Database, _ bind: (Statement) -> Void
    ) throws(SQLiteError) -> [JournalEntry] {
        let row = try database.statement("SELECT \(columns) FROM journal WHERE \(condition)")
        bind(row)
        defer { row.reset() }
        var entries: [JournalEntry] = []
        while try row.step() {
            if let entry = entry(row) { entries.append(entry) }
        }
        return entries
    }

    /// The entry of a row; `nil` for words that no version of this file has.
    private static func entry(_ row: Statement) -> JournalEntry? {
        guard let kind = OperationKind(name: row.text(4)), let verdict = Verdict.Kind(rawValue: row.text(5)),
            let reason = Verdict.Reason(rawValue: row.text(6))
        else { return nil }
        return JournalEntry(
            id: OperationID(row.text(0)), batch: BatchID(row.text(1)), message: MessageID(row.text(2)),
            mailbox: row.optionalText(3).map { MailboxID($0) }, kind: kind, verdict: Verdict(verdict, reason),
            createdAt: Timestamp(row.text(7)), endedAt: Timestamp(row.text(8)))
    }
}
