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
        let filter = MessageFilter(request)
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

    /// Walks the readable messages from the newest; a row is one that is the newest of its thread.
    private func writeConversations(
        _ filter: MessageFilter, _ caller: Caller, _ place: Cursor.Place?, to text: inout JSONText
    ) throws(SQLiteError) -> Cursor.Place? {
        let statement = try database.statement(
            """
            SELECT \(Store.summaryColumns), m.activityAt FROM messages m WHERE \(caller.condition("m"))\
            \(place == nil ? "" : " AND (m.activityAt, m.id) < (?, ?)")
            AND EXISTS (SELECT 1 FROM messages x WHERE x.threadId = m.threadId AND \(caller.condition("x"))\
            \(filter.conditions("x")))
            AND NOT EXISTS (SELECT 1 FROM messages n WHERE n.threadId = m.threadId AND \(caller.condition("n"))
            AND (n.activityAt, n.id) > (m.activityAt, m.id))
            ORDER BY m.activityAt DESC, m.id DESC LIMIT \(Store.conversationPage + 1)
            """)
        defer { statement.reset() }
        var index = caller.bind(statement, from: 1)
        if let place {
            statement.bind(index, place.activity)
            statement.bind(index + 1, place.id)
            index += 2
        }
        index = filter.bind(statement, from: caller.bind(statement, from: index), isConversation: true)
        _ = caller.bind(statement, from: index)
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

    private func conversationCount(_ filter: MessageFilter, _ caller: Caller) throws(SQLiteError) -> Int64 {
        let statement = try database.statement(
            """
            SELECT count(DISTINCT x.threadId) FROM messages x WHERE \(caller.condition("x"))\(filter.conditions("x"))
            """)
        defer { statement.reset() }
        _ = filter.bind(statement, from: caller.bind(statement, from: 1), isConversation: true)
        return try statement.step() ? statement.int(0) : 0
    }
}
