internal import MailModel
internal import SQLite

/// A row of `messages` and its mapping to the model.
enum MessageRow {
    /// The columns of a summary, of the tables aliased `name` and its mailbox and thread.
    static func columns(_ alias: String, mailbox: String, thread: String) -> String {
        """
        \(alias).id, \(thread).id, \(mailbox).id, \(alias).direction, \(alias).folder, \(alias).from_address,
        \(alias).to_json, \(alias).subject, \(alias).snippet, \(alias).received_at, \(alias).sent_at,
        \(alias).read_at, \(alias).starred_at, \(alias).has_attachments, \(alias).created_at
        """
    }

    /// The number of columns above.
    static let columnCount: Int32 = 15

    /// The summary whose columns start at `first`.
    static func summary(_ row: Statement, from first: Int32 = 0) -> MessageSummary {
        MessageSummary(
            id: MessageID(row.text(first)), threadID: ThreadID(row.text(first + 1)),
            mailboxID: row.optionalText(first + 2).map { MailboxID($0) },
            direction: Direction(rawValue: row.text(first + 3)) ?? .inbound, folder: row.text(first + 4),
            fromAddress: row.text(first + 5), to: Column.decodeStrings(row.text(first + 6)),
            subject: row.text(first + 7), snippet: row.text(first + 8),
            receivedAt: row.optionalText(first + 9).map { Timestamp($0) },
            sentAt: row.optionalText(first + 10).map { Timestamp($0) },
            readAt: row.optionalText(first + 11).map { Timestamp($0) },
            starredAt: row.optionalText(first + 12).map { Timestamp($0) },
            hasAttachments: row.bool(first + 13), createdAt: Timestamp(row.text(first + 14)))
    }

    /// The columns of a new row; parameter 1 is the key, which a new row has none of.
    static let insertSQL = """
        INSERT INTO messages(pk, activity_key, state, generation, has_attachments, read_at, starred_at, thread_pk,
            mailbox_pk, id, id_hash, direction, folder, from_address, to_json, subject, snippet, received_at, sent_at,
            created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
        """

    static let updateSQL = """
        UPDATE messages SET activity_key = ?2, state = ?3, generation = ?4, has_attachments = ?5, read_at = ?6,
            starred_at = ?7, thread_pk = ?8, mailbox_pk = ?9, id = ?10, id_hash = ?11, direction = ?12, folder = ?13,
            from_address = ?14, to_json = ?15, subject = ?16, snippet = ?17, received_at = ?18, sent_at = ?19,
            created_at = ?20
        WHERE pk = ?1
        """

    /// For a message that was only read, starred or the like: leaves the indexes of folder and identifier alone.
    static let markSQL = """
        UPDATE messages SET state = ?3, generation = ?4, has_attachments = ?5, read_at = ?6, starred_at = ?7
        WHERE pk = ?1
        """

    /// For a message that an action moved: leaves what it says and who wrote it alone.
    static let moveSQL = """
        UPDATE messages SET state = ?3, generation = ?4, has_attachments = ?5, read_at = ?6, starred_at = ?7,
            folder = ?13
        WHERE pk = ?1
        """

    /// How much of a row is written.
    enum Extent {
        case marks, move, all

        /// The statement that writes so much of a row that is there.
        var sql: String {
            switch self {
            case .marks: MessageRow.markSQL
            case .move: MessageRow.moveSQL
            case .all: MessageRow.updateSQL
            }
        }
    }

    /// What a row has besides its message.
    struct Facts {
        var member: ThreadMember
        var thread: Int64
        var idHash: Int64
        var generation: Int64
    }

    /// Gives one of the statements above its values; the texts go to `texts`.
    static func bind(
        _ message: MessageSummary, _ facts: Facts, to statement: Statement, _ texts: inout RowTexts,
        _ extent: Extent = .all
    ) {
        if facts.member.pk != 0 { statement.bind(1, facts.member.pk) }
        statement.bind(3, facts.member.state.rawValue)
        statement.bind(4, facts.generation)
        statement.bind(5, message.hasAttachments)
        texts.add(6, message.readAt?.text)
        texts.add(7, message.starredAt?.text)
        if extent != .marks { texts.add(13, message.folder) }
        if extent != .all { return }
        statement.bind(2, facts.member.key)
        statement.bind(8, facts.thread)
        statement.bind(9, facts.member.mailbox)
        texts.add(10, message.id.rawValue)
        statement.bind(11, facts.idHash)
        texts.add(12, message.direction.rawValue)
        texts.add(14, message.fromAddress)
        texts.add(15, utf8: Column.utf8(message.to))
        texts.add(16, message.subject)
        texts.add(17, message.snippet)
        texts.add(18, message.receivedAt?.text)
        texts.add(19, message.sentAt?.text)
        texts.add(20, message.createdAt.text)
    }
}

/// A message's row as it is before a change.
struct StoredMessage {
    let member: ThreadMember
    let thread: Int64
    let generation: Int64
    let summary: MessageSummary

    /// `nil` when there is none of that key.
    init?(_ key: Int64, in database: Database) throws(SQLiteError) {
        let row = try database.statement(StoredMessage.sql)
        row.bind(1, key)
        defer { row.reset() }
        guard try row.step() else { return nil }
        let next = MessageRow.columnCount
        member = ThreadMember(
            pk: key, key: row.int(next), mailbox: row.int(next + 1), state: MessageState(rawValue: row.int(next + 2)))
        thread = row.int(next + 3)
        generation = row.int(next + 4)
        summary = MessageRow.summary(row)
    }

    static let sql = """
        SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")), m.activity_key, m.mailbox_pk, m.state,
            m.thread_pk, m.generation
        FROM messages m JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
        WHERE m.pk = ?1
        """

    /// How much must be written to make it another form of the message.
    func extent(of message: MessageSummary) -> MessageRow.Extent {
        var marked = summary
        marked.readAt = message.readAt
        marked.starredAt = message.starredAt
        marked.hasAttachments = message.hasAttachments
        if marked == message { return .marks }
        marked.folder = message.folder
        return marked == message ? .move : .all
    }
}
