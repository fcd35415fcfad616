internal import SQLite

extension Store {
    /// Removes a message for good, which leaves a tombstone in the journal.
    ///
    /// - Throws: `SQLiteError`.
    func deleteMessage(_ id: String) throws(SQLiteError) { try run("DELETE FROM messages WHERE id = ?", id) }

    /// Removes a mailbox; its messages belong to nobody then.
    ///
    /// - Throws: `SQLiteError`.
    func deleteMailbox(_ address: String) throws(SQLiteError) {
        try run("DELETE FROM mailboxes WHERE address = ?", address.lowercased())
    }

    /// Sets or takes away a grant; `false` when the user, mailbox or level is unknown.
    ///
    /// - Throws: `SQLiteError`.
    func grant(_ user: String, _ address: String, _ level: String) throws(SQLiteError) -> Bool {
        let user = "usr_local_" + user
        guard let mailbox = try mailbox(havingAddress: address),
            try text("SELECT id FROM users WHERE id = ?", user) != nil
        else { return false }
        if level == "none" {
            try run("DELETE FROM grants WHERE mailboxId = ? AND userId = ?", mailbox, user)
            return true
        }
        guard Level(level) != nil else { return false }
        try run("INSERT OR REPLACE INTO grants VALUES(?, ?, ?)", mailbox, user, level)
        return true
    }
}
