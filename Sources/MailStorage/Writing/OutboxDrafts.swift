internal import MailCompose
internal import MailModel
internal import SQLite

/// The drafts of an outbox as a cache shows them.
enum OutboxDrafts {
    /// The number of the present state; `nil` for an outbox of a version that has no drafts.
    static func revision(in database: Database) throws(SQLiteError) -> Int64? {
        try Meta.number("drafts_revision", database)
    }

    /// A draft of which the server lacks something, and that is not on its way as mail.
    private static let isUnsaved = """
        (saved_revision < revision OR is_discarded OR EXISTS (SELECT 1 FROM draft_files
            WHERE draft_id = drafts.id AND (is_removed OR attachment_id IS NULL)))
        AND NOT EXISTS (SELECT 1 FROM sends WHERE draft_id = drafts.id AND status NOT IN ('sent', 'refused'))
        """

    /// How many drafts the server lacks something of, but for those in which nobody wrote anything.
    static func unsavedCount(in database: Database) throws(SQLiteError) -> Int {
        guard try revision(in: database) != nil else { return 0 }
        return try DraftRow.all(isUnsaved, in: database).count { !($0.isBlank && $0.server == nil) }
    }

    /// Whether something is here that would be lost, or sent under another name, with another sign-in.
    static func hasWork(in database: Database) throws(SQLiteError) -> Bool {
        if try unsavedCount(in: database) > 0 { return true }
        return try database.scalar(
            "SELECT EXISTS (SELECT 1 FROM sends WHERE status NOT IN ('sent', 'refused'))") == 1
    }

    /// Every draft that is shown, or that hides one of the server's.
    static func all(in database: Database) throws(SQLiteError) -> [ShownDraft] {
        var sends: [LocalDraftID: SendStatus] = [:]
        let row = try database.statement(goingSQL)
        while try row.step() {
            sends[LocalDraftID(row.text(0))] = SendRow.status(row.text(1), reason: row.optionalText(2), sent: nil)
        }
        row.reset()
        return try DraftRow.all("TRUE", in: database).map { shown($0, send: sends[$0.id]) } + kept(in: database)
    }

    /// Only columns that files of every version have, as this reads them without bringing them up to date.
    static let goingSQL = "SELECT draft_id, status, reason FROM sends WHERE status NOT IN ('sent', 'refused')"

    /// What hides drafts of the server whose mail was sent, and which stay for their files.
    private static func kept(in database: Database) throws(SQLiteError) -> [ShownDraft] {
        guard try database.scalar("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'kept_drafts')") == 1 else {
            return []
        }
        let row = try database.statement(
            """
            SELECT server_id FROM kept_drafts
            WHERE NOT EXISTS (SELECT 1 FROM drafts WHERE drafts.server_id = kept_drafts.server_id)
            """)
        defer { row.reset() }
        var hidden: [ShownDraft] = []
        while try row.step() {
            let id = DraftID(row.text(0))
            let draft = Draft(
                id: id, mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil, from: "", to: [], cc: [],
                bcc: [], subject: "", text: "", html: "", version: 0, updatedAt: Timestamp(""), attachments: [])
            hidden.append(ShownDraft(id: LocalDraftID(id.rawValue), server: id, draft: draft))
        }
        return hidden
    }

    private static func shown(_ draft: LocalDraft, send: SendStatus?) -> ShownDraft {
        // What nobody wrote in yet, and what was thrown away, is not there for people.
        let isHidden = draft.isDiscarded || (draft.isBlank && draft.server == nil)
        let content = draft.content
        var (replyTo, forwardOf) = (MessageID?.none, MessageID?.none)
        switch content.origin {
        case .new: break
        case .reply(let message): replyTo = message
        case .forward(let message, _): forwardOf = message
        }
        let attachments = draft.files.map { file in
            DraftAttachment(
                id: AttachmentID(file.attachment?.rawValue ?? file.id.rawValue), filename: file.filename,
                contentType: file.contentType, sizeBytes: file.sizeBytes)
        }
        return ShownDraft(
            id: draft.id, server: draft.server?.id,
            draft: Draft(
                id: draft.server?.id ?? DraftID(draft.id.rawValue), mailboxID: content.mailbox,
                replyToMessageID: replyTo, forwardOfMessageID: forwardOf, from: content.from, to: typed(content.to),
                cc: typed(content.cc), bcc: typed(content.bcc), subject: content.subject, text: content.text,
                html: content.html, version: draft.server?.version ?? 0, updatedAt: draft.updatedAt,
                attachments: attachments, local: isHidden ? nil : mark(draft, send)))
    }

    private static func mark(_ draft: LocalDraft, _ send: SendStatus?) -> DraftMark {
        var blocked: DraftBlockReason?
        if case .blocked(let reason) = draft.state { blocked = reason }
        return DraftMark(
            id: draft.id, isUnsaved: draft.isUnsaved || draft.files.contains { $0.attachment == nil },
            isChangedElsewhere: draft.isChangedElsewhere, isCopy: draft.copyOf != nil, blocked: blocked,
            failure: draft.lastFailure, send: send)
    }

    /// Whole addresses, and what else was typed as it is.
    private static func typed(_ field: String) -> [String] { AddressList(field).parts.map { $0.address ?? $0.text } }
}
