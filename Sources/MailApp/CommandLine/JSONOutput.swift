internal import JSON
internal import MailModel

/// JSON forms of the model, with the contract's names.
enum JSONOutput {
    /// `{version, items}` on one line.
    static func items(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("items")
            writer.array(body)
        }
        return writer.bytes + [0x0A]
    }

    static func summaryMembers(_ message: MessageSummary, _ writer: inout JSONWriter) {
        writer.member("id", message.id.rawValue)
        writer.member("threadId", message.threadID.rawValue)
        writer.member("mailboxId", message.mailboxID?.rawValue)
        writer.member("direction", message.direction.rawValue)
        writer.member("folder", message.folder)
        writer.member("fromAddress", message.fromAddress)
        writer.member("to", message.to)
        writer.member("subject", message.subject)
        writer.member("snippet", message.snippet)
        writer.member("receivedAt", message.receivedAt?.text)
        writer.member("sentAt", message.sentAt?.text)
        writer.member("readAt", message.readAt?.text)
        writer.member("starredAt", message.starredAt?.text)
        writer.member("hasAttachments", message.hasAttachments)
        writer.member("createdAt", message.createdAt.text)
    }

    static func message(_ message: MessageSummary, _ writer: inout JSONWriter) {
        writer.object { summaryMembers(message, &$0) }
    }

    /// The server's row (contract §3.7): the thread's newest message and the aggregates.
    static func conversation(_ row: ConversationRow, _ writer: inout JSONWriter) {
        var newest = row.newest
        newest.hasAttachments = row.hasAttachments
        writer.object { writer in
            summaryMembers(newest, &writer)
            writer.member("isStarred", row.isStarred)
            writer.member("messageCount", row.messageCount)
            writer.member("unreadCount", row.unreadCount)
        }
    }

    static func mailbox(_ mailbox: Mailbox, _ counts: MailboxCounts?, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", mailbox.id.rawValue)
            writer.member("address", mailbox.address)
            writer.member("displayName", mailbox.displayName)
            writer.member("isActive", mailbox.isActive)
            writer.member("accessLevel", mailbox.accessLevel?.rawValue)
            writer.member("unreadCount", counts?.unread.values.reduce(0, +) ?? 0)
        }
    }

    static func draft(_ draft: Draft, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", draft.id.rawValue)
            writer.member("mailboxId", draft.mailboxID?.rawValue)
            writer.member("replyToMessageId", draft.replyToMessageID?.rawValue)
            writer.member("forwardOfMessageId", draft.forwardOfMessageID?.rawValue)
            writer.member("from", draft.from)
            writer.member("to", draft.to)
            writer.member("cc", draft.cc)
            writer.member("bcc", draft.bcc)
            writer.member("subject", draft.subject)
            writer.member("text", draft.text)
            writer.member("html", draft.html)
            writer.member("version", draft.version)
            writer.member("updatedAt", draft.updatedAt.text)
            writer.name("attachments")
            writer.array { writer in
                for file in draft.attachments {
                    writer.object { writer in
                        writer.member("id", file.id.rawValue)
                        writer.member("filename", file.filename)
                        writer.member("contentType", file.contentType)
                        writer.member("sizeBytes", file.sizeBytes)
                    }
                }
            }
            if let mark = draft.local { localMember(mark, &writer) }
        }
    }

    /// What is to be known of a draft on this machine; left out for one that is as the server has it.
    private static func localMember(_ mark: DraftMark, _ writer: inout JSONWriter) {
        writer.name("local")
        writer.object { writer in
            writer.member("id", mark.id.rawValue)
            writer.member("isUnsaved", mark.isUnsaved)
            writer.member("isChangedElsewhere", mark.isChangedElsewhere)
            writer.member("isCopy", mark.isCopy)
            writer.member("blockedBy", mark.blocked?.rawValue)
            writer.member("lastFailure", mark.failure)
            writer.member("send", mark.send?.name)
        }
    }

    /// A message with its body (contract §3.1) and, when it is here, its HTML (§3.5).
    static func detail(_ detail: MessageDetail, html: MessageHTML?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            summaryMembers(detail.summary, &writer)
            detailMembers(detail, html: html, &writer)
        }
        return writer.bytes + [0x0A]
    }

    /// What a message has beside its summary.
    static func detailMembers(_ detail: MessageDetail, html: MessageHTML?, _ writer: inout JSONWriter) {
        writer.member("cc", detail.cc)
        writer.member("bcc", detail.bcc)
        writer.member("deliveredToAddress", detail.deliveredToAddress)
        writer.member("textBody", detail.textBody)
        writer.member("htmlAvailable", detail.htmlAvailable)
        writer.member("messageId", detail.internetMessageID)
        writer.member("inReplyTo", detail.inReplyTo)
        writer.member("references", detail.references)
        writer.name("attachments")
        writer.array { writer in for file in detail.attachments { attachment(file, &writer) } }
        writer.name("html")
        if let html { htmlObject(html, &writer) } else { writer.null() }
    }

    private static func attachment(_ file: Attachment, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", file.id.rawValue)
            writer.member("filename", file.filename)
            writer.member("contentType", file.contentType)
            writer.member("sizeBytes", file.sizeBytes)
            writer.member("contentId", file.contentID)
        }
    }

    private static func htmlObject(_ html: MessageHTML, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("html", html.html)
            writer.member("quotedHtml", html.quotedHTML)
            writer.member("afterQuotedHtml", html.afterQuotedHTML)
            writer.member("hasRemoteImages", html.hasRemoteImages)
            writer.member("remoteMediaTrusted", html.remoteMediaTrusted)
        }
    }
}
