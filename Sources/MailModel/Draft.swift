/// A file staged on a draft.
package struct DraftAttachment: Sendable, Hashable {
    package var id: AttachmentID
    package var filename: String
    package var contentType: String
    package var sizeBytes: Int

    package init(id: AttachmentID, filename: String, contentType: String, sizeBytes: Int) {
        self.id = id
        self.filename = filename
        self.contentType = contentType
        self.sizeBytes = sizeBytes
    }
}

/// A message being written, private to its author (contract §3.10).
package struct Draft: Sendable, Hashable {
    package var id: DraftID
    package var mailboxID: MailboxID?
    package var replyToMessageID: MessageID?
    package var forwardOfMessageID: MessageID?
    /// Empty while no sender is chosen.
    package var from: String
    package var to: [String]
    package var cc: [String]
    package var bcc: [String]
    package var subject: String
    package var text: String
    package var html: String
    package var version: Int
    package var updatedAt: Timestamp
    package var attachments: [DraftAttachment]

    package init(
        id: DraftID, mailboxID: MailboxID?, replyToMessageID: MessageID?, forwardOfMessageID: MessageID?,
        from: String, to: [String], cc: [String], bcc: [String], subject: String, text: String, html: String,
        version: Int, updatedAt: Timestamp, attachments: [DraftAttachment]
    ) {
        self.id = id
        self.mailboxID = mailboxID
        self.replyToMessageID = replyToMessageID
        self.forwardOfMessageID = forwardOfMessageID
        self.from = from
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
        self.html = html
        self.version = version
        self.updatedAt = updatedAt
        self.attachments = attachments
    }
}
