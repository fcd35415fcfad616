internal import SQLite

/// The number of conversations of lists, remembered while no mail changes.
struct ConversationCounts: Sendable {
    /// The most lists remembered.
    private static let listsMax = 256

    /// Up to this number of conversations, they are found first and sorted; above, a walk meets them soon.
    var sortedMax: Int64 = 2_000
    private var sequence: Int64 = -1
    private var counts: [String: Int64] = [:]

    /// The count of a list at a state of the journal; `nil` when it is not known.
    mutating func count(_ key: String, at newest: Int64) -> Int64? {
        if newest != sequence || counts.count > ConversationCounts.listsMax {
            counts = [:]
            sequence = newest
        }
        return counts[key]
    }

    /// Remembers the count of a list, at the state that was asked for last.
    mutating func remember(_ count: Int64, _ key: String) { counts[key] = count }
}

extension Store {
    /// The number of conversations that match.
    ///
    /// - Throws: `SQLiteError`.
    func conversationCount(_ filter: MessageFilter, _ caller: Caller) throws(SQLiteError) -> Int64 {
        let newest = try database.scalar("SELECT max(sequence) FROM messageJournal") ?? 0
        let readers = caller.isOwner ? "*" : caller.readable.joined(separator: ",")
        let parts = [readers, filter.mailbox ?? "", filter.folder ?? "", filter.search ?? ""]
        let key = JSONText.array(parts)
        if let known = conversationCounts.count(key, at: newest) { return known }
        // The index by thread has every column that is asked for but the star and the text, already in the order
        // that tells the threads apart.
        let index = filter.search == nil && filter.folder != "starred" ? "INDEXED BY messagesByThread" : ""
        let statement = try database.statement(
            """
            SELECT count(*) FROM (SELECT DISTINCT x.threadId FROM messages x \(index)
            WHERE \(caller.condition("x"))\(filter.conditions("x")))
            """)
        defer { statement.reset() }
        _ = filter.bind(statement, from: caller.bind(statement, from: 1), isConversation: true)
        let count = try statement.step() ? statement.int(0) : 0
        conversationCounts.remember(count, key)
        return count
    }
}
