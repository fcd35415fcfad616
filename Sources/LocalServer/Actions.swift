internal import SQLite

extension Store {
    /// Does an action on a message; `false` for an unknown action.
    ///
    /// - Throws: `SQLiteError`.
    func act(_ action: String, on id: String) throws(SQLiteError) -> Bool {
        let home = "CASE WHEN direction = 'outbound' THEN 'sent' WHEN isUnassigned THEN 'catchall' ELSE 'inbox' END"
        let change: String
        switch action {
        case "read": change = "readAt = ?1 WHERE id = ?2"
        case "unread": change = "readAt = NULL WHERE id = ?2"
        case "star": change = "starredAt = ?1 WHERE id = ?2"
        case "unstar": change = "starredAt = NULL WHERE id = ?2"
        case "archive": change = "folder = 'archived', archivedAt = ?1, trashedAt = NULL WHERE id = ?2"
        case "trash": change = "folder = 'trash', trashedAt = ?1 WHERE id = ?2"
        case "unarchive":
            change = "folder = \(home), archivedAt = NULL, trashedAt = NULL WHERE id = ?2 AND folder = 'archived'"
        case "restore":
            change = "folder = \(home), archivedAt = NULL, trashedAt = NULL WHERE id = ?2 AND folder = 'trash'"
        default: return false
        }
        try run("UPDATE messages SET " + change, now(), id)
        return true
    }

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
