package import MailModel
internal import Platform
internal import SQLite

extension OutboxStore {
    /// Begins a draft and answers it once it is on the disk.
    ///
    /// - Throws: `OutboxError`.
    package func createDraft(
        _ content: DraftContent, mode: ConflictMode = .auto, at milliseconds: Int64
    ) throws(OutboxError) -> LocalDraft {
        let id = LocalDraftID(milliseconds: milliseconds, random: OutboxStore.randomBits())
        return try commit { database in
            let insertion = try database.statement(
                """
                INSERT INTO drafts(origin, original_id, with_files, mailbox_id, sender, recipients, cc, bcc, subject, text,
                    html, id, revision, conflict_mode, created_at, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 1, ?13, ?14, ?14)
                """)
            DraftRow.bind(content, to: insertion, from: 1)
            insertion.bind(12, id.rawValue)
            insertion.bind(13, mode.rawValue)
            insertion.bind(14, Timestamp(millisecondsSinceEpoch: milliseconds).text)
            try insertion.run()
            return try DraftRow.known(id, in: database)
        }
    }

    /// Writes what a person typed; equal content writes nothing.
    ///
    /// Answers the draft; `nil` for one that is not there.
    /// - Throws: `OutboxError`; the draft is then as it was, and the text is in the hands of the caller.
    @discardableResult
    package func saveDraft(
        _ id: LocalDraftID, _ content: DraftContent, at milliseconds: Int64
    ) throws(OutboxError) -> LocalDraft? {
        try commit { database in
            guard let draft = try DraftRow.all("id = ?1", id.rawValue, in: database).first else { return nil }
            if draft.content == content { return draft }
            let update = try database.statement(
                """
                UPDATE drafts SET (origin, original_id, with_files, mailbox_id, sender, recipients, cc, bcc, subject, text,
                    html) = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11), revision = revision + 1, updated_at = ?13,
                    state = CASE block_reason WHEN 'refused' THEN 'waiting' ELSE state END,
                    block_reason = CASE block_reason WHEN 'refused' THEN NULL ELSE block_reason END
                WHERE id = ?12
                """)
            DraftRow.bind(content, to: update, from: 1)
            update.bind(12, id.rawValue)
            update.bind(13, Timestamp(millisecondsSinceEpoch: milliseconds).text)
            try update.run()
            return try DraftRow.known(id, in: database)
        }
    }

    /// Takes a draft of a list for writing here; one that is taken already is answered as it is here.
    ///
    /// - Throws: `OutboxError`.
    package func takeDraft(_ draft: Draft, at milliseconds: Int64) throws(OutboxError) -> LocalDraft {
        if let mark = draft.local, let known = try self.draft(mark.id) { return known }
        if let known = try self.draft(server: draft.id) { return known }
        // One that only this machine had, and that went meanwhile, is begun anew with what was shown of it.
        if draft.version == 0 { return try createDraft(DraftContent(draft), at: milliseconds) }
        return try commit { try OutboxStore.take(draft, at: milliseconds, in: $0) }
    }

    /// Makes the row of a draft that the server has.
    static func take(_ draft: Draft, at milliseconds: Int64, in database: Database) throws -> LocalDraft {
        let content = DraftContent(draft)
        let id = LocalDraftID(milliseconds: milliseconds, random: OutboxStore.randomBits())
        let insertion = try database.statement(
            """
            INSERT INTO drafts(origin, original_id, with_files, mailbox_id, sender, recipients, cc, bcc, subject, text,
                html, id, revision, saved_revision, server_id, server_version, ancestor, created_at,
                updated_at, confirmed_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 1, 1, ?13, ?14, ?15, ?16, ?16, ?17)
            """)
        DraftRow.bind(content, to: insertion, from: 1)
        insertion.bind(12, id.rawValue)
        insertion.bind(13, draft.id.rawValue)
        insertion.bind(14, draft.version)
        insertion.bind(15, DraftCode.encode(content))
        insertion.bind(16, draft.updatedAt.text)
        insertion.bind(17, milliseconds)
        try insertion.run()
        for (place, file) in draft.attachments.enumerated() {
            try DraftFileRow.insert(file, of: id, place: place, at: milliseconds, in: database)
        }
        return try DraftRow.known(id, in: database)
    }

    /// Throws a draft away: at once when the server does not know it, else as soon as the server has done so too.
    ///
    /// - Throws: `OutboxError`.
    package func discardDraft(_ id: LocalDraftID) throws(OutboxError) {
        try commit { database in
            try SendEnding.dropSends(of: id, in: database)
            let sql = [
                "DELETE FROM drafts WHERE id = ?1 AND server_id IS NULL AND sent_content IS NULL",
                "UPDATE drafts SET is_discarded = 1, next_attempt_at = NULL WHERE id = ?1",
                "DELETE FROM draft_files WHERE draft_id = ?1 AND NOT EXISTS (SELECT 1 FROM drafts WHERE id = ?1)",
            ]
            for sql in sql {
                let statement = try database.statement(sql)
                statement.bind(1, id.rawValue)
                try statement.run()
            }
        }
    }

    /// One draft; `nil` when there is none, or not any more.
    ///
    /// - Throws: `OutboxError`.
    package func draft(_ id: LocalDraftID) throws(OutboxError) -> LocalDraft? {
        try read { try DraftRow.all("id = ?1", id.rawValue, in: $0).first }
    }

    /// The draft that stands for one of the server's; `nil` for none.
    ///
    /// - Throws: `OutboxError`.
    package func draft(server id: DraftID) throws(OutboxError) -> LocalDraft? {
        try read { try DraftRow.all("server_id = ?1", id.rawValue, in: $0).first }
    }

    /// All drafts that were not thrown away, the last changed first.
    ///
    /// - Throws: `OutboxError`.
    package func drafts() throws(OutboxError) -> [LocalDraft] {
        try read { try DraftRow.all("is_discarded = 0 ORDER BY updated_at DESC, id DESC", in: $0) }
    }

    /// Bits for a new identifier.
    package static func randomBits() -> (UInt64, UInt64) {
        let bytes = Environment.randomBytes(16)
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return (number(bytes[..<8]), number(bytes[8...]))
    }
}

extension DraftRow {
    /// A draft that was just written.
    static func known(_ id: LocalDraftID, in database: Database) throws -> LocalDraft {
        guard let draft = try all("id = ?1", id.rawValue, in: database).first else { throw OutboxError.cannotAccess }
        return draft
    }
}

extension DraftFileRow {
    /// Notes a file that the server has.
    static func insert(
        _ file: DraftAttachment, of draft: LocalDraftID, place: Int, at milliseconds: Int64, in database: Database
    ) throws(SQLiteError) {
        let insertion = try database.statement(
            """
            INSERT INTO draft_files(id, draft_id, place, filename, content_type, size_bytes, attachment_id, state)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'done')
            """)
        let id = DraftFileID(milliseconds: milliseconds, random: OutboxStore.randomBits())
        insertion.bind(1, id.rawValue)
        insertion.bind(2, draft.rawValue)
        insertion.bind(3, place)
        insertion.bind(4, file.filename)
        insertion.bind(5, file.contentType)
        insertion.bind(6, file.sizeBytes)
        insertion.bind(7, file.id.rawValue)
        try insertion.run()
    }
}
