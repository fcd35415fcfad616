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

    /// Binds a summary's own columns from parameter 1 on: 17 of them, the last being the generation.
    static func bind(
        _ message: MessageSummary, thread: Int64, mailbox: Int64, generation: Int64, to statement: Statement
    ) {
        statement.bind(1, message.id.rawValue)
        statement.bind(2, thread)
        statement.bind(3, mailbox)
        statement.bind(4, message.direction.rawValue)
        statement.bind(5, message.folder)
        statement.bind(6, message.fromAddress)
        statement.bind(7, Column.encode(message.to))
        statement.bind(8, message.subject)
        statement.bind(9, message.snippet)
        statement.bind(10, message.receivedAt?.text)
        statement.bind(11, message.sentAt?.text)
        statement.bind(12, message.readAt?.text)
        statement.bind(13, message.starredAt?.text)
        statement.bind(14, message.hasAttachments)
        statement.bind(15, message.createdAt.text)
        statement.bind(16, message.activityAt.text)
        statement.bind(17, generation)
    }
}
