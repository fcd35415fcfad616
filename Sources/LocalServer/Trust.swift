internal import SQLite

extension Store {
    /// Whether a user lets a sender's messages load remote images.
    ///
    /// - Throws: `SQLiteError`.
    func trusts(_ sender: String, _ caller: Caller) throws(SQLiteError) -> Bool {
        try text(
            "SELECT 1 FROM trustedSenders WHERE userId = ? AND address = ?", caller.user,
            sender.webTrimmed.lowercased()) != nil
    }
}
