package import MailModel
internal import SQLite

extension MailStore {
    /// Keeps the text and files of messages whose summaries are here; others are passed over.
    ///
    /// A text that is here already is not written again. Files are stored a moment after their message
    /// (contract §4.2): a list without the files it should have is asked for once more.
    /// - Throws: `StoreError`.
    package func commitDetails(_ details: [MessageDetail]) throws {
        try commit { database in
            var messages = StoreChange.Messages()
            for detail in details {
                guard let stored = try BodyRows.stored(detail.summary.id, in: database), !stored.isSettled else {
                    continue
                }
                messages.bodies.insert(detail.summary.id)
                messages.threads.insert(stored.thread)
                try BodyRows.write(detail, key: stored.key, in: database)
                let lacksFiles = detail.summary.hasAttachments && detail.attachments.isEmpty
                if lacksFiles, !stored.hasText { continue }
                let state: BodyState = detail.htmlAvailable && !stored.hasHTML ? .lacksHTML : .whole
                try BodyRows.set(state, key: stored.key, in: database)
            }
            if messages.bodies.isEmpty { return }
            var change = StoreChange()
            change.messages = messages
            try CommitLog.append(change, in: database)
        }
    }

    /// Keeps a message's HTML, or that it has none; an unknown message is passed over.
    ///
    /// - Throws: `StoreError`.
    package func commitHTML(_ html: MessageHTML?, for id: MessageID) throws {
        try commit { database in
            guard let stored = try BodyRows.stored(id, in: database) else { return }
            if let html { try BodyRows.write(html, key: stored.key, in: database) }
            if stored.hasText { try BodyRows.set(.whole, key: stored.key, in: database) }
            var messages = StoreChange.Messages()
            messages.bodies.insert(id)
            messages.threads.insert(stored.thread)
            var change = StoreChange()
            change.messages = messages
            try CommitLog.append(change, in: database)
        }
    }

    /// Makes the drafts equal to the server's whole list.
    ///
    /// - Throws: `StoreError`.
    package func replaceDrafts(_ drafts: [Draft]) throws -> CommitCounts {
        var stored: [DraftID: Draft] = [:]
        for draft in try read({ try DraftRows.all(in: $0) }) { stored[draft.id] = draft }
        let kept = Set(drafts.map(\.id))
        let changed = drafts.filter { stored[$0.id] != $0 }
        let gone = stored.keys.filter { !kept.contains($0) }
        if changed.isEmpty, gone.isEmpty { return CommitCounts() }
        return try commit { database in
            for draft in changed { try DraftRows.write(draft, in: database) }
            for id in gone {
                let statement = try database.statement("DELETE FROM drafts WHERE id = ?1")
                statement.bind(1, id.rawValue)
                try statement.run()
            }
            var change = StoreChange()
            change.touchesDrafts = true
            try CommitLog.append(change, in: database)
            let inserted = changed.count { stored[$0.id] == nil }
            return CommitCounts(inserted: inserted, updated: changed.count - inserted, deleted: gone.count)
        }
    }
}

/// Rows of `drafts`.
enum DraftRows {
    /// Every draft, the last changed first.
    static func all(in database: Database) throws(SQLiteError) -> [Draft] {
        let row = try database.statement(
            """
            SELECT id, mailbox_id, reply_to_message_id, forward_of_message_id, from_address, to_json, cc_json,
                bcc_json, subject, text, html, version, updated_at, attachments_json
            FROM drafts ORDER BY updated_at DESC, id DESC
            """)
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
                    }))
        }
        return drafts
    }

    static func write(_ draft: Draft, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            """
            INSERT OR REPLACE INTO drafts(id, mailbox_id, reply_to_message_id, forward_of_message_id, from_address,
                to_json, cc_json, bcc_json, subject, text, html, version, updated_at, attachments_json)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """)
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
        try statement.run()
    }
}
