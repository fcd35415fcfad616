internal import DisplayText
package import MailModel
internal import SQLite

extension MailStore {
    /// What is wrong with the index: empty when it holds exactly the words of the messages that are here.
    ///
    /// Reads everything, so it is for tests and for looking into a doubt. What waits to be indexed is a fault too.
    /// Names keys only.
    /// - Throws: `StoreError`.
    package func searchFaults(text: (String, MessageHTML?) -> String) throws -> [String] {
        let waiting = try read { try $0.scalar("SELECT count(*) FROM search_queue") ?? 0 }
        let gone = try read { try $0.scalar("SELECT count(*) FROM search_docs WHERE message_pk < 0") ?? 0 }
        var faults: [String] = []
        if waiting > 0 { faults.append("\(waiting) wait") }
        if gone > 0 { faults.append("\(gone) are gone") }
        return try commit { database in
            // All waits for a moment, so that what should be there is read as it always is.
            try database.run("SAVEPOINT audit; INSERT OR IGNORE INTO search_queue SELECT pk, 0 FROM messages")
            defer { try? database.run("ROLLBACK TO audit; RELEASE audit") }
            for work in try SearchDocuments.work(messagesMax: .max, bytesMax: .max, in: database) {
                let wanted = work.words(text)
                let stored = try SearchDocuments.words(of: work.key, turn: work.turn, in: database)
                guard let stored else {
                    faults.append("\(work.key) is not there")
                    continue
                }
                if !stored.hasWords(of: wanted) { faults.append("\(work.key) has other words") }
            }
            let lost =
                "SELECT count(*) FROM search_docs WHERE message_pk > 0 AND message_pk NOT IN (SELECT pk FROM messages)"
            if try database.scalar(lost) != 0 { faults.append("words without a message") }
            let bodies = "SELECT count(*) FROM search_bodies WHERE docid NOT IN (SELECT docid FROM search_docs)"
            if try database.scalar(bodies) != 0 { faults.append("bodies without a message") }
            do {
                try database.run("INSERT INTO search_index(search_index, rank) VALUES ('integrity-check', 1)")
            } catch {
                faults.append("the index does not have the words of its documents")
            }
            return faults
        }
    }
}

extension SearchWords {
    fileprivate func hasWords(of other: SearchWords) -> Bool {
        (from, to, subject, snippet) == (other.from, other.to, other.subject, other.snippet) && body == other.body
            && isSent == other.isSent
    }
}

extension SearchDocuments {
    /// The words of a message as they are kept.
    fileprivate static func words(
        of key: Int64, turn: Int64, in database: Database
    ) throws(SQLiteError) -> SearchWords? {
        let row = try database.statement(
            """
            SELECT d.from_words, d.to_words, d.subject_words, d.snippet_words, b.words, d.is_sent
            FROM search_docs d LEFT JOIN search_bodies b ON b.docid = d.docid WHERE d.message_pk = ?1
            """)
        row.bind(1, key)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return SearchWords(
            key: key, turn: turn, activityKey: 0, isSent: row.bool(5), from: row.text(0), to: row.text(1),
            subject: row.text(2), snippet: row.text(3), body: row.optionalText(4))
    }
}
