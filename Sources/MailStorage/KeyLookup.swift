internal import MailModel
internal import SQLite

/// Finds the keys of many identifiers of `messages` or `threads` at once.
///
/// One statement for a hundred: a page of unknown messages costs one run of it.
struct KeyLookup {
    /// Identifiers asked for by one run.
    private static let parametersMax: Int32 = 100

    private let statement: Statement

    init(table: String, in database: Database) throws(SQLiteError) {
        statement = try database.statement(table == "messages" ? KeyLookup.messagesSQL : KeyLookup.threadsSQL)
    }

    static func sql(_ table: String) -> String {
        let parameters = (1...parametersMax).map { "?\($0)" }.joined(separator: ", ")
        return "SELECT pk, id FROM \(table) WHERE id_hash IN (\(parameters))"
    }

    private static let messagesSQL = sql("messages")
    private static let threadsSQL = sql("threads")
    static let messageSQL = "SELECT pk FROM messages WHERE id_hash = ?1 AND id = ?2"

    /// The identifiers that have one of these hashes, with their keys; some may be none of those looked for.
    func keys<ID: Identifier>(ofHashes hashes: [Int64]) throws(SQLiteError) -> [ID: Int64] {
        var found: [ID: Int64] = [:]
        var start = 0
        while start < hashes.count {
            let end = min(hashes.count, start + Int(KeyLookup.parametersMax))
            // Parameters that are not bound are NULL, which is like nothing.
            for place in start..<end { statement.bind(Int32(place - start + 1), hashes[place]) }
            while try statement.step() { found[ID(statement.text(1))] = statement.int(0) }
            statement.reset()
            start = end
        }
        return found
    }

    /// The key of one message.
    static func key(of id: MessageID, in database: Database) throws(SQLiteError) -> Int64? {
        let row = try database.statement(messageSQL)
        row.bind(1, SortKey.hash(id))
        row.bind(2, id.rawValue)
        defer { row.reset() }
        return try row.step() ? row.int(0) : nil
    }
}
