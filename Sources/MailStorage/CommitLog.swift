internal import MailModel
internal import SQLite

/// Rows of `commits`: what the last commits changed, for this and other processes that show the cache.
enum CommitLog {
    /// Commits kept; one who missed more reads everything again.
    static let rowsMax = 256
    /// More messages than this are not named.
    static let namesMax = 1_000

    /// Notes a change inside the transaction that makes it; an empty one is not noted.
    static func append(_ change: StoreChange, in database: Database) throws(SQLiteError) {
        if change.isEmpty { return }
        let statement = try database.statement(
            """
            INSERT INTO commits(is_bootstrap, touches_mailboxes, touches_drafts, inserted_json, updated_json,
                deleted_json, bodies_json, threads_json, news_json)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        statement.bind(1, change.isBootstrap)
        statement.bind(2, change.touchesMailboxes)
        statement.bind(3, change.touchesDrafts)
        if let messages = change.messages, messages.count <= namesMax {
            statement.bind(4, Column.encode(messages.inserted.map(\.rawValue)))
            statement.bind(5, Column.encode(messages.updated.map(\.rawValue)))
            statement.bind(6, Column.encode(messages.deleted.map(\.rawValue)))
            statement.bind(7, Column.encode(messages.bodies.map(\.rawValue)))
            statement.bind(8, Column.encode(messages.threads.map(\.rawValue)))
        }
        // An empty name stands for unassigned mail.
        if !change.news.isEmpty { statement.bind(9, Column.encode(change.news.map { $0?.rawValue ?? "" })) }
        try statement.run()
        let old = try database.statement("DELETE FROM commits WHERE revision <= ?1")
        old.bind(1, database.lastInsertedRowID - Int64(rowsMax))
        try old.run()
    }

    /// The number of the last noted commit, 0 when none was.
    static func revision(in database: Database) throws(SQLiteError) -> Int64 {
        try database.scalar("SELECT max(revision) FROM commits") ?? 0
    }

    /// What changed after a commit, and the number of the last one; everything when the log does not reach back.
    static func changes(after revision: Int64, in database: Database) throws(SQLiteError) -> (StoreChange, Int64) {
        let row = try database.statement(
            """
            SELECT revision, is_bootstrap, touches_mailboxes, touches_drafts, inserted_json, updated_json,
                deleted_json, bodies_json, threads_json, news_json
            FROM commits WHERE revision > ?1 ORDER BY revision
            """)
        row.bind(1, revision)
        defer { row.reset() }
        var merged = StoreChange()
        var last = revision
        while try row.step() {
            if row.int(0) != last + 1 { return (.everything, try self.revision(in: database)) }
            last = row.int(0)
            merged.merge(change(row))
        }
        return (merged, last)
    }

    private static func change(_ row: Statement) -> StoreChange {
        var change = StoreChange()
        change.isBootstrap = row.bool(1)
        change.touchesMailboxes = row.bool(2)
        change.touchesDrafts = row.bool(3)
        if !row.isNull(9) {
            change.news = Set(Column.decodeStrings(row.text(9)).map { $0.isEmpty ? nil : MailboxID($0) })
        }
        guard !row.isNull(4) else {
            change.messages = nil
            return change
        }
        var messages = StoreChange.Messages()
        messages.inserted = ids(row, 4)
        messages.updated = ids(row, 5)
        messages.deleted = ids(row, 6)
        messages.bodies = ids(row, 7)
        messages.threads = Set(Column.decodeStrings(row.text(8)).map { ThreadID($0) })
        change.messages = messages
        return change
    }

    private static func ids(_ row: Statement, _ column: Int32) -> Set<MessageID> {
        Set(Column.decodeStrings(row.text(column)).map { MessageID($0) })
    }
}
