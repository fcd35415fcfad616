package import MailModel
internal import SQLite

/// What `status` says of a cache.
package struct CacheStatus: Sendable, Hashable {
    package var isBootstrapped: Bool
    package var isBootstrapping: Bool
    package var messages: Int
    package var conversations: Int
    package var drafts: Int
    package var bodies: Int
    /// Rows that listings made again have inserted, updated or deleted.
    package var repaired: Int
    /// Whether the server offers live events.
    package var offersEvents: Bool

    package init(
        isBootstrapped: Bool, isBootstrapping: Bool, messages: Int, conversations: Int, drafts: Int, bodies: Int,
        repaired: Int, offersEvents: Bool = false
    ) {
        self.isBootstrapped = isBootstrapped
        self.isBootstrapping = isBootstrapping
        self.messages = messages
        self.conversations = conversations
        self.drafts = drafts
        self.bodies = bodies
        self.repaired = repaired
        self.offersEvents = offersEvents
    }
}

extension MailReader {
    /// The messages of a thread, oldest first, with the bodies that are here; empty for an unknown thread.
    ///
    /// - Throws: `StoreError`.
    package func conversation(_ thread: ThreadID) throws -> [ConversationMessage] {
        try read { database in
            try MailReader.messages("t.id_hash = ?1 AND t.id = ?2", thread, database)
        }
    }

    /// One message with its body when that is here; `nil` for an unknown id.
    ///
    /// - Throws: `StoreError`.
    package func message(_ id: MessageID) throws -> ConversationMessage? {
        try read { database in
            try MailReader.messages("m.id_hash = ?1 AND m.id = ?2", id, database).first
        }
    }

    static func messagesSQL(_ condition: String) -> String {
        """
        SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")),
            d.message_pk, d.cc_json, d.bcc_json, d.delivered_to, d.text_body, d.html_available,
            d.internet_message_id, d.in_reply_to, d.references_json, d.attachments_json,
            h.message_pk, h.html, h.quoted_html, h.after_quoted_html, h.has_remote_images, h.remote_media_trusted
        FROM messages m JOIN threads t ON t.pk = m.thread_pk
        LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
        LEFT JOIN bodies d ON d.message_pk = m.pk
        LEFT JOIN htmls h ON h.message_pk = m.pk
        WHERE \(condition) ORDER BY m.activity_key, m.activity_at, m.id
        """
    }

    private static func messages(
        _ condition: String, _ id: some Identifier, _ database: Database
    ) throws(SQLiteError) -> [ConversationMessage] {
        let row = try database.statement(messagesSQL(condition))
        row.bind(1, SortKey.hash(id))
        row.bind(2, id.rawValue)
        defer { row.reset() }
        var messages: [ConversationMessage] = []
        while try row.step() {
            let summary = MessageRow.summary(row)
            messages.append(ConversationMessage(summary: summary, detail: detail(summary, row), html: html(row)))
        }
        return messages
    }

    private static func detail(_ summary: MessageSummary, _ row: Statement) -> MessageDetail? {
        let first = MessageRow.columnCount
        guard !row.isNull(first) else { return nil }
        return MessageDetail(
            summary: summary, cc: Column.decodeStrings(row.text(first + 1)),
            bcc: Column.decodeStrings(row.text(first + 2)), deliveredToAddress: row.optionalText(first + 3),
            textBody: row.text(first + 4), htmlAvailable: row.bool(first + 5),
            internetMessageID: row.optionalText(first + 6), inReplyTo: row.optionalText(first + 7),
            references: Column.decodeStrings(row.text(first + 8)),
            attachments: Column.decodeAttachments(row.text(first + 9)))
    }

    private static func html(_ row: Statement) -> MessageHTML? {
        let first = MessageRow.columnCount + 10
        guard !row.isNull(first) else { return nil }
        return MessageHTML(
            html: row.text(first + 1), quotedHTML: row.optionalText(first + 2),
            afterQuotedHTML: row.optionalText(first + 3), hasRemoteImages: row.bool(first + 4),
            remoteMediaTrusted: row.bool(first + 5))
    }

    /// What the cache holds.
    ///
    /// Counts messages by scanning an index: milliseconds for each hundred thousand.
    /// - Throws: `StoreError`.
    package func status() throws -> CacheStatus {
        try read { database in
            func count(_ table: String) throws -> Int { Int(try database.scalar("SELECT count(*) FROM \(table)") ?? 0) }
            return CacheStatus(
                isBootstrapped: try Meta.value("bootstrapped", database) == "1",
                isBootstrapping: try Meta.value("bootstrapping", database) == "1",
                messages: try count("messages"), conversations: try count("threads"),
                drafts: try count("(\(DraftRows.shownSQL))"),
                bodies: try count("bodies"), repaired: Int(try Meta.number("repaired", database) ?? 0),
                offersEvents: try Meta.value("has_events", database) == "1")
        }
    }
}
