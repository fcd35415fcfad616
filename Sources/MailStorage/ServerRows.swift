internal import MailModel
internal import SQLite

/// Rows of `server_rows`: what the server says of messages that are shown with what waits replayed on them.
///
/// Only what a replay can change is kept; the rest of the message's row is the server's.
enum ServerRows {
    static let truthSQL = "SELECT folder, read_at, starred_at FROM server_rows WHERE message_pk = ?1"

    /// A stored message as the server has it, and whether its values were kept apart.
    static func truth(
        of stored: StoredMessage, in database: Database
    ) throws(SQLiteError) -> (message: MessageSummary, isKept: Bool) {
        let row = try database.statement(truthSQL)
        row.bind(1, stored.member.pk)
        defer { row.reset() }
        var message = stored.summary
        guard try row.step() else { return (message, false) }
        message.folder = row.text(0)
        message.readAt = row.optionalText(1).map { Timestamp($0) }
        message.starredAt = row.optionalText(2).map { Timestamp($0) }
        return (message, true)
    }

    static let keepSQL = """
        INSERT INTO server_rows(message_pk, folder, read_at, starred_at)
        SELECT pk, ?3, ?4, ?5 FROM messages WHERE id_hash = ?1 AND id = ?2
        ON CONFLICT(message_pk) DO UPDATE SET folder = ?3, read_at = ?4, starred_at = ?5
        """

    /// Keeps the server's values of a message that is here; one that was lost is found again.
    static func keep(_ truth: MessageSummary, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(keepSQL)
        statement.bind(1, SortKey.hash(truth.id))
        statement.bind(2, truth.id.rawValue)
        statement.bind(3, truth.folder)
        statement.bind(4, truth.readAt?.text)
        statement.bind(5, truth.starredAt?.text)
        try statement.run()
    }

    /// Forgets the values of a message that is shown as the server has it.
    static func remove(_ key: Int64, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("DELETE FROM server_rows WHERE message_pk = ?1")
        statement.bind(1, key)
        try statement.run()
    }

    static let messagesSQL = "SELECT m.id FROM server_rows s JOIN messages m ON m.pk = s.message_pk"

    /// The messages whose values are kept.
    static func messages(in database: Database) throws(SQLiteError) -> Set<MessageID> {
        let row = try database.statement(messagesSQL)
        defer { row.reset() }
        var messages: Set<MessageID> = []
        while try row.step() { messages.insert(MessageID(row.text(0))) }
        return messages
    }
}

/// Rows of `lost_messages`: messages that went away while operations waited for them.
///
/// They wait here until the outbox has ended the operations, so that a crash in between forgets none.
enum LostMessages {
    static func note(_ id: MessageID, _ reason: Verdict.Reason, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            "INSERT OR REPLACE INTO lost_messages(message_id, reason) VALUES (?1, ?2)")
        statement.bind(1, id.rawValue)
        statement.bind(2, reason.rawValue)
        try statement.run()
    }

    static func remove(_ id: MessageID, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("DELETE FROM lost_messages WHERE message_id = ?1")
        statement.bind(1, id.rawValue)
        try statement.run()
    }

    /// The messages by why they went.
    static func all(in database: Database) throws(SQLiteError) -> [Verdict.Reason: [MessageID]] {
        let row = try database.statement("SELECT message_id, reason FROM lost_messages ORDER BY message_id")
        defer { row.reset() }
        var lost: [Verdict.Reason: [MessageID]] = [:]
        while try row.step() {
            guard let reason = Verdict.Reason(rawValue: row.text(1)) else { continue }
            lost[reason, default: []].append(MessageID(row.text(0)))
        }
        return lost
    }
}
