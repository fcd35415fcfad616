internal import MailModel
internal import SQLite

/// Takes operations that ended out of the queue, inside one transaction.
struct OutboxEnding {
    private let database: Database
    private var touched: Set<MessageID> = []
    private var isJournaled = false

    init(_ database: Database) {
        self.database = database
    }

    private struct Ended {
        let sequence: Int64
        let message: MessageID
        let batchKey: Int64
        let place: Int64
    }

    private func ended(_ id: OperationID) throws(SQLiteError) -> Ended? {
        let row = try database.statement("SELECT sequence, message_id, batch_pk, place FROM operations WHERE id = ?1")
        row.bind(1, id.rawValue)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return Ended(
            sequence: row.int(0), message: MessageID(row.text(1)), batchKey: row.int(2), place: row.int(3))
    }

    /// Ends one that was done; an unknown one is fine.
    mutating func finish(_ id: OperationID) throws(SQLiteError) {
        if let ended = try ended(id) { try remove(ended) }
    }

    /// Ends one that was not done; an unknown one is fine.
    ///
    /// Undo has nothing to take back of it.
    mutating func drop(_ id: OperationID, _ verdict: Verdict, at milliseconds: Int64) throws(SQLiteError) {
        guard let ended = try ended(id) else { return }
        let entry = try database.statement(
            """
            INSERT INTO journal(id, batch_id, message_id, mailbox_id, kind, verdict, reason, created_at, ended_at)
            SELECT id, batch_id, message_id, mailbox_id, kind, ?2, ?3, created_at, ?4 FROM operations
            WHERE sequence = ?1
            """)
        entry.bind(1, ended.sequence)
        entry.bind(2, verdict.kind.rawValue)
        entry.bind(3, verdict.reason.rawValue)
        entry.bind(4, Timestamp(millisecondsSinceEpoch: milliseconds).text)
        try entry.run()
        isJournaled = true
        let effect = try database.statement("DELETE FROM effects WHERE batch_pk = ?1 AND place = ?2")
        effect.bind(1, ended.batchKey)
        effect.bind(2, ended.place)
        try effect.run()
        try remove(ended)
    }

    private mutating func remove(_ ended: Ended) throws(SQLiteError) {
        let removal = try database.statement("DELETE FROM operations WHERE sequence = ?1")
        removal.bind(1, ended.sequence)
        try removal.run()
        touched.insert(ended.message)
    }

    /// Tells caches what changed, and forgets the oldest verdicts.
    func finish() throws(SQLiteError) {
        try OutboxRevision.advance(touched, in: database)
        if !isJournaled { return }
        let trim = try database.statement("DELETE FROM journal WHERE pk <= (SELECT max(pk) FROM journal) - ?1")
        trim.bind(1, OutboxStore.journalMax)
        try trim.run()
    }
}
