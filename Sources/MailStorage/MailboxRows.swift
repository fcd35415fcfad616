internal import MailModel
internal import SQLite

/// Rows of `mailboxes`.
enum MailboxRows {
    /// The key of a mailbox, made when it is new.
    static func key(of id: MailboxID, in database: Database) throws(SQLiteError) -> Int64 {
        let row = try database.statement("SELECT pk FROM mailboxes WHERE id = ?1")
        row.bind(1, id.rawValue)
        if try row.step() {
            defer { row.reset() }
            return row.int(0)
        }
        row.reset()
        let insert = try database.statement(
            """
            INSERT INTO mailboxes(id, address, display_name, is_active, access_level, position)
            VALUES (?1, '', '', 1, NULL, 1000000)
            """)
        insert.bind(1, id.rawValue)
        try insert.run()
        return database.lastInsertedRowID
    }

    /// Every mailbox with its key, in the server's order.
    static func all(in database: Database) throws(SQLiteError) -> [(key: Int64, mailbox: Mailbox)] {
        let row = try database.statement(
            "SELECT pk, id, address, display_name, is_active, access_level FROM mailboxes ORDER BY position, pk")
        defer { row.reset() }
        var mailboxes: [(key: Int64, mailbox: Mailbox)] = []
        while try row.step() {
            mailboxes.append(
                (
                    row.int(0),
                    Mailbox(
                        id: MailboxID(row.text(1)), address: row.text(2), displayName: row.text(3),
                        isActive: row.bool(4),
                        accessLevel: row.optionalText(5).map { AccessLevel(rawValue: $0) ?? .read })
                ))
        }
        return mailboxes
    }

    /// Whether the rows are exactly this list, in its order.
    static func areStored(_ mailboxes: [Mailbox], in database: Database) throws(SQLiteError) -> Bool {
        let stored = try all(in: database).map(\.mailbox)
        // Positions count from 0 without a gap, so that equal order means equal positions.
        let last = try database.scalar("SELECT max(position) FROM mailboxes") ?? -1
        return stored == mailboxes && last == Int64(mailboxes.count) - 1
    }

    /// Whether a mailbox whose mail was listed is readable before and after, at another level.
    static func isRegraded(_ mailbox: Mailbox, in database: Database) throws(SQLiteError) -> Bool {
        guard let level = mailbox.accessLevel else { return false }
        let row = try database.statement(
            "SELECT 1 FROM mailboxes WHERE id = ?1 AND listing = 1 AND access_level IS NOT NULL AND access_level <> ?2")
        row.bind(1, mailbox.id.rawValue)
        row.bind(2, level.rawValue)
        defer { row.reset() }
        return try row.step()
    }

    /// Has the mail of a mailbox listed again.
    static func setUnlisted(_ id: MailboxID, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("UPDATE mailboxes SET listing = 0 WHERE id = ?1")
        statement.bind(1, id.rawValue)
        try statement.run()
    }

    /// Writes a mailbox at its place in the list; answers whether anything changed.
    static func write(_ mailbox: Mailbox, position: Int, in database: Database) throws(SQLiteError) -> Bool {
        let statement = try database.statement(
            """
            INSERT INTO mailboxes(id, address, display_name, is_active, access_level, position)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT(id) DO UPDATE SET address = ?2, display_name = ?3, is_active = ?4, access_level = ?5,
                position = ?6
            WHERE address <> ?2 OR display_name <> ?3 OR is_active <> ?4 OR access_level IS NOT ?5 OR position <> ?6
            """)
        statement.bind(1, mailbox.id.rawValue)
        statement.bind(2, mailbox.address)
        statement.bind(3, mailbox.displayName)
        statement.bind(4, mailbox.isActive)
        statement.bind(5, mailbox.accessLevel?.rawValue)
        statement.bind(6, position)
        try statement.run()
        return database.changes > 0
    }
}
