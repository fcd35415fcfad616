package import MailModel
internal import SQLite

/// The order of a conversation list.
package enum ListOrder: Sendable {
    /// By the newest message of the list's folder, as the screen shows it.
    case shown
    /// By the thread's newest message in any folder, as the server lists it (contract §3.7).
    case server
}

extension MailReader {
    /// Conversations of a list, newest first, at most `limit`.
    ///
    /// With words, only those whose shown subject, people or snippet contain every one, ASCII case folded.
    /// - Throws: `StoreError`.
    package func conversations(
        in scope: ListScope, words: [String] = [], order: ListOrder = .shown, limit: Int
    ) throws -> [ConversationRow] {
        try read { database in
            let code = ListCode.code(mailbox: try mailboxKey(scope.mailboxID, database), folder: scope.folder)
            let row = try database.statement(MailReader.conversationSQL(words: words.count, order: order))
            row.bind(1, code)
            row.bind(2, limit)
            for (index, word) in words.enumerated() { row.bind(Int32(index + 3), MailReader.pattern(word)) }
            defer { row.reset() }
            var rows: [ConversationRow] = []
            while try row.step() { rows.append(MailReader.conversation(row)) }
            return rows
        }
    }

    private static func conversation(_ row: Statement) -> ConversationRow {
        let next = MessageRow.columnCount * 2
        return ConversationRow(
            threadID: ThreadID(row.text(1)), newest: MessageRow.summary(row),
            shown: MessageRow.summary(row, from: MessageRow.columnCount), isStarred: row.bool(next),
            hasAttachments: row.bool(next + 1), messageCount: Int(row.int(next + 2)),
            unreadCount: Int(row.int(next + 3)), shownUnread: Int(row.int(next + 4)))
    }

    /// The statement of a conversation list; words are parameters from 3 on.
    static func conversationSQL(words: Int, order: ListOrder) -> String {
        let conditions = (0..<words).map { word in
            """
            AND (s.subject LIKE ?\(word + 3) ESCAPE '\\' OR s.from_address LIKE ?\(word + 3) ESCAPE '\\'
                OR s.to_json LIKE ?\(word + 3) ESCAPE '\\' OR s.snippet LIKE ?\(word + 3) ESCAPE '\\')
            """
        }
        let index = order == .shown ? "listings_shown_idx" : "listings_newest_idx"
        let sort = order == .shown ? "l.shown_at DESC, l.shown_pk DESC" : "l.newest_at DESC, l.newest_id DESC"
        return """
            SELECT \(MessageRow.columns("n", mailbox: "nb", thread: "t")),
                \(MessageRow.columns("s", mailbox: "sb", thread: "t")),
                t.is_starred, t.has_attachments, t.message_count, t.unread_count, l.shown_unread
            FROM listings l INDEXED BY \(index)
            CROSS JOIN threads t ON t.pk = l.thread_pk
            CROSS JOIN messages n ON n.pk = t.newest_pk
            CROSS JOIN messages s ON s.pk = l.shown_pk
            LEFT JOIN mailboxes nb ON nb.pk = n.mailbox_pk
            LEFT JOIN mailboxes sb ON sb.pk = s.mailbox_pk
            WHERE l.list = ?1 \(conditions.joined(separator: " "))
            ORDER BY \(sort) LIMIT ?2
            """
    }

    /// A literal word as a LIKE pattern.
    static func pattern(_ word: String) -> String {
        var pattern = "%"
        for character in word {
            if character == "%" || character == "_" || character == "\\" { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern + "%"
    }

    /// The number of conversations in a list.
    ///
    /// - Throws: `StoreError`.
    package func conversationCount(in scope: ListScope) throws -> Int {
        try read { database in
            let row = try database.statement("SELECT total FROM counts WHERE list = ?1")
            row.bind(1, ListCode.code(mailbox: try mailboxKey(scope.mailboxID, database), folder: scope.folder))
            defer { row.reset() }
            return try row.step() ? Int(row.int(0)) : 0
        }
    }

    /// Messages newest first; `nil` folder, mailbox or limit means no bound by it.
    ///
    /// - Throws: `StoreError`.
    package func messages(mailbox: MailboxID?, folder: Folder?, limit: Int?) throws -> [MessageSummary] {
        try read { database in
            var conditions: [String] = []
            if folder == .starred {
                conditions.append("m.starred_at IS NOT NULL")
            } else if folder != nil {
                conditions.append("m.folder = ?1")
            }
            if mailbox != nil { conditions.append("m.mailbox_pk = ?2") }
            let row = try database.statement(
                """
                SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t"))
                FROM messages m JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
                \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
                ORDER BY m.activity_at DESC, m.id DESC LIMIT ?3
                """)
            if let folder, folder != .starred { row.bind(1, folder.rawValue) }
            if mailbox != nil { row.bind(2, try mailboxKey(mailbox, database)) }
            row.bind(3, limit ?? -1)
            defer { row.reset() }
            var messages: [MessageSummary] = []
            while try row.step() { messages.append(MessageRow.summary(row)) }
            return messages
        }
    }
}
