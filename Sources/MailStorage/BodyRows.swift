internal import MailModel
internal import SQLite

/// How much of a message's body is here, as `messages.body_state` says it.
enum BodyState: Int64 {
    case lacksText = 0
    case lacksHTML = 1
    case whole = 2
    /// The server does not have it.
    case unavailable = 3
    /// The server did not give it for lack of access, which may come back.
    case refused = 4
}

/// Rows of `bodies` and `htmls`.
enum BodyRows {
    /// What is here of a message's body.
    struct Stored {
        var key: Int64
        var thread: ThreadID
        var state: BodyState
        var hasText: Bool
        var hasHTML: Bool

        /// Whether its text and files need no second look.
        var isSettled: Bool { hasText && state != .lacksText }
    }

    /// What is here of a message's body; `nil` for an unknown message.
    static func stored(_ id: MessageID, in database: Database) throws(SQLiteError) -> Stored? {
        let row = try database.statement(
            """
            SELECT m.pk, m.body_state, d.message_pk, h.message_pk, t.id FROM messages m
            JOIN threads t ON t.pk = m.thread_pk
            LEFT JOIN bodies d ON d.message_pk = m.pk LEFT JOIN htmls h ON h.message_pk = m.pk
            WHERE m.id_hash = ?1 AND m.id = ?2
            """)
        row.bind(1, SortKey.hash(id))
        row.bind(2, id.rawValue)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return Stored(
            key: row.int(0), thread: ThreadID(row.text(4)), state: BodyState(rawValue: row.int(1)) ?? .lacksText,
            hasText: !row.isNull(2), hasHTML: !row.isNull(3))
    }

    static func set(_ state: BodyState, key: Int64, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("UPDATE messages SET body_state = ?2 WHERE pk = ?1 AND body_state <> ?2")
        statement.bind(1, key)
        statement.bind(2, state.rawValue)
        try statement.run()
    }

    static func write(_ detail: MessageDetail, key: Int64, in database: Database) throws(SQLiteError) {
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

    static func write(_ html: MessageHTML, key: Int64, in database: Database) throws(SQLiteError) {
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
    }
}
