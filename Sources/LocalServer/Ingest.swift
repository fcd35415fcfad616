internal import SQLite

/// A message about to be stored.
struct NewMessage: Sendable {
    var id = Store.id("msg")
    var thread = ""
    var mailbox: String?
    var isOutbound = false
    var folder = "inbox"
    var from = "unknown"
    var to: [String] = []
    var cc: [String] = []
    var bcc: [String] = []
    var subject = "(no subject)"
    var snippet = ""
    var receivedAt: String?
    var sentAt: String?
    var readAt: String?
    var starredAt: String?
    var createdAt = ""
    var deliveredTo: String?
    var text = ""
    var htmlSource: String?
    var htmlAnswer: String?
    var htmlRemoteAnswer: String?
    var messageIDHeader: String?
    var inReplyTo: String?
    var references: [String] = []
    var dedupeKey: String?
    var attachments: [NewAttachment] = []
}

/// An attachment about to be stored.
struct NewAttachment: Sendable {
    var id = Store.id("att")
    var filename = "attachment"
    var contentType = "application/octet-stream"
    var sizeBytes = 0
    var contentID: String?
    /// Absent when only the description is known, or when the content is a draft's object.
    var content: [UInt8]?
    var objectKey: String?
}

extension Store {
    /// Stores a message with its body and attachments.
    ///
    /// - Throws: `SQLiteError`.
    func insert(_ message: NewMessage) throws(SQLiteError) {
        let statement = try database.statement(
            """
            INSERT INTO messages(id, threadId, mailboxId, direction, folder, fromAddress, toJSON, subject, snippet,
            receivedAt, sentAt, readAt, starredAt, createdAt, activityAt, ccJSON, bccJSON, deliveredTo,
            messageIdHeader, inReplyTo, referencesJSON, dedupeKey, isUnassigned, hasAttachments, htmlAvailable)
            VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """)
        let activity = message.receivedAt ?? message.sentAt ?? message.createdAt
        let texts: [String?] = [
            message.id, message.thread, message.mailbox, message.isOutbound ? "outbound" : "inbound",
            message.folder, message.from, JSONText.array(message.to), message.subject, message.snippet,
            message.receivedAt, message.sentAt, message.readAt, message.starredAt, message.createdAt, activity,
            JSONText.array(message.cc), JSONText.array(message.bcc), message.deliveredTo, message.messageIDHeader,
            message.inReplyTo, JSONText.array(message.references), message.dedupeKey,
        ]
        for (offset, text) in texts.enumerated() { statement.bind(Int32(offset + 1), text) }
        statement.bind(23, message.mailbox == nil)
        statement.bind(24, !message.attachments.isEmpty)
        statement.bind(25, message.htmlSource != nil || message.htmlAnswer != nil)
        try statement.run()
        try run(
            "INSERT INTO bodies VALUES(?, ?, ?, ?, ?)", message.id, message.text, message.htmlSource,
            message.htmlAnswer, message.htmlRemoteAnswer)
        for attachment in message.attachments { try insert(attachment, of: message) }
    }

    private func insert(_ attachment: NewAttachment, of message: NewMessage) throws(SQLiteError) {
        let statement = try database.statement("INSERT INTO attachments VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        statement.bind(1, attachment.id)
        statement.bind(2, message.id)
        statement.bind(3, attachment.filename)
        statement.bind(4, attachment.contentType)
        statement.bind(5, attachment.sizeBytes)
        statement.bind(6, attachment.contentID)
        statement.bind(7, message.createdAt)
        if let content = attachment.content { statement.bind(8, content) }
        statement.bind(9, attachment.objectKey)
        try statement.run()
    }
}
