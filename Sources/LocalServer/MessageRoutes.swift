internal import SQLite

extension Store {
    /// The columns of a summary, of the table named `m`.
    static let summaryColumns = """
        m.id, m.threadId, m.mailboxId, m.direction, m.folder, m.fromAddress, m.toJSON, m.subject, m.snippet, \
        m.receivedAt, m.sentAt, m.readAt, m.starredAt, m.hasAttachments, m.createdAt
        """

    /// Writes the members of a summary from a row that begins with `summaryColumns`, with the opening brace.
    static func writeSummary(_ row: Statement, to text: inout JSONText, hasAttachments: Bool? = nil) {
        text.member("{\"id\":", row.text(0))
        text.member(",\"threadId\":", row.text(1))
        text.member(",\"mailboxId\":", row.optionalText(2))
        text.member(",\"direction\":", row.text(3))
        text.member(",\"folder\":", row.text(4))
        text.member(",\"fromAddress\":", row.text(5))
        text.member(",\"to\":", json: row.text(6))
        text.member(",\"subject\":", row.text(7))
        text.member(",\"snippet\":", row.text(8))
        text.member(",\"receivedAt\":", row.optionalText(9))
        text.member(",\"sentAt\":", row.optionalText(10))
        text.member(",\"readAt\":", row.optionalText(11))
        text.member(",\"starredAt\":", row.optionalText(12))
        text.member(",\"hasAttachments\":", json: hasAttachments ?? row.bool(13) ? "true" : "false")
        text.member(",\"createdAt\":", row.text(14))
    }

    /// GET `/messages`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func messages(_ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        let limit = try Store.limit(request)
        if caller.readsNothing { return ServerAnswer(body: Array("[]".utf8)) }
        var place: Cursor.Place?
        if let cursor = request.parameter("cursor"), !cursor.isEmpty {
            guard let read = Cursor.place("\"m1\"", cursor) else { throw Refusal.invalidCursor }
            place = read
        }
        let filter = MessageFilter(request, tier)
        if let search = filter.search, search.utf8.count > 50 { throw Refusal.patternTooLong }
        let statement = try database.statement(MessageFilter.listSQL(filter, caller, hasPlace: place != nil))
        defer { statement.reset() }
        var index = filter.bind(statement, from: caller.bind(statement, from: 1))
        if let place {
            statement.bind(index, place.activity)
            statement.bind(index + 1, place.id)
            index += 2
        }
        statement.bind(index, limit + 1)
        return try page(statement, limit, request)
    }

    private func page(_ statement: Statement, _ limit: Int, _ request: ServerRequest) throws -> ServerAnswer {
        var text = JSONText()
        text.raw("[")
        var count = 0
        var last = Cursor.Place(activity: "", id: "")
        var hasMore = false
        while try statement.step() {
            if count == limit {
                hasMore = true
                break
            }
            if count > 0 { text.raw(",") }
            Store.writeSummary(statement, to: &text)
            text.raw("}")
            count += 1
            if count == limit { last = Cursor.Place(activity: statement.text(15), id: statement.text(0)) }
        }
        text.raw("]")
        var answer = ServerAnswer.json(text)
        if hasMore {
            answer.headers.append(
                PageLink.next(request, ["mailboxId", "folder", "search", "limit"], Cursor.list("\"m1\"", last)))
        }
        return answer
    }

    /// GET `/messages/{id}`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func message(_ id: String, _ caller: Caller) throws -> ServerAnswer {
        try checkMessage(id, caller, .read)
        let statement = try database.statement(
            "SELECT \(Store.detailColumns) FROM \(Store.detailTables) WHERE m.id = ?")
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step() else { throw Refusal.messageNotFound }
        var text = JSONText()
        try writeDetail(statement, to: &text)
        return .json(text)
    }

    /// GET `/messages/{id}/thread`: the oldest hundred, oldest first.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func thread(_ id: String, _ caller: Caller) throws -> ServerAnswer {
        try checkMessage(id, caller, .read)
        let statement = try database.statement(
            """
            SELECT \(Store.detailColumns) FROM \(Store.detailTables)
            WHERE \(caller.condition("m")) AND m.threadId = (SELECT threadId FROM messages WHERE id = ?)
            ORDER BY m.activityAt, m.id LIMIT 100
            """)
        defer { statement.reset() }
        statement.bind(caller.bind(statement, from: 1), id)
        var text = JSONText()
        text.raw("[")
        var isFirst = true
        while try statement.step() {
            if !isFirst { text.raw(",") }
            isFirst = false
            try writeDetail(statement, to: &text)
        }
        text.raw("]")
        return .json(text)
    }

    private static let detailTables = "messages m LEFT JOIN bodies b ON b.messageId = m.id"
    private static let detailColumns =
        summaryColumns + ", m.ccJSON, m.bccJSON, m.deliveredTo, b.textBody, m.htmlAvailable, m.messageIdHeader, "
        + "m.inReplyTo, m.referencesJSON"

    private func writeDetail(_ row: Statement, to text: inout JSONText) throws(SQLiteError) {
        Store.writeSummary(row, to: &text)
        text.member(",\"cc\":", json: row.text(15))
        text.member(",\"bcc\":", json: row.text(16))
        text.member(",\"deliveredToAddress\":", row.optionalText(17))
        text.member(",\"textBody\":", row.text(18))
        text.member(",\"htmlAvailable\":", json: row.bool(19) ? "true" : "false")
        text.member(",\"messageId\":", row.optionalText(20))
        text.member(",\"inReplyTo\":", row.optionalText(21))
        text.member(",\"references\":", json: row.text(22))
        text.raw(",\"attachments\":[")
        try writeAttachments(of: row.text(0), to: &text)
        text.raw("]}")
    }

    private func writeAttachments(of message: String, to text: inout JSONText) throws(SQLiteError) {
        let statement = try database.statement(
            """
            SELECT id, filename, contentType, sizeBytes, contentId, createdAt FROM attachments
            WHERE messageId = ? ORDER BY filename, id
            """)
        defer { statement.reset() }
        statement.bind(1, message)
        var lead = "{\"id\":"
        while try statement.step() {
            text.member(lead, statement.text(0))
            text.member(",\"messageId\":", message)
            text.member(",\"filename\":", statement.text(1))
            text.member(",\"contentType\":", statement.text(2))
            text.member(",\"sizeBytes\":", json: String(statement.int(3)))
            text.member(",\"contentId\":", statement.optionalText(4))
            text.member(",\"createdAt\":", statement.text(5))
            text.raw("}")
            lead = ",{\"id\":"
        }
    }
}
