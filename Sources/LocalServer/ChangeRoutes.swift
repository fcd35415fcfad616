internal import SQLite

/// One page of a change feed as it is written: its entries, and where the next page goes on.
private struct FeedPage {
    private let limit: Int
    private let highWater: Int64
    private var rows = 0
    private var last: Int64 = 0
    private var lead = ""
    private var text = JSONText()

    init(limit: Int, highWater: Int64) {
        self.limit = limit
        self.highWater = highWater
        text.raw("{\"changes\":[")
    }

    /// Whether a further row of the journal is on this page; the first one that is not says there is more.
    mutating func takes(_ sequence: Int64) -> Bool {
        rows += 1
        if rows > limit { return false }
        last = sequence
        return true
    }

    /// Adds an entry; an outdated row has none.
    mutating func add(_ entry: JSONText?) {
        guard let entry else { return }
        text.raw(lead)
        text.raw(entry.bytes)
        lead = ","
    }

    /// The page's answer, with cursors of a kind and, for drafts, of a user.
    func answer(_ tag: String, user: String?) -> ServerAnswer {
        let hasMore = rows > limit
        let next = Cursor.Feed(user: user, after: hasMore ? last : highWater, highWater: hasMore ? highWater : nil)
        var text = text
        text.member("],\"nextCursor\":", Cursor.feed(tag, next))
        text.member(",\"hasMore\":", json: hasMore ? "true}" : "false}")
        return .json(text)
    }
}

extension Store {
    /// GET `/changes`: rows of the message journal in the order of their numbers.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func changes(_ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        for name in ["mailboxId", "folder", "search"] where request.parameter(name) != nil {
            throw Refusal.changeFilter
        }
        let limit = try Store.limit(request)
        let newest = try database.scalar("SELECT max(sequence) FROM messageJournal") ?? 0
        guard let cursor = request.parameter("cursor"), !cursor.isEmpty else {
            return Store.emptyPage(Cursor.feed("c1", Cursor.Feed(user: nil, after: newest, highWater: nil)))
        }
        guard let feed = Cursor.feed("c1", hasUser: false, cursor), max(feed.after, feed.highWater ?? 0) <= newest
        else {
            throw Refusal.invalidChangeCursor
        }
        let highWater = feed.highWater ?? newest
        let end = Cursor.feed("c1", Cursor.Feed(user: nil, after: highWater, highWater: nil))
        if caller.readsNothing { return Store.emptyPage(end) }
        return try changes(after: feed.after, to: highWater, limit, caller)
    }

    /// The order of a feed's rows.
    private func feedOrder(_ column: String) -> String { ordersAsText ? "CAST(\(column) AS TEXT)" : column }

    static func emptyPage(_ cursor: String) -> ServerAnswer {
        ServerAnswer(body: Array("{\"changes\":[],\"nextCursor\":\"\(cursor)\",\"hasMore\":false}".utf8))
    }

    private func changes(
        after: Int64, to highWater: Int64, _ limit: Int, _ caller: Caller
    ) throws(SQLiteError) -> ServerAnswer {
        let statement = try database.statement(
            """
            SELECT \(Store.summaryColumns), j.sequence, j.isDelete, j.messageId, j.mailboxId
            FROM messageJournal j LEFT JOIN messages m
            ON m.id = j.messageId AND m.mailboxId IS j.mailboxId AND m.isUnassigned = j.isUnassigned
            WHERE \(caller.condition("j")) AND j.sequence > ? AND j.sequence <= ?
            ORDER BY \(feedOrder("j.sequence")) LIMIT ?
            """)
        defer { statement.reset() }
        let index = caller.bind(statement, from: 1)
        statement.bind(index, after)
        statement.bind(index + 1, highWater)
        statement.bind(index + 2, limit + 1)
        var page = FeedPage(limit: limit, highWater: highWater)
        while try statement.step(), page.takes(statement.int(15)) { page.add(Store.change(statement)) }
        return page.answer("c1", user: nil)
    }

    /// An entry of the feed; `nil` when the row is outdated.
    private static func change(_ row: Statement) -> JSONText? {
        var text = JSONText()
        if row.bool(16) {
            text.member("{\"type\":\"delete\",\"messageId\":", row.text(17))
            text.member(",\"mailboxId\":", row.optionalText(18))
            text.raw("}")
            return text
        }
        guard !row.isNull(0) else { return nil }
        text.raw("{\"type\":\"upsert\",\"message\":")
        writeSummary(row, to: &text)
        text.raw("}}")
        return text
    }

    /// GET `/drafts/changes`: as `/changes`, for the caller's own drafts.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func draftChanges(_ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        for name in ["mailboxId", "folder", "search", "updatedSince"] where request.parameter(name) != nil {
            throw Refusal.draftChangeFilter
        }
        let limit = try Store.limit(request)
        let newest = try newestDraftChange(caller)
        guard let cursor = request.parameter("cursor"), !cursor.isEmpty else {
            return Store.emptyPage(Cursor.feed("dc1", Cursor.Feed(user: caller.user, after: newest, highWater: nil)))
        }
        guard let feed = Cursor.feed("dc1", hasUser: true, cursor), feed.user == caller.user,
            max(feed.after, feed.highWater ?? 0) <= newest
        else { throw Refusal.invalidDraftChangeCursor }
        return try draftChanges(after: feed.after, to: feed.highWater ?? newest, limit, caller)
    }

    private func newestDraftChange(_ caller: Caller) throws(SQLiteError) -> Int64 {
        let statement = try database.statement("SELECT max(sequence) FROM draftJournal WHERE userId = ?")
        defer { statement.reset() }
        statement.bind(1, caller.user)
        return try statement.step() ? statement.int(0) : 0
    }

    private func draftChanges(after: Int64, to highWater: Int64, _ limit: Int, _ caller: Caller) throws -> ServerAnswer
    {
        let statement = try database.statement(
            """
            SELECT draftId, isDelete, sequence FROM draftJournal
            WHERE userId = ? AND sequence > ? AND sequence <= ? ORDER BY \(feedOrder("sequence")) LIMIT ?
            """)
        defer { statement.reset() }
        statement.bind(1, caller.user)
        statement.bind(2, after)
        statement.bind(3, highWater)
        statement.bind(4, limit + 1)
        var page = FeedPage(limit: limit, highWater: highWater)
        while try statement.step(), page.takes(statement.int(2)) {
            page.add(try draftChange(statement.text(0), isDelete: statement.bool(1), caller))
        }
        return page.answer("dc1", user: caller.user)
    }

    private func draftChange(_ id: String, isDelete: Bool, _ caller: Caller) throws -> JSONText? {
        var text = JSONText()
        if isDelete {
            text.member("{\"type\":\"delete\",\"draftId\":", id)
            text.raw("}")
            return text
        }
        guard let draft = try accessibleDraft(id, caller) else { return nil }
        text.raw("{\"type\":\"upsert\",\"draft\":")
        try writeDraft(draft, to: &text)
        text.raw("}")
        return text
    }
}
