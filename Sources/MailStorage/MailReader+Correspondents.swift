internal import MailModel
internal import SQLite

extension MailReader {
    /// How much mail addresses are learned from: the newest sent, and the newest received.
    static let learned = (sent: 2_000, received: 3_000)
    /// The most addresses that are learned.
    static let correspondentsMax = 3_000

    /// Addresses of the mail here, each once: those written to first, the newest first, then those that wrote.
    ///
    /// Of the newest mail only, found through `messages_folder_idx`; some milliseconds, whatever the size of the cache.
    ///
    /// - Throws: `StoreError`.
    package func correspondents() throws -> [String] {
        try read { database in
            var seen: Set<String> = []
            var all: [String] = []
            func add(_ address: String) {
                guard address.contains("@"), all.count < MailReader.correspondentsMax else { return }
                if seen.insert(address.lowercased()).inserted { all.append(address) }
            }
            for sql in [MailReader.writtenToSQL, MailReader.writersSQL] {
                let row = try database.statement(sql)
                defer { row.reset() }
                while try row.step() {
                    let addresses = row.text(0)
                    if addresses.hasPrefix("[") { Column.decodeStrings(addresses).forEach(add) } else { add(addresses) }
                }
            }
            return all
        }
    }

    static let writtenToSQL = """
        SELECT to_json FROM messages WHERE folder = 'sent' ORDER BY activity_key DESC LIMIT \(learned.sent)
        """

    static let writersSQL = """
        SELECT from_address FROM messages WHERE folder = 'inbox' ORDER BY activity_key DESC LIMIT \(learned.received)
        """
}
