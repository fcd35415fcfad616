internal import MailModel
internal import SQLite

/// Writes messages and remembers the threads that must be derived again.
///
/// Used inside one transaction; `finish` must be called before it commits.
struct MessageWrites {
    let database: Database
    private let generation: Int64
    private(set) var counts = CommitCounts()
    private var touchedThreads: Set<Int64> = []
    private var mailboxes: [MailboxID: Int64] = [:]
    private var change = StoreChange()

    /// A bootstrap's messages are not named in the log.
    init(database: Database, isBootstrap: Bool = false) throws(SQLiteError) {
        self.database = database
        change.isBootstrap = isBootstrap
        if isBootstrap { change.messages = nil }
        generation = try Meta.number("generation", database) ?? 0
    }

    /// Inserts or updates a message; an equal row is no change.
    mutating func upsert(_ message: MessageSummary) throws(SQLiteError) {
        if let stored = try stored(message.id) {
            try update(message, stored: stored)
        } else {
            try insert(message)
        }
    }

    /// Removes a message and its body; an unknown one is fine.
    mutating func delete(_ id: MessageID) throws(SQLiteError) {
        guard let stored = try stored(id) else { return }
        for table in ["messages WHERE pk", "bodies WHERE message_pk", "htmls WHERE message_pk"] {
            let statement = try database.statement("DELETE FROM \(table) = ?1")
            statement.bind(1, stored.pk)
            try statement.run()
        }
        touchedThreads.insert(stored.thread)
        counts.deleted += 1
        note(\.deleted, id, stored.summary.threadID)
    }

    /// Brings conversations, lists and counts up to date and notes the change in the log.
    func finish() throws(SQLiteError) {
        try ThreadDerivation.update(touchedThreads, in: database)
        if counts != CommitCounts() { try CommitLog.append(change, in: database) }
    }

    private mutating func note(
        _ kind: WritableKeyPath<StoreChange.Messages, Set<MessageID>>, _ id: MessageID, _ threads: ThreadID...
    ) {
        guard change.messages != nil else { return }
        change.messages?[keyPath: kind].insert(id)
        for thread in threads { change.messages?.threads.insert(thread) }
        if counts.inserted + counts.updated + counts.deleted > CommitLog.namesMax { change.messages = nil }
    }

    private struct Stored {
        var pk: Int64
        var thread: Int64
        var generation: Int64
        var summary: MessageSummary
    }

    private func stored(_ id: MessageID) throws(SQLiteError) -> Stored? {
        let row = try database.statement(
            """
            SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")), m.pk, m.thread_pk, m.generation
            FROM messages m JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
            WHERE m.id = ?1
            """)
        row.bind(1, id.rawValue)
        defer { row.reset() }
        guard try row.step() else { return nil }
        let next = MessageRow.columnCount
        return Stored(
            pk: row.int(next), thread: row.int(next + 1), generation: row.int(next + 2),
            summary: MessageRow.summary(row))
    }

    private mutating func insert(_ message: MessageSummary) throws(SQLiteError) {
        let thread = try threadKey(message.threadID)
        let statement = try database.statement(
            """
            INSERT INTO messages(id, thread_pk, mailbox_pk, direction, folder, from_address, to_json, subject,
                snippet, received_at, sent_at, read_at, starred_at, has_attachments, created_at, activity_at,
                generation)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """)
        MessageRow.bind(
            message, thread: thread, mailbox: try mailboxKey(message.mailboxID), generation: generation, to: statement)
        try statement.run()
        touchedThreads.insert(thread)
        counts.inserted += 1
        note(\.inserted, message.id, message.threadID)
    }

    private mutating func update(_ message: MessageSummary, stored: Stored) throws(SQLiteError) {
        guard stored.summary != message else {
            if stored.generation != generation { try touch(stored.pk) }
            return
        }
        let thread = try threadKey(message.threadID)
        let statement = try database.statement(
            """
            UPDATE messages SET thread_pk = ?2, mailbox_pk = ?3, direction = ?4, folder = ?5, from_address = ?6,
                to_json = ?7, subject = ?8, snippet = ?9, received_at = ?10, sent_at = ?11, read_at = ?12,
                starred_at = ?13, has_attachments = ?14, created_at = ?15, activity_at = ?16, generation = ?17
            WHERE id = ?1
            """)
        MessageRow.bind(
            message, thread: thread, mailbox: try mailboxKey(message.mailboxID), generation: generation, to: statement)
        try statement.run()
        touchedThreads.insert(thread)
        touchedThreads.insert(stored.thread)
        counts.updated += 1
        note(\.updated, message.id, message.threadID, stored.summary.threadID)
    }

    /// Marks an unchanged row as seen by the running bootstrap.
    private func touch(_ pk: Int64) throws(SQLiteError) {
        let statement = try database.statement("UPDATE messages SET generation = ?2 WHERE pk = ?1")
        statement.bind(1, pk)
        statement.bind(2, generation)
        try statement.run()
    }

    private func threadKey(_ id: ThreadID) throws(SQLiteError) -> Int64 {
        let row = try database.statement("SELECT pk FROM threads WHERE id = ?1")
        row.bind(1, id.rawValue)
        if try row.step() {
            defer { row.reset() }
            return row.int(0)
        }
        row.reset()
        let insert = try database.statement("INSERT INTO threads(id) VALUES (?1)")
        insert.bind(1, id.rawValue)
        try insert.run()
        return database.lastInsertedRowID
    }

    /// The key of a mailbox; one that the mailbox list has not named yet gets a row without access.
    private mutating func mailboxKey(_ id: MailboxID?) throws(SQLiteError) -> Int64 {
        guard let id else { return 0 }
        if let key = mailboxes[id] { return key }
        let key = try MailboxRows.key(of: id, in: database)
        mailboxes[id] = key
        return key
    }
}
