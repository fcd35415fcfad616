internal import MailModel
internal import SQLite

/// Rows of `echoes`: what the server answered to actions, laid over what pages say.
///
/// A page that was on its way before an action was done says what was before. It is laid over until a pass that began
/// after the answer has ended well: that one's changes tell of the action, and of what others did since.
enum Echoes {
    static func exist(in database: Database) throws(SQLiteError) -> Bool {
        try database.scalar("SELECT EXISTS (SELECT 1 FROM echoes)") == 1
    }

    static func note(_ answer: MessageSummary, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            "INSERT OR REPLACE INTO echoes(message_id, folder, read_at, starred_at) VALUES (?1, ?2, ?3, ?4)")
        statement.bind(1, answer.id.rawValue)
        statement.bind(2, answer.folder)
        statement.bind(3, answer.readAt?.text)
        statement.bind(4, answer.starredAt?.text)
        try statement.run()
    }

    static let echoSQL = "SELECT folder, read_at, starred_at FROM echoes WHERE message_id = ?1"

    /// A message with the answer laid over it; `nil` when there was none.
    static func laid(on message: MessageSummary, in database: Database) throws(SQLiteError) -> MessageSummary? {
        let row = try database.statement(echoSQL)
        row.bind(1, message.id.rawValue)
        defer { row.reset() }
        guard try row.step() else { return nil }
        var message = message
        message.folder = row.text(0)
        message.readAt = row.optionalText(1).map { Timestamp($0) }
        message.starredAt = row.optionalText(2).map { Timestamp($0) }
        return message
    }

    static func remove(_ id: MessageID, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("DELETE FROM echoes WHERE message_id = ?1")
        statement.bind(1, id.rawValue)
        try statement.run()
    }

    /// Forgets those that were there when the pass began, and answers their messages.
    static func end(in database: Database) throws(SQLiteError) -> Set<MessageID> {
        let row = try database.statement("DELETE FROM echoes WHERE is_old = 1 RETURNING message_id")
        defer { row.reset() }
        var messages: Set<MessageID> = []
        while try row.step() { messages.insert(MessageID(row.text(0))) }
        return messages
    }
}

extension MailStore {
    /// Notes that a pass begins: all that it will ask for comes after the answers that are here.
    ///
    /// Rows show what waits from now on, also when nothing came. Writes nothing when they do already and no action was
    /// answered since the last pass.
    /// - Throws: `StoreError`.
    package func passBegins() throws {
        try rematerialise()
        guard try read({ try $0.scalar("SELECT EXISTS (SELECT 1 FROM echoes WHERE is_old = 0)") }) == 1 else { return }
        try commit { try $0.run("UPDATE echoes SET is_old = 1") }
    }

    /// Notes that the pass ended well: rows show what it heard, also of messages acted upon before it began.
    ///
    /// New mail that nobody was told of while two further passes ended is no news any more, and mail that the server stored
    /// before this pass's newest will be none; `milliseconds` since 1970 is the time now, by which a date from the
    /// far future is known. Writes nothing when nothing came.
    /// - Throws: `StoreError`.
    package func passEnds(at milliseconds: Int64 = .max) throws {
        try ageArrivals(at: milliseconds)
        guard try read({ try $0.scalar("SELECT EXISTS (SELECT 1 FROM echoes WHERE is_old = 1)") }) == 1 else { return }
        try commitMessages { database, outbox in
            let messages = try Echoes.end(in: database)
            var writes = try MessageWrites(database: database, outbox: outbox)
            try writes.replay(messages)
            try writes.finish()
        }
    }
}
