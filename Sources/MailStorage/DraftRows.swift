internal import MailModel
internal import SQLite

/// Rows of `drafts` and of `local_drafts`.
enum DraftRows {
    private static let columns = """
        id, mailbox_id, reply_to_message_id, forward_of_message_id, from_address, to_json, cc_json, bcc_json, subject,
            text, html, version, updated_at, attachments_json
        """

    /// The server's drafts that are shown, and in place of the others those of this machine.
    static let shownSQL = """
        SELECT \(columns), NULL, updated_at AS place, id AS tie FROM drafts
        WHERE NOT EXISTS (SELECT 1 FROM local_drafts WHERE server_id = drafts.id)
        UNION ALL
        SELECT \(columns), mark_json, updated_at, id FROM local_drafts WHERE mark_json IS NOT NULL
        """

    /// Every draft as the server has it, the last changed first.
    static func all(in database: Database) throws(SQLiteError) -> [Draft] {
        try read("SELECT \(columns), NULL FROM drafts ORDER BY updated_at DESC, id DESC", in: database)
    }

    /// Every draft as it is on this machine, the last changed first.
    static func shown(in database: Database) throws(SQLiteError) -> [Draft] {
        try read("\(shownSQL) ORDER BY place DESC, tie DESC", in: database)
    }

    private static func read(_ sql: String, in database: Database) throws(SQLiteError) -> [Draft] {
        let row = try database.statement(sql)
        defer { row.reset() }
        var drafts: [Draft] = []
        while try row.step() {
            drafts.append(
                Draft(
                    id: DraftID(row.text(0)), mailboxID: row.optionalText(1).map { MailboxID($0) },
                    replyToMessageID: row.optionalText(2).map { MessageID($0) },
                    forwardOfMessageID: row.optionalText(3).map { MessageID($0) }, from: row.text(4),
                    to: Column.decodeStrings(row.text(5)), cc: Column.decodeStrings(row.text(6)),
                    bcc: Column.decodeStrings(row.text(7)), subject: row.text(8), text: row.text(9),
                    html: row.text(10), version: Int(row.int(11)), updatedAt: Timestamp(row.text(12)),
                    attachments: Column.decodeAttachments(row.text(13)).map {
                        DraftAttachment(
                            id: $0.id, filename: $0.filename, contentType: $0.contentType, sizeBytes: $0.sizeBytes)
                    },
                    local: row.optionalText(14).flatMap { DraftMarkCode.mark($0) }))
        }
        return drafts
    }

    static func write(_ draft: Draft, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            """
            INSERT OR REPLACE INTO drafts(\(columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """)
        bind(draft, to: statement)
        try statement.run()
    }

    static func remove(_ id: DraftID, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("DELETE FROM drafts WHERE id = ?1")
        statement.bind(1, id.rawValue)
        try statement.run()
    }

    /// Removes one, and tells of it those who show drafts.
    static func forget(_ id: DraftID, in database: Database) throws {
        try remove(id, in: database)
        guard database.changes > 0 else { return }
        var change = StoreChange()
        change.touchesDrafts = true
        try CommitLog.append(change, in: database)
    }

    private static func bind(_ draft: Draft, to statement: Statement) {
        statement.bind(1, draft.id.rawValue)
        statement.bind(2, draft.mailboxID?.rawValue)
        statement.bind(3, draft.replyToMessageID?.rawValue)
        statement.bind(4, draft.forwardOfMessageID?.rawValue)
        statement.bind(5, draft.from)
        statement.bind(6, Column.encode(draft.to))
        statement.bind(7, Column.encode(draft.cc))
        statement.bind(8, Column.encode(draft.bcc))
        statement.bind(9, draft.subject)
        statement.bind(10, draft.text)
        statement.bind(11, draft.html)
        statement.bind(12, draft.version)
        statement.bind(13, draft.updatedAt.text)
        let attachments = draft.attachments.map {
            Attachment(
                id: $0.id, filename: $0.filename, contentType: $0.contentType, sizeBytes: $0.sizeBytes, contentID: nil)
        }
        statement.bind(14, Column.encode(attachments))
    }

    /// Makes the drafts of this machine equal to a list; answers whether anything changed.
    static func replaceLocal(_ drafts: [ShownDraft], in database: Database) throws(SQLiteError) -> Bool {
        let before = try locals(in: database)
        var isChanged = false
        for draft in drafts where before[draft.id] != draft {
            isChanged = true
            try write(draft, in: database)
        }
        let kept = Set(drafts.map(\.id))
        for id in before.keys where !kept.contains(id) {
            isChanged = true
            let removal = try database.statement("DELETE FROM local_drafts WHERE local_id = ?1")
            removal.bind(1, id.rawValue)
            try removal.run()
        }
        return isChanged
    }

    private static func locals(in database: Database) throws(SQLiteError) -> [LocalDraftID: ShownDraft] {
        var ids: [(LocalDraftID, DraftID?)] = []
        let row = try database.statement("SELECT local_id, server_id FROM local_drafts ORDER BY local_id")
        while try row.step() { ids.append((LocalDraftID(row.text(0)), row.optionalText(1).map { DraftID($0) })) }
        row.reset()
        let drafts = try read(
            "SELECT \(columns), coalesce(mark_json, '') FROM local_drafts ORDER BY local_id", in: database)
        var locals: [LocalDraftID: ShownDraft] = [:]
        for ((id, server), draft) in zip(ids, drafts) {
            locals[id] = ShownDraft(id: id, server: server, draft: draft)
        }
        return locals
    }

    private static func write(_ shown: ShownDraft, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            """
            INSERT OR REPLACE INTO local_drafts(\(columns), local_id, server_id, mark_json)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """)
        bind(shown.draft, to: statement)
        statement.bind(15, shown.id.rawValue)
        statement.bind(16, shown.server?.rawValue)
        statement.bind(17, shown.draft.local.map { DraftMarkCode.encode($0) })
        try statement.run()
    }
}

/// A draft of the outbox as lists show it; one without a mark is not shown and hides the server's.
struct ShownDraft: Hashable {
    var id: LocalDraftID
    var server: DraftID?
    var draft: Draft
}
