internal import MailModel
internal import SQLite

/// The number that tells caches that operations came or went, and of which messages.
enum OutboxRevision {
    /// Revisions whose messages are kept; whoever missed more replays everything.
    static let kept: Int64 = 256
    /// More messages than this are not named: an empty name stands for all.
    static let namesMax = 1_000

    static func current(in database: Database) throws(SQLiteError) -> Int64 {
        try Meta.number("revision", database) ?? 0
    }

    /// Begins the next revision and notes the messages whose operations come or go with it.
    ///
    /// No message is no revision.
    static func advance(_ messages: Set<MessageID>, in database: Database) throws(SQLiteError) {
        if messages.isEmpty { return }
        let revision = try current(in: database) + 1
        try Meta.set("revision", String(revision), database)
        let insertion = try database.statement("INSERT INTO touched(revision, message_id) VALUES (?1, ?2)")
        for message in messages.count > namesMax ? [MessageID("")] : messages {
            insertion.bind(1, revision)
            insertion.bind(2, message.rawValue)
            try insertion.run()
        }
        let old = try database.statement("DELETE FROM touched WHERE revision <= ?1")
        old.bind(1, revision - kept)
        try old.run()
    }

    /// The messages whose operations came or went after a revision; `nil` when they cannot be named.
    static func touched(after revision: Int64, in database: Database) throws(SQLiteError) -> Set<MessageID>? {
        guard try current(in: database) - revision <= kept, try current(in: database) >= revision else { return nil }
        let row = try database.statement(touchedSQL)
        row.bind(1, revision)
        defer { row.reset() }
        var messages: Set<MessageID> = []
        while try row.step() {
            let name = row.text(0)
            if name.isEmpty { return nil }
            messages.insert(MessageID(name))
        }
        return messages
    }

    static let touchedSQL = "SELECT message_id FROM touched WHERE revision > ?1"
}
