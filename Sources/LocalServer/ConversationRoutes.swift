internal import SQLite

extension Store {
    /// The folders a list of conversations can be of.
    static let conversationFolders: Set<String> = [
        "inbox", "sent", "starred", "archived", "trash", "catchall",
    ]
    private static let conversationPage = 50

    /// GET `/conversations`: pages of fifty.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func conversations(_ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        if let folder = request.parameter("folder"), !Store.conversationFolders.contains(folder) {
            throw Refusal.validation(
                """
                Invalid option: expected one of "inbox"|"sent"|"starred"|"archived"|"trash"|"catchall"
                """)
        }
        let place = try Store.conversationPlace(request, caller)
        let filter = MessageFilter(request, tier)
        if let search = filter.search, search.utf8.count > 50 { throw Refusal.patternTooLong }
        var text = JSONText()
        text.raw("{\"conversations\":[")
        let next = caller.readsNothing ? nil : try writeConversations(filter, caller, place, to: &text)
        text.raw("]")
        text.member(",\"nextCursor\":", next.map { Cursor.list("1", $0) })
        text.raw(",\"totalCount\":")
        if request.parameter("cursor") != nil {
            text.raw("null")
        } else {
            text.raw(caller.readsNothing ? "0" : String(try conversationCount(filter, caller)))
        }
        text.raw("}")
        return .json(text)
    }

    /// The place after which a page begins; a caller who can read nothing has none, whatever the cursor says.
    private static func conversationPlace(
        _ request: ServerRequest, _ caller: Caller
    ) throws(Refusal) -> Cursor.Place? {
        guard let cursor = request.parameter("cursor") else { return nil }
        guard !cursor.isEmpty else { throw .validation("Too small: expected string to have >=1 characters") }
        guard cursor.utf8.count <= 512 else {
            throw .validation("Too big: expected string to have <=512 characters")
        }
        if caller.readsNothing { return nil }
        guard let place = Cursor.place("1", cursor) else { throw .invalidConversationCursor }
        return place
    }

    private func writeConversations(
        _ filter: MessageFilter, _ caller: Caller, _ place: Cursor.Place?, to text: inout JSONText
    ) throws(SQLiteError) -> Cursor.Place? {
        let matching = try conversationCount(filter, caller)
        if matching == 0 { return nil }
        let isSorted = matching <= conversationCounts.sortedMax
        let statement = try database.statement(
            isSorted
                ? Store.sortedSQL(filter, caller, hasPlace: place != nil)
                : Store.walkSQL(filter, caller, hasPlace: place != nil))
        defer { statement.reset() }
        var index = isSorted ? filter.bind(statement, from: caller.bind(statement, from: 1), isConversation: true) : 1
        index = caller.bind(statement, from: index)
        if let place {
            statement.bind(index, place.activity)
            statement.bind(index + 1, place.id)
            index += 2
        }
        if !isSorted {
            index = filter.bind(statement, from: caller.bind(statement, from: index), isConversation: true)
            _ = caller.bind(statement, from: index)
        }
        var count = 0
        var last: Cursor.Place?
        while try statement.step() {
            if count == Store.conversationPage { return last }
            if count > 0 { text.raw(",") }
            try writeConversation(statement, caller, to: &text)
            count += 1
            last = Cursor.Place(activity: statement.text(15), id: statement.text(0))
        }
        return nil
    }

    /// Walks the readable messages from the newest; a row is one that is the newest of its thread.
    private static func walkSQL(_ filter: MessageFilter, _ caller: Caller, hasPlace: Bool) -> String {
        """
        SELECT \(summaryColumns), m.activityAt FROM messages m WHERE \(caller.condition("m"))\
        \(hasPlace ? " AND (m.activityAt, m.id) < (?, ?)" : "")
        AND EXISTS (SELECT 1 FROM messages x WHERE x.threadId = m.threadId AND \(caller.condition("x"))\
        \(filter.conditions("x")))
        AND NOT EXISTS (SELECT 1 FROM messages n WHERE n.threadId = m.threadId AND \(caller.condition("n"))
        AND (n.activityAt, n.id) > (m.activityAt, m.id))
        ORDER BY m.activityAt DESC, m.id DESC LIMIT \(conversationPage + 1)
        """
    }

    /// Takes the threads that match, and of each its newest readable message.
    private static func sortedSQL(_ filter: MessageFilter, _ caller: Caller, hasPlace: Bool) -> String {
        """
        WITH eligible AS MATERIALIZED (SELECT DISTINCT x.threadId FROM messages x
            WHERE \(caller.condition("x"))\(filter.conditions("x")))
        SELECT \(summaryColumns), m.activityAt FROM eligible CROSS JOIN messages m ON m.rowId = (
            SELECT n.rowId FROM messages n WHERE n.threadId = eligible.threadId AND \(caller.condition("n"))
            ORDER BY n.activityAt DESC, n.id DESC LIMIT 1)
        \(hasPlace ? "WHERE (m.activityAt, m.id) < (?, ?)" : "")
        ORDER BY m.activityAt DESC, m.id DESC LIMIT \(conversationPage + 1)
        """
    }

    private func writeConversation(_ row: Statement, _ caller: Caller, to text: inout JSONText) throws(SQLiteError) {
        let statement = try database.statement(
            """
            SELECT count(*), sum(t.direction = 'inbound' AND t.readAt IS NULL), max(t.starredAt IS NOT NULL),
            max(t.hasAttachments) FROM messages t WHERE \(caller.condition("t")) AND t.threadId = ?
            """)
        defer { statement.reset() }
        statement.bind(caller.bind(statement, from: 1), row.text(1))
        guard try statement.step() else { return }
        Store.writeSummary(row, to: &text, hasAttachments: statement.bool(3))
        text.member(",\"isStarred\":", json: statement.bool(2) ? "true" : "false")
        text.member(",\"messageCount\":", json: String(statement.int(0)))
        text.member(",\"unreadCount\":", json: String(statement.int(1)))
        text.raw("}")
    }
}
