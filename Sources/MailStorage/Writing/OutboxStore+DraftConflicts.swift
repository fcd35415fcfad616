package import MailModel
internal import SQLite

/// What becomes of a draft that was changed elsewhere too; each method is one transaction.
extension OutboxStore {
    /// Puts a draft on top of a newer version of the server, with a content made of both.
    ///
    /// Answers `false`, and changes nothing, when it was typed in since `revision`. `isNews` tells that somebody's words
    /// came in: then a send that waits is held, as nobody has read what would be sent. `isSaved` tells that the content
    /// is the server's, so that nothing is left to save.
    /// - Throws: `OutboxError`.
    package func rebaseDraft(
        _ id: LocalDraftID, revision: Int, _ content: DraftContent, onto draft: Draft, isNews: Bool,
        isSaved: Bool = false, at milliseconds: Int64
    ) throws(OutboxError) -> Bool {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE drafts SET (origin, original_id, with_files, mailbox_id, sender, recipients, cc, bcc, subject, text,
                    html) = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11), revision = revision + ?14,
                    saved_revision = CASE ?18 WHEN 1 THEN revision + ?14 ELSE saved_revision END,
                    updated_at = CASE ?18 WHEN 1 THEN ?19 ELSE updated_at END, server_version = ?15, ancestor = ?16, confirmed_at = ?17, theirs_version = NULL, theirs = NULL,
                    \(OutboxStore.settled), next_attempt_at = NULL, last_failure = NULL
                WHERE id = ?12 AND revision = ?13
                """)
            DraftRow.bind(content, to: update, from: 1)
            update.bind(12, id.rawValue)
            update.bind(13, revision)
            update.bind(14, isNews ? 1 : 0)
            update.bind(15, draft.version)
            update.bind(16, DraftCode.encode(DraftContent(draft)))
            update.bind(17, milliseconds)
            update.bind(18, isSaved)
            update.bind(19, draft.updatedAt.text)
            try update.run()
            guard database.changes > 0 else { return false }
            try DraftFileRow.align(id, with: draft.attachments, listedAt: milliseconds, in: database)
            if isNews { try OutboxStore.holdSends(of: id, in: database) }
            return true
        }
    }

    /// Parts a draft from the server's newer version.
    ///
    /// That one becomes a draft of its own, and this one is the person's marked copy, which the server gets as a new
    /// draft. Answers the other one; `nil` as `rebaseDraft` answers `false`.
    ///
    /// - Throws: `OutboxError`.
    package func splitDraft(
        _ id: LocalDraftID, revision: Int, from draft: Draft, at milliseconds: Int64
    ) throws(OutboxError) -> LocalDraft? {
        try commit { database in
            guard try DraftRow.all("id = ?1", id.rawValue, in: database).first?.revision == revision else { return nil }
            try OutboxStore.renew(id, in: database)
            let other = try OutboxStore.take(draft, at: milliseconds, in: database)
            let mark = try database.statement("UPDATE drafts SET copy_of = ?2 WHERE id = ?1")
            mark.bind(1, id.rawValue)
            mark.bind(2, other.id.rawValue)
            try mark.run()
            try OutboxStore.holdSends(of: id, in: database)
            return other
        }
    }

    /// Notes the server's newer version beside a draft; with a reason, the draft waits for the person.
    ///
    /// - Throws: `OutboxError`.
    package func noteTheirs(
        _ id: LocalDraftID, _ draft: Draft, block reason: DraftBlockReason? = nil
    ) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE drafts SET \(OutboxStore.settled), theirs_version = ?2, theirs = ?3,
                    last_failure = 'changed-elsewhere', next_attempt_at = NULL
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, draft.version)
            update.bind(3, DraftCode.encode(DraftContent(draft)))
            try update.run()
            try OutboxStore.holdSends(of: id, in: database)
            guard let reason else { return }
            let block = try database.statement("UPDATE drafts SET state = 'blocked', block_reason = ?2 WHERE id = ?1")
            block.bind(1, id.rawValue)
            block.bind(2, reason.rawValue)
            try block.run()
        }
    }

    /// Makes the files of a draft equal to what the server told at a moment; later uploads stay.
    ///
    /// - Throws: `OutboxError`.
    package func alignFiles(
        of id: LocalDraftID, with draft: Draft, listedAt milliseconds: Int64
    ) throws(OutboxError) {
        try commit { try DraftFileRow.align(id, with: draft.attachments, listedAt: milliseconds, in: $0) }
    }

    /// Forgets a save without an answer that is known not to have arrived.
    ///
    /// - Throws: `OutboxError`.
    package func forgetSent(_ id: LocalDraftID) throws(OutboxError) {
        try commit { database in
            let update = try database.statement("UPDATE drafts SET \(OutboxStore.settled) WHERE id = ?1")
            update.bind(1, id.rawValue)
            try update.run()
        }
    }

    /// Ends a conflict by the person's word; answers the draft, `nil` when there is no conflict of it.
    ///
    /// - Throws: `OutboxError`.
    package func resolveConflict(
        _ id: LocalDraftID, _ choice: ConflictChoice, at milliseconds: Int64
    ) throws(OutboxError) -> LocalDraft? {
        try commit { database in
            guard let draft = try DraftRow.all("id = ?1", id.rawValue, in: database).first, let theirs = draft.theirs
            else { return nil }
            let content: DraftContent
            switch choice {
            case .mine: content = draft.content
            case .theirs: content = theirs.content
            case .merged(let merged): content = merged
            }
            let update = try database.statement(
                """
                UPDATE drafts SET (origin, original_id, with_files, mailbox_id, sender, recipients, cc, bcc, subject, text,
                    html) = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11), revision = revision + 1,
                    server_version = theirs_version, ancestor = theirs, theirs_version = NULL, theirs = NULL,
                    \(OutboxStore.settled), next_attempt_at = NULL, last_failure = NULL, updated_at = ?13
                WHERE id = ?12
                """)
            DraftRow.bind(content, to: update, from: 1)
            update.bind(12, id.rawValue)
            update.bind(13, Timestamp(millisecondsSinceEpoch: milliseconds).text)
            try update.run()
            return try DraftRow.known(id, in: database)
        }
    }

    /// Has a draft that was kept in two be merged by itself from now on, or wait for the person.
    ///
    /// - Throws: `OutboxError`.
    package func setConflictMode(_ mode: ConflictMode, of id: LocalDraftID) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE drafts SET conflict_mode = ?2,
                    state = CASE WHEN ?2 = 'auto' AND block_reason = 'conflictUnresolved' THEN 'waiting' ELSE state END,
                    block_reason = CASE WHEN ?2 = 'auto' AND block_reason = 'conflictUnresolved' THEN NULL
                        ELSE block_reason END
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, mode.rawValue)
            try update.run()
        }
    }

    /// Holds what of a draft waits to be sent, since the draft was changed elsewhere.
    static func holdSends(of id: LocalDraftID, in database: Database) throws(SQLiteError) {
        let hold = try database.statement(
            "UPDATE sends SET status = 'held', reason = 'changedElsewhere' WHERE draft_id = ?1 AND status = 'queued'")
        hold.bind(1, id.rawValue)
        try hold.run()
    }
}

/// What a person keeps of a draft that was changed here and elsewhere.
package enum ConflictChoice: Sendable, Hashable {
    case mine, theirs
    /// A content made of both.
    case merged(DraftContent)
}

extension DraftFileRow {
    /// Makes the files that the server has of a draft equal to a list of a moment; later uploads stay.
    static func align(
        _ draft: LocalDraftID, with attachments: [DraftAttachment], listedAt milliseconds: Int64, in database: Database
    ) throws(SQLiteError) {
        let row = try database.statement(
            """
            SELECT id, attachment_id, filename, size_bytes, coalesce(done_at, 0) FROM draft_files WHERE draft_id = ?1
            """)
        row.bind(1, draft.rawValue)
        var (known, open, gone) = (Set<String>(), Set<String>(), [String]())
        let listed = Set(attachments.map(\.id.rawValue))
        while try row.step() {
            if let attachment = row.optionalText(1) {
                known.insert(attachment)
                if !listed.contains(attachment), row.int(4) < milliseconds { gone.append(row.text(0)) }
            } else {
                open.insert("\(row.int(3)) \(row.text(2))")
            }
        }
        row.reset()
        for id in gone {
            let removal = try database.statement("DELETE FROM draft_files WHERE id = ?1")
            removal.bind(1, id)
            try removal.run()
        }
        // One that is on its way from here may be the same, of which only the answer is lacking.
        for file in attachments where !known.contains(file.id.rawValue) {
            if open.contains("\(file.sizeBytes) \(file.filename)") { continue }
            let place = try place(after: draft, in: database)
            try insert(file, of: draft, place: place, at: milliseconds, in: database)
        }
    }

    private static func place(after draft: LocalDraftID, in database: Database) throws(SQLiteError) -> Int {
        let row = try database.statement("SELECT coalesce(max(place) + 1, 0) FROM draft_files WHERE draft_id = ?1")
        row.bind(1, draft.rawValue)
        defer { row.reset() }
        return try row.step() ? Int(row.int(0)) : 0
    }
}
