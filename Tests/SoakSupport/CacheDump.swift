package import SQLite

/// What a cache says, without the keys that differ from file to file.
package struct CacheDump: Sendable, Hashable {
    /// The values of each row by table and by the row's identity.
    package private(set) var tables: [String: [String: [String]]] = [:]

    /// Each table's columns; the first names the row, the others are compared.
    private static let queries: [(table: String, columns: [String], sql: String)] = [
        (
            "mailboxes", ["address", "name", "active", "access", "position", "listed"],
            """
            SELECT id, address, display_name, is_active, access_level, position,
                access_level IS NOT NULL AND listing <> 0
            FROM mailboxes
            """
        ),
        (
            "messages",
            [
                "thread", "mailbox", "direction", "folder", "from", "to", "subject", "snippet", "received", "sent",
                "read", "starred", "attachments", "created", "activity", "activity key", "state",
            ],
            """
            SELECT m.id, t.id, CASE m.mailbox_pk WHEN 0 THEN 'nobody' ELSE b.id END, m.direction, m.folder,
                m.from_address, m.to_json, m.subject, m.snippet, m.received_at, m.sent_at, m.read_at, m.starred_at,
                m.has_attachments, m.created_at, m.activity_at, m.activity_key, m.state
            FROM messages m LEFT JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
            """
        ),
        ("threads", [], "SELECT id FROM threads"),
        (
            "listings", ["shown", "shown key"],
            """
            SELECT coalesce(t.id, 'lost ' || l.thread_pk) || ' in '
                    || coalesce(b.id, CASE l.list / 16 WHEN 0 THEN 'all' ELSE 'lost' END) || ' ' || (l.list % 16),
                m.id, l.shown_key
            FROM listings l LEFT JOIN threads t ON t.pk = l.thread_pk LEFT JOIN messages m ON m.pk = l.shown_pk
                LEFT JOIN mailboxes b ON b.pk = l.list / 16
            """
        ),
        (
            "counts", ["unread", "total"],
            """
            SELECT coalesce(b.id, CASE c.list / 16 WHEN 0 THEN 'all' ELSE 'lost' END) || ' ' || (c.list % 16),
                c.unread, c.total
            FROM counts c LEFT JOIN mailboxes b ON b.pk = c.list / 16
            """
        ),
        (
            "drafts",
            [
                "mailbox", "reply", "forward", "from", "to", "cc", "bcc", "subject", "text", "html", "version",
                "updated", "attachments",
            ],
            """
            SELECT id, mailbox_id, reply_to_message_id, forward_of_message_id, from_address, to_json, cc_json,
                bcc_json, subject, text, html, version, updated_at, attachments_json
            FROM drafts
            """
        ),
        (
            "server values", ["folder", "read", "starred"],
            """
            SELECT coalesce(m.id, 'lost ' || s.message_pk), s.folder, s.read_at, s.starred_at
            FROM server_rows s LEFT JOIN messages m ON m.pk = s.message_pk
            """
        ),
        ("answers and losses", [], "SELECT message_id FROM echoes UNION SELECT message_id FROM lost_messages"),
        ("pending_listings", ["next"], "SELECT kind || ' ' || target, next FROM pending_listings"),
        (
            "sync", ["value"],
            "SELECT key, value FROM meta WHERE key IN ('bootstrapping', 'bootstrapped')"
        ),
        (
            "lost bodies", [],
            """
            SELECT 'body ' || message_pk FROM bodies WHERE message_pk NOT IN (SELECT pk FROM messages)
            UNION ALL SELECT 'html ' || message_pk FROM htmls WHERE message_pk NOT IN (SELECT pk FROM messages)
            UNION ALL SELECT 'mark of ' || m.id FROM messages m LEFT JOIN bodies b ON b.message_pk = m.pk
                WHERE m.body_state IN (1, 2) AND b.message_pk IS NULL
            """
        ),
    ]

    /// Reads a cache file.
    ///
    /// - Throws: `SQLiteError`.
    package init(path: String) throws(SQLiteError) {
        let database = try Database(path, mode: .readOnly)
        for (table, columns, sql) in CacheDump.queries {
            let row = try database.statement(sql)
            var rows: [String: [String]] = [:]
            while try row.step() {
                // Two rows of one identity would hide each other; the mark makes the tables differ.
                let twin = rows[row.text(0)] == nil ? [] : ["twin"]
                rows[row.text(0)] = columns.indices.map { row.optionalText(Int32($0) + 1) ?? "null" } + twin
            }
            row.reset()
            tables[table] = rows
        }
    }

    /// The ids of a table's rows.
    package func ids(_ table: String) -> Set<String> { Set((tables[table] ?? [:]).keys) }

    /// The thread of each message.
    package var threads: [String: String] { (tables["messages"] ?? [:]).compactMapValues(\.first) }

    /// Where two caches differ: ids and column names only.
    package func differences(to other: CacheDump, linesMax: Int = 40) -> [String] {
        var lines: [String] = []
        for (table, columns, _) in CacheDump.queries {
            let (ours, theirs) = (tables[table] ?? [:], other.tables[table] ?? [:])
            for id in Set(ours.keys).union(theirs.keys).sorted() where ours[id] != theirs[id] {
                guard let our = ours[id] else {
                    lines.append("\(table): \(id) is missing")
                    continue
                }
                guard let their = theirs[id] else {
                    lines.append("\(table): \(id) is too many")
                    continue
                }
                let names = columns.indices.filter { our[$0] != their[$0] }.map { columns[$0] }
                lines.append("\(table): \(id) differs in \(names.joined(separator: ", "))")
            }
        }
        return Array(lines.prefix(linesMax))
    }

    /// The messages whose text is kept in a cache file.
    ///
    /// - Throws: `SQLiteError`.
    package static func bodies(path: String) throws(SQLiteError) -> Set<String> {
        try ids("SELECT m.id FROM messages m JOIN bodies b ON b.message_pk = m.pk", path)
    }

    /// The messages that have the text of another one; the generator names each in its text.
    ///
    /// - Throws: `SQLiteError`.
    package static func strangeBodies(path: String) throws(SQLiteError) -> Set<String> {
        try ids(
            """
            SELECT m.id FROM messages m JOIN bodies b ON b.message_pk = m.pk
                WHERE b.text_body NOT LIKE '% of ' || m.id || '.'
            UNION SELECT m.id FROM messages m JOIN htmls h ON h.message_pk = m.pk
                WHERE h.html NOT LIKE '%Text of ' || m.id || '<%'
            """, path)
    }

    /// The messages that are neither whole nor known to be not to be had.
    ///
    /// - Throws: `SQLiteError`.
    package static func bodiless(path: String) throws(SQLiteError) -> Set<String> {
        try ids("SELECT id FROM messages WHERE body_state < 2", path)
    }

    private static func ids(_ sql: String, _ path: String) throws(SQLiteError) -> Set<String> {
        let database = try Database(path, mode: .readOnly)
        let row = try database.statement(sql)
        defer { row.reset() }
        var ids: Set<String> = []
        while try row.step() { ids.insert(row.text(0)) }
        return ids
    }
}
