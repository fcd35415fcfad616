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
    /// The server's order costs a look at the whole list.
    /// - Throws: `StoreError`.
    package func conversations(
        in scope: ListScope, order: ListOrder = .shown, limit: Int
    ) throws -> [ConversationRow] {
        try read { database in
            let code = ListCode.code(mailbox: try mailboxKey(scope.mailboxID, database), folder: scope.folder)
            let row = try database.statement(MailReader.conversationSQL)
            row.bind(1, code)
            row.bind(2, order == .shown ? limit : -1)
            defer { row.reset() }
            var rows: [ConversationRow] = []
            while try row.step() { rows.append(try MailReader.conversation(row, list: code, in: database)) }
            if order == .server {
                rows.sort { MailReader.isNewer($0.newest, $1.newest) }
                rows.removeLast(max(0, rows.count - limit))
            }
            return rows
        }
    }

    /// The row of a list: its message, and what is counted over the thread.
    private static func conversation(
        _ row: Statement, list: Int64, in database: Database
    ) throws(SQLiteError) -> ConversationRow {
        try conversation(
            showing: MessageRow.summary(row), key: row.int(MessageRow.columnCount + 1),
            thread: row.int(MessageRow.columnCount), list: list, in: database)
    }

    /// The row of a thread in a list that shows one of its messages.
    static func conversation(
        showing shown: MessageSummary, key: Int64, thread: Int64, list: Int64, in database: Database
    ) throws(SQLiteError) -> ConversationRow {
        let members = try ThreadMembers.load(thread, in: database)
        let newest = try members.newest(in: database)
        let mailbox = ListCode.mailbox(list)
        let inList = members.all.filter {
            $0.state.isIn(folder: list % 16) && (mailbox == 0 || mailbox == $0.mailbox)
        }
        var newestSummary = shown
        if let newest, newest.pk != key, let stored = try StoredMessage(newest.pk, in: database) {
            newestSummary = stored.summary
        }
        return ConversationRow(
            threadID: shown.threadID, newest: newestSummary, shown: shown,
            isStarred: members.all.contains { $0.state.isStarred },
            hasAttachments: members.all.contains { $0.state.hasAttachments }, messageCount: members.all.count,
            unreadCount: members.all.count { $0.state.isUnread }, shownUnread: inList.count { $0.state.isUnread },
            people: try people(members, besides: key, in: database))
    }

    /// How many messages of a thread are looked at for who wrote them.
    private static let peopleMax = 6

    static let peopleSQL = "SELECT from_address, direction FROM messages WHERE pk = ?1"

    /// Who wrote the newest received messages of a thread besides one, each once.
    private static func people(
        _ members: ThreadMembers, besides shown: Int64, in database: Database
    ) throws(SQLiteError) -> [String] {
        guard members.all.count > 1 else { return [] }
        var people: [String] = []
        for member in members.all.filter({ $0.pk != shown }).suffix(peopleMax).reversed() {
            let row = try database.statement(peopleSQL)
            row.bind(1, member.pk)
            defer { row.reset() }
            guard try row.step(), row.text(1) == Direction.inbound.rawValue else { continue }
            let address = row.text(0)
            if !people.contains(address) { people.append(address) }
        }
        return people
    }

    static func isNewer(_ left: MessageSummary, _ right: MessageSummary) -> Bool {
        if left.activityAt != right.activityAt { return left.activityAt > right.activityAt }
        return right.id.rawValue.utf8.lexicographicallyPrecedes(left.id.rawValue.utf8)
    }

    /// The statement of a conversation list.
    static let conversationSQL = """
        SELECT \(MessageRow.columns("s", mailbox: "b", thread: "t")), l.thread_pk, l.shown_pk
        FROM listings l
        CROSS JOIN threads t ON t.pk = l.thread_pk
        CROSS JOIN messages s ON s.pk = l.shown_pk
        LEFT JOIN mailboxes b ON b.pk = s.mailbox_pk
        WHERE l.list = ?1
        ORDER BY l.shown_key DESC, l.shown_pk DESC LIMIT ?2
        """

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
            let row = try database.statement(MailReader.messagesSQL(folder: folder, mailbox: mailbox != nil))
            if let folder, folder != .starred { row.bind(1, folder.rawValue) }
            if mailbox != nil { row.bind(2, try mailboxKey(mailbox, database)) }
            row.bind(3, limit ?? -1)
            defer { row.reset() }
            var messages: [MessageSummary] = []
            while try row.step() { messages.append(MessageRow.summary(row)) }
            return messages
        }
    }

    static func messagesSQL(folder: Folder?, mailbox: Bool) -> String {
        var conditions: [String] = []
        if folder == .starred {
            conditions.append("m.starred_at IS NOT NULL")
        } else if folder != nil {
            conditions.append("m.folder = ?1")
        }
        if mailbox { conditions.append("m.mailbox_pk = ?2") }
        return """
            SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t"))
            FROM messages m CROSS JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY m.activity_key DESC, m.activity_at DESC, m.id DESC LIMIT ?3
            """
    }
}
