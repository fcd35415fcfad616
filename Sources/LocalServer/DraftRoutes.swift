internal import SQLite

/// A stored draft; lists of addresses are kept as JSON text.
struct StoredDraft: Sendable {
    var id = ""
    var mailbox: String?
    var replyTo: String?
    var forwardOf: String?
    var from = ""
    var toJSON = "[]"
    var ccJSON = "[]"
    var bccJSON = "[]"
    var subject = ""
    var text = ""
    var html = ""
    var version: Int64 = 1
    var updatedAt = ""
}

extension Store {
    private static let draftColumns = """
        id, mailboxId, replyTo, forwardOf, fromAddress, toJSON, ccJSON, bccJSON, subject, text, html, version, updatedAt
        """

    private static func draft(_ row: Statement) -> StoredDraft {
        StoredDraft(
            id: row.text(0), mailbox: row.optionalText(1), replyTo: row.optionalText(2),
            forwardOf: row.optionalText(3), from: row.text(4), toJSON: row.text(5), ccJSON: row.text(6),
            bccJSON: row.text(7), subject: row.text(8), text: row.text(9), html: row.text(10),
            version: row.int(11), updatedAt: row.text(12))
    }

    /// GET `/drafts`: pages are cut before the access filter.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func drafts(_ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        let isPaged = tier == .main
        let limit = isPaged ? try Store.limit(request) : Int(Int32.max)
        var place: Cursor.Place?
        if isPaged, let cursor = request.parameter("cursor"), !cursor.isEmpty {
            guard let read = Cursor.place("\"d1\"", cursor) else { throw Refusal.invalidDraftCursor }
            place = read
        }
        var rows = try draftRows(caller, after: place, limit + 1)
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        var text = JSONText()
        text.raw("[")
        var lead = ""
        for draft in rows where try isAccessible(draft, caller) {
            text.raw(lead)
            try writeDraft(draft, to: &text)
            lead = ","
        }
        text.raw("]")
        var answer = ServerAnswer.json(text)
        if hasMore, let last = rows.last {
            let cursor = Cursor.list("\"d1\"", Cursor.Place(activity: last.updatedAt, id: last.id))
            answer.headers.append(PageLink.next(request, ["limit"], cursor))
        }
        return answer
    }

    private func draftRows(
        _ caller: Caller, after place: Cursor.Place?, _ count: Int
    ) throws(SQLiteError) -> [StoredDraft] {
        let statement = try database.statement(
            """
            SELECT \(Store.draftColumns) FROM drafts WHERE userId = ?\
            \(place == nil ? "" : " AND (updatedAt, id) < (?, ?)") ORDER BY updatedAt DESC, id DESC LIMIT ?
            """)
        defer { statement.reset() }
        statement.bind(1, caller.user)
        if let place {
            statement.bind(2, place.activity)
            statement.bind(3, place.id)
        }
        statement.bind(place == nil ? 2 : 4, count)
        var rows: [StoredDraft] = []
        while try statement.step() { rows.append(Store.draft(statement)) }
        return rows
    }

    /// GET `/drafts/{id}`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func draft(_ id: String, _ caller: Caller) throws -> ServerAnswer {
        guard let draft = try storedDraft(id, of: caller) else { throw Refusal.draftNotFound }
        try checkTargets(draft, caller)
        var text = JSONText()
        try writeDraft(draft, to: &text)
        return .json(text)
    }

    /// The caller's draft; `nil` when it is absent or another's.
    ///
    /// - Throws: `SQLiteError`.
    func storedDraft(_ id: String, of caller: Caller) throws(SQLiteError) -> StoredDraft? {
        let statement = try database.statement("SELECT \(Store.draftColumns) FROM drafts WHERE id = ? AND userId = ?")
        defer { statement.reset() }
        statement.bind(1, id)
        statement.bind(2, caller.user)
        return try statement.step() ? Store.draft(statement) : nil
    }

    /// The caller's draft when all its targets are accessible.
    ///
    /// - Throws: `SQLiteError`.
    func accessibleDraft(_ id: String, _ caller: Caller) throws -> StoredDraft? {
        guard let draft = try storedDraft(id, of: caller), try isAccessible(draft, caller) else { return nil }
        return draft
    }

    private func isAccessible(_ draft: StoredDraft, _ caller: Caller) throws -> Bool {
        do {
            try checkTargets(draft, caller)
            return true
        } catch is Refusal {
            return false
        }
    }

    /// Checks a draft's sender, mailbox and messages, in the contract's order.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func checkTargets(_ draft: StoredDraft, _ caller: Caller) throws {
        var mailbox = draft.mailbox
        if !draft.from.isEmpty {
            let owner = try text("SELECT mailboxId FROM addresses WHERE address = ?", draft.from)
            guard let owner, caller.level(owner) != nil || caller.role != "member" else {
                throw Refusal.mailboxNotFound
            }
            if let wanted = mailbox, wanted != owner { throw Refusal.draftMismatch }
            mailbox = owner
        }
        if let mailbox {
            let isKnown = try text("SELECT id FROM mailboxes WHERE id = ?", mailbox) != nil
            guard isKnown, let level = caller.level(mailbox), level >= .agent else { throw Refusal.mailboxForbidden }
        }
        for target in [draft.replyTo, draft.forwardOf] {
            if let target { try checkMessage(target, caller, .agent) }
        }
    }

    /// Writes a draft's fourteen members.
    ///
    /// - Throws: `SQLiteError`.
    func writeDraft(_ draft: StoredDraft, to text: inout JSONText) throws(SQLiteError) {
        text.member("{\"id\":", draft.id)
        text.member(",\"mailboxId\":", draft.mailbox)
        text.member(",\"replyToMessageId\":", draft.replyTo)
        text.member(",\"forwardOfMessageId\":", draft.forwardOf)
        text.member(",\"from\":", draft.from)
        text.member(",\"to\":", json: draft.toJSON)
        text.member(",\"cc\":", json: draft.ccJSON)
        text.member(",\"bcc\":", json: draft.bccJSON)
        text.member(",\"subject\":", draft.subject)
        text.member(",\"text\":", draft.text)
        text.member(",\"html\":", draft.html)
        text.member(",\"version\":", json: String(draft.version))
        text.member(",\"updatedAt\":", draft.updatedAt)
        text.raw(",\"attachments\":[")
        let statement = try database.statement(
            """
            SELECT id, filename, contentType, sizeBytes FROM draftAttachments
            WHERE draftId = ? ORDER BY createdAt, rowid
            """
        )
        defer { statement.reset() }
        statement.bind(1, draft.id)
        var lead = "{\"id\":"
        while try statement.step() {
            text.member(lead, statement.text(0))
            text.member(",\"filename\":", statement.text(1))
            text.member(",\"contentType\":", statement.text(2))
            text.member(",\"sizeBytes\":", json: String(statement.int(3)))
            text.raw("}")
            lead = ",{\"id\":"
        }
        text.raw("]}")
    }

    /// Writes a draft, new or over the one with its id.
    ///
    /// - Throws: `SQLiteError`.
    func save(_ draft: StoredDraft, user: String) throws(SQLiteError) {
        let statement = try database.statement(
            """
            INSERT INTO drafts(\(Store.draftColumns), userId) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            ON CONFLICT(id) DO UPDATE SET mailboxId = excluded.mailboxId, replyTo = excluded.replyTo,
            forwardOf = excluded.forwardOf, fromAddress = excluded.fromAddress, toJSON = excluded.toJSON,
            ccJSON = excluded.ccJSON, bccJSON = excluded.bccJSON, subject = excluded.subject,
            text = excluded.text, html = excluded.html, version = version + 1, updatedAt = excluded.updatedAt
            """)
        statement.bind(1, draft.id)
        statement.bind(2, draft.mailbox)
        statement.bind(3, draft.replyTo)
        statement.bind(4, draft.forwardOf)
        let texts = [draft.from, draft.toJSON, draft.ccJSON, draft.bccJSON, draft.subject, draft.text, draft.html]
        for (offset, text) in texts.enumerated() { statement.bind(Int32(5 + offset), text) }
        statement.bind(12, draft.version)
        statement.bind(13, draft.updatedAt)
        statement.bind(14, user)
        try statement.run()
    }
}
