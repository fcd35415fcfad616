/// Whether a message came in or was sent (contract §3.1).
///
/// Members the client does not know read as `inbound`.
package enum Direction: String, Sendable, Hashable {
    case inbound, outbound
}

/// A message as lists show it (contract §3.1).
package struct MessageSummary: Sendable, Hashable {
    package var id: MessageID
    package var threadID: ThreadID
    /// `nil` for unassigned mail, which only owners see.
    package var mailboxID: MailboxID?
    package var direction: Direction
    /// The stored folder, verbatim; a folder the client does not know stays as it is.
    package var folder: String
    /// A bare address, or the literal `unknown`.
    package var fromAddress: String
    package var to: [String]
    package var subject: String
    package var snippet: String
    package var receivedAt: Timestamp?
    package var sentAt: Timestamp?
    package var readAt: Timestamp?
    package var starredAt: Timestamp?
    package var hasAttachments: Bool
    package var createdAt: Timestamp

    package init(
        id: MessageID, threadID: ThreadID, mailboxID: MailboxID?, direction: Direction, folder: String,
        fromAddress: String, to: [String], subject: String, snippet: String, receivedAt: Timestamp?,
        sentAt: Timestamp?, readAt: Timestamp?, starredAt: Timestamp?, hasAttachments: Bool,
        createdAt: Timestamp
    ) {
        self.id = id
        self.threadID = threadID
        self.mailboxID = mailboxID
        self.direction = direction
        self.folder = folder
        self.fromAddress = fromAddress
        self.to = to
        self.subject = subject
        self.snippet = snippet
        self.receivedAt = receivedAt
        self.sentAt = sentAt
        self.readAt = readAt
        self.starredAt = starredAt
        self.hasAttachments = hasAttachments
        self.createdAt = createdAt
    }

    /// What the server orders by: received, else sent, else created (contract §3.1).
    package var activityAt: Timestamp { receivedAt ?? sentAt ?? createdAt }

    /// Whether the message counts as unread: inbound, unread, in inbox or catch-all (contract §4.4).
    package var countsAsUnread: Bool {
        direction == .inbound && readAt == nil && (folder == "inbox" || folder == "catchall")
    }
}

/// A file that came with a message.
package struct Attachment: Sendable, Hashable {
    package var id: AttachmentID
    package var filename: String
    package var contentType: String
    package var sizeBytes: Int
    /// The Content-ID with its brackets; `nil` when the part had none.
    package var contentID: String?

    package init(id: AttachmentID, filename: String, contentType: String, sizeBytes: Int, contentID: String?) {
        self.id = id
        self.filename = filename
        self.contentType = contentType
        self.sizeBytes = sizeBytes
        self.contentID = contentID
    }
}

/// A message with its text and files (contract §3.1).
package struct MessageDetail: Sendable, Hashable {
    package var summary: MessageSummary
    package var cc: [String]
    package var bcc: [String]
    package var deliveredToAddress: String?
    /// Empty for mail that has only HTML.
    package var textBody: String
    package var htmlAvailable: Bool
    /// The RFC 5322 Message-ID with brackets.
    package var internetMessageID: String?
    package var inReplyTo: String?
    package var references: [String]
    package var attachments: [Attachment]

    package init(
        summary: MessageSummary, cc: [String], bcc: [String], deliveredToAddress: String?, textBody: String,
        htmlAvailable: Bool, internetMessageID: String?, inReplyTo: String?, references: [String],
        attachments: [Attachment]
    ) {
        self.summary = summary
        self.cc = cc
        self.bcc = bcc
        self.deliveredToAddress = deliveredToAddress
        self.textBody = textBody
        self.htmlAvailable = htmlAvailable
        self.internetMessageID = internetMessageID
        self.inReplyTo = inReplyTo
        self.references = references
        self.attachments = attachments
    }
}

/// A message's HTML as the server sanitised and split it (contract §3.5).
package struct MessageHTML: Sendable, Hashable {
    package var html: String
    package var quotedHTML: String?
    package var afterQuotedHTML: String?
    package var hasRemoteImages: Bool
    package var remoteMediaTrusted: Bool

    package init(
        html: String, quotedHTML: String?, afterQuotedHTML: String?, hasRemoteImages: Bool,
        remoteMediaTrusted: Bool
    ) {
        self.html = html
        self.quotedHTML = quotedHTML
        self.afterQuotedHTML = afterQuotedHTML
        self.hasRemoteImages = hasRemoteImages
        self.remoteMediaTrusted = remoteMediaTrusted
    }
}
