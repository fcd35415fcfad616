internal import SQLite

/// How long a mailbox keeps its mail.
struct RetentionPolicy: Sendable {
    /// The days a message stays in the trash.
    var trashDays = 30
    /// The days any message is kept; `nil` for ever.
    var ageDays: Int?
}

extension Store {
    /// The most messages one run removes.
    private static let purgeMax = 100

    /// Sets a mailbox's policy, or takes it away.
    ///
    /// - Throws: `SQLiteError`.
    func setRetention(_ policy: RetentionPolicy?, mailbox: String) throws(SQLiteError) {
        try run("DELETE FROM retention WHERE mailboxId = ?", mailbox)
        guard let policy else { return }
        let statement = try database.statement("INSERT INTO retention VALUES(?, ?, ?)")
        statement.bind(1, mailbox)
        statement.bind(2, policy.trashDays)
        statement.bind(3, policy.ageDays.map(Int64.init))
        try statement.run()
    }

    /// The daily job: removes messages that outstayed their mailbox's policy; answers their ids.
    ///
    /// Each removal leaves a tombstone in the journal, and an entry for each draft that answers or forwards it.
    /// Mail without a policy, unassigned mail among it, is never removed.
    ///
    /// - Throws: `SQLiteError`.
    func purge() throws(SQLiteError) -> [String] {
        let now = clock.milliseconds
        let statement = try database.statement(
            """
            SELECT m.id, m.folder, m.trashedAt, m.createdAt, r.trashDays, r.ageDays
            FROM retention r JOIN messages m ON m.mailboxId = r.mailboxId ORDER BY m.createdAt, m.id
            """)
        var ids: [String] = []
        func isOlder(_ stamp: String, thanDays days: Int64) -> Bool {
            stamp < TimeText.text(now - min(max(days, 0), 1_000_000) * 86_400_000)
        }
        do {
            defer { statement.reset() }
            while ids.count < Store.purgeMax, try statement.step() {
                let isTrashed = statement.text(1) == "trash"
                let trashedAt = statement.optionalText(2)
                let isOut = isTrashed && (trashedAt.map { isOlder($0, thanDays: statement.int(4)) } ?? false)
                let isAged = statement.optionalInt(5).map { isOlder(statement.text(3), thanDays: $0) } ?? false
                if isOut || isAged { ids.append(statement.text(0)) }
            }
        }
        for id in ids { try deleteMessage(id) }
        return ids
    }
}
