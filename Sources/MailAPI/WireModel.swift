package import MailModel
package import MailWire

extension MessageSummary {
    /// The summary a server wrote; a direction this client does not know reads as inbound.
    package init(_ wire: MessageSummaryWire) {
        self.init(
            id: MessageID(wire.id), threadID: ThreadID(wire.threadId), mailboxID: wire.mailboxId.map { MailboxID($0) },
            direction: Direction(rawValue: wire.direction) ?? .inbound, folder: wire.folder,
            fromAddress: wire.fromAddress, to: wire.to, subject: wire.subject, snippet: wire.snippet,
            receivedAt: wire.receivedAt.map { Timestamp($0) }, sentAt: wire.sentAt.map { Timestamp($0) },
            readAt: wire.readAt.map { Timestamp($0) }, starredAt: wire.starredAt.map { Timestamp($0) },
            hasAttachments: wire.hasAttachments, createdAt: Timestamp(wire.createdAt))
    }
}

extension MessageDetail {
    /// The message a server wrote.
    package init(_ wire: MessageDetailWire) {
        self.init(
            summary: MessageSummary(wire.summary), cc: wire.cc, bcc: wire.bcc,
            deliveredToAddress: wire.deliveredToAddress, textBody: wire.textBody, htmlAvailable: wire.htmlAvailable,
            internetMessageID: wire.messageId, inReplyTo: wire.inReplyTo, references: wire.references,
            attachments: wire.attachments.map { file in
                Attachment(
                    id: AttachmentID(file.id), filename: file.filename, contentType: file.contentType,
                    sizeBytes: file.sizeBytes, contentID: file.contentId)
            })
    }
}

extension MessageHTML {
    /// The HTML a server wrote.
    package init(_ wire: MessageHTMLWire) {
        self.init(
            html: wire.html, quotedHTML: wire.quotedHtml, afterQuotedHTML: wire.afterQuotedHtml,
            hasRemoteImages: wire.hasRemoteImages, remoteMediaTrusted: wire.remoteMediaTrusted)
    }
}

extension Mailbox {
    /// The mailbox a server wrote; a level this client does not know reads as the lowest one.
    package init(_ wire: MailboxWire) {
        self.init(
            id: MailboxID(wire.id), address: wire.address, displayName: wire.displayName, isActive: wire.isActive,
            accessLevel: wire.accessLevel.map { AccessLevel(rawValue: $0) ?? .read })
    }
}

extension Draft {
    /// The draft a server wrote.
    package init(_ wire: DraftWire) {
        self.init(
            id: DraftID(wire.id), mailboxID: wire.mailboxId.map { MailboxID($0) },
            replyToMessageID: wire.replyToMessageId.map { MessageID($0) },
            forwardOfMessageID: wire.forwardOfMessageId.map { MessageID($0) }, from: wire.from, to: wire.to,
            cc: wire.cc, bcc: wire.bcc, subject: wire.subject, text: wire.text, html: wire.html,
            version: wire.version, updatedAt: Timestamp(wire.updatedAt),
            attachments: wire.attachments.map { file in
                DraftAttachment(
                    id: AttachmentID(file.id), filename: file.filename, contentType: file.contentType,
                    sizeBytes: file.sizeBytes)
            })
    }
}

extension ChangePage {
    /// The page a server wrote; kinds of change this client does not know are left out.
    package init(_ wire: ChangePageWire) {
        self.init(
            changes: wire.changes.compactMap { change in
                switch change {
                case .upsert(let message): .upsert(MessageSummary(message))
                case .delete(let messageId, _): .delete(MessageID(messageId))
                case .unknown: nil
                }
            },
            nextCursor: wire.nextCursor, hasMore: wire.hasMore)
    }
}

extension Listing {
    /// The query items that select the listing (contract §3.4).
    var queryItems: [(name: String, value: String)] {
        switch self {
        case .folder(let folder): [("folder", folder.rawValue)]
        case .mailbox(let id): [("mailboxId", id.rawValue)]
        case .everything: []
        }
    }
}
