package import MailModel
internal import SQLite

extension MailStore {
    /// Keeps the text and files of messages whose summaries are here; others are passed over.
    ///
    /// - Throws: `StoreError`.
    package func commitDetails(_ details: [MessageDetail]) throws {
        try commit { database in
            var messages = StoreChange.Messages()
            for detail in details {
                guard let key = try KeyLookup.key(of: detail.summary.id, in: database) else { continue }
                messages.bodies.insert(detail.summary.id)
                messages.threads.insert(detail.summary.threadID)
                let statement = try database.statement(
                    """
                    INSERT OR REPLACE INTO bodies(message_pk, cc_json, bcc_json, delivered_to, text_body, html_available,
                        internet_message_id, in_reply_to, references_json, attachments_json)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                    """)
                statement.bind(1, key)
                statement.bind(2, Column.encode(detail.cc))
                statement.bind(3, Column.encode(detail.bcc))
                statement.bind(4, detail.deliveredToAddress)
                statement.bind(5, detail.textBody)
                statement.bind(6, detail.htmlAvailable)
                statement.bind(7, detail.internetMessageID)
                statement.bind(8, detail.inReplyTo)
                statement.bind(9, Column.encode(detail.references))
                statement.bind(10, Column.encode(detail.attachments))
                try statement.run()
            }
            var change = StoreChange()
            change.messages = messages
            try CommitLog.append(change, in: database)
        }
    }

    /// Keeps a message's HTML; an unknown message is passed over.
    ///
    /// - Throws: `StoreError`.
    package func commitHTML(_ html: MessageHTML, for id: MessageID) throws {
        try commit { database in
            guard let key = try KeyLookup.key(of: id, in: database) else { return }
            let statement = try database.statement(
                """
                INSERT OR REPLACE INTO htmls(message_pk, html, quoted_html, after_quoted_html, has_remote_images,
                    remote_media_trusted)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """)
            statement.bind(1, key)
            statement.bind(2, html.html)
            statement.bind(3, html.quotedHTML)
            statement.bind(4, html.afterQuotedHTML)
            statement.bind(5, html.hasRemoteImages)
            statement.bind(6, html.remoteMediaTrusted)
            try statement.run()
            var messages = StoreChange.Messages()
            messages.bodies.insert(id)
            if let thread = try MailStore.thread(of: key, in: database) { messages.threads.insert(thread) }
            var change = StoreChange()
            change.messages = messages
            try CommitLog.append(change, in: database)
        }
    }

    private static func thread(of key: Int64, in database: Database) throws(SQLiteError) -> ThreadID? {
        let row = try database.statement(
            "SELECT t.id FROM messages m JOIN threads t ON t.pk = m.thread_pk WHERE m.pk = ?1")
        row.bind(1, key)
        defer { row.reset() }
        return try row.step() ? ThreadID(row.text(0)) : nil
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
