internal import MailModel
internal import SQLite

/// A row of `drafts` and its mapping to the model.
enum DraftRow {
    static let columns = """
        id, origin, original_id, with_files, mailbox_id, sender, recipients, cc, bcc, subject, text, html, revision,
        saved_revision, server_id, server_version, ancestor, state, block_reason, conflict_mode, copy_of, is_discarded,
        attempts, next_attempt_at, last_failure, created_at, updated_at, sent_revision, sent_content, sent_at,
        theirs_version, theirs
        """

    /// The drafts that meet a condition with at most one text for `?1`, with their files.
    static func all(_ condition: String, _ text: String? = nil, in database: Database) throws(SQLiteError)
        -> [LocalDraft]
    {
        let row = try database.statement("SELECT \(columns) FROM drafts WHERE \(condition)")
        if let text { row.bind(1, text) }
        defer { row.reset() }
        var drafts: [LocalDraft] = []
        while try row.step() { drafts.append(draft(row)) }
        for place in drafts.indices { drafts[place].files = try DraftFileRow.all(of: drafts[place].id, in: database) }
        return drafts
    }

    private static func draft(_ row: Statement) -> LocalDraft {
        let content = DraftContent(
            origin: origin(row.text(1), original: row.optionalText(2), withFiles: row.bool(3)),
            mailbox: row.optionalText(4).map { MailboxID($0) }, from: row.text(5), to: row.text(6), cc: row.text(7),
            bcc: row.text(8), subject: row.text(9), text: row.text(10), html: row.text(11))
        let server = serverDraft(row, version: 15, content: 16, else: content)
        let theirs = row.isNull(30) ? nil : serverDraft(row, version: 30, content: 31, else: content)
        var sent: SentDraft?
        if let json = row.optionalText(28), let content = DraftCode.content(json) {
            sent = SentDraft(revision: Int(row.int(27)), content: content, at: row.int(29))
        }
        return LocalDraft(
            id: LocalDraftID(row.text(0)), content: content, revision: Int(row.int(12)),
            savedRevision: Int(row.int(13)), server: server, sent: sent, theirs: theirs,
            state: state(row.text(17), reason: row.optionalText(18)),
            conflictMode: ConflictMode(rawValue: row.text(19)) ?? .auto,
            copyOf: row.optionalText(20).map { LocalDraftID($0) }, isDiscarded: row.bool(21),
            nextAttemptAt: row.optionalInt(23), attempts: Int(row.int(22)), lastFailure: row.optionalText(24),
            createdAt: Timestamp(row.text(25)), updatedAt: Timestamp(row.text(26)))
    }

    private static func serverDraft(
        _ row: Statement, version: Int32, content: Int32, else fallback: DraftContent
    ) -> ServerDraft? {
        row.optionalText(14).map { id in
            ServerDraft(
                id: DraftID(id), version: Int(row.int(version)),
                content: row.optionalText(content).flatMap { DraftCode.content($0) } ?? fallback)
        }
    }

    private static func state(_ word: String, reason: String?) -> DraftSaveState {
        switch word {
        case "inFlight": .inFlight
        case "retrying": .retrying
        case "blocked": .blocked(reason.flatMap { DraftBlockReason(rawValue: $0) } ?? .refused)
        default: .waiting
        }
    }

    static func word(of origin: DraftOrigin) -> String {
        switch origin {
        case .new: "new"
        case .reply: "reply"
        case .forward: "forward"
        }
    }

    static func takesFiles(_ origin: DraftOrigin) -> Bool {
        if case .forward(_, let withFiles) = origin { withFiles } else { true }
    }

    static func origin(_ word: String, original: String?, withFiles: Bool) -> DraftOrigin {
        guard let original else { return .new }
        return switch word {
        case "reply": .reply(to: MessageID(original))
        case "forward": .forward(of: MessageID(original), withFiles: withFiles)
        default: .new
        }
    }

    /// Binds a content to eleven parameters, from `first` on, in the order of the columns from `origin` to `html`.
    static func bind(_ content: DraftContent, to statement: Statement, from first: Int32) {
        statement.bind(first, word(of: content.origin))
        statement.bind(first + 1, content.origin.original?.rawValue)
        statement.bind(first + 2, takesFiles(content.origin))
        statement.bind(first + 3, content.mailbox?.rawValue)
        let texts = [content.from, content.to, content.cc, content.bcc, content.subject, content.text, content.html]
        for (place, text) in texts.enumerated() { statement.bind(first + 4 + Int32(place), text) }
    }
}

/// Rows of `draft_files`.
enum DraftFileRow {
    /// The files of a draft that are not removed and meet a condition more, in their order.
    static func all(
        of draft: LocalDraftID, in database: Database, where more: String = ""
    ) throws(SQLiteError) -> [DraftFile] {
        let row = try database.statement(
            """
            SELECT id, filename, content_type, size_bytes, sha256, attachment_id, state, last_failure
            FROM draft_files WHERE draft_id = ?1 AND is_removed = 0 \(more) ORDER BY place
            """)
        row.bind(1, draft.rawValue)
        defer { row.reset() }
        var files: [DraftFile] = []
        while try row.step() {
            files.append(
                DraftFile(
                    id: DraftFileID(row.text(0)), filename: row.text(1), contentType: row.text(2),
                    sizeBytes: Int(row.int(3)), sha256: row.optionalText(4),
                    state: state(row.text(6), attachment: row.optionalText(5), failure: row.optionalText(7)),
                    lastFailure: row.optionalText(7)))
        }
        return files
    }

    private static func state(_ word: String, attachment: String?, failure: String?) -> UploadState {
        switch word {
        case "inFlight": .inFlight
        case "retrying": .retrying
        case "refused": .refused(failure ?? "")
        case "done": attachment.map { .done(AttachmentID($0)) } ?? .waiting
        default: .waiting
        }
    }
}
