internal import SQLite

extension Store {
    /// The columns that tables gained after their first release, with what they hold in older rows.
    private static let laterColumns = [
        (table: "attachments", column: "objectKey", definition: "TEXT"),
        (table: "draftAttachments", column: "objectKey", definition: "TEXT NOT NULL DEFAULT ''"),
    ]

    /// Gives the tables of an older file the columns they lack; a new file has no tables yet.
    ///
    /// - Throws: `SQLiteError`.
    func upgrade() throws(SQLiteError) {
        for entry in Store.laterColumns {
            guard try text("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?", entry.table) != nil,
                try text("SELECT name FROM pragma_table_info(?) WHERE name = ?", entry.table, entry.column) == nil
            else { continue }
            try database.run("ALTER TABLE \(entry.table) ADD COLUMN \(entry.column) \(entry.definition)")
        }
    }
}
