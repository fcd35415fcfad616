package import JSON

/// A message summary as the contract writes it (contract §3.1): exactly these fifteen keys.
package struct MessageSummaryWire: Sendable, Hashable {
    package var id = ""
    package var threadId = ""
    package var mailboxId: String?
    package var direction = ""
    package var folder = ""
    package var fromAddress = ""
    package var to: [String] = []
    package var subject = ""
    package var snippet = ""
    package var receivedAt: String?
    package var sentAt: String?
    package var readAt: String?
    package var starredAt: String?
    package var hasAttachments = false
    package var createdAt = ""

    package init() {}

    /// The members' names, in the order of the server.
    private static let names = JSONNames([
        "id", "threadId", "mailboxId", "direction", "folder", "fromAddress", "to", "subject", "snippet", "receivedAt",
        "sentAt", "readAt", "starredAt", "hasAttachments", "createdAt",
    ])

    /// Reads one member; answers `false`, consuming nothing, for a name that is not of a summary.
    mutating func read(_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Bool {
        guard let place = MessageSummaryWire.names.place(of: name) else { return false }
        try read(place, &reader)
        return true
    }

    /// Reads the member of a place in `names`.
    private mutating func read(_ place: Int, _ reader: inout JSONReader) throws(JSONError) {
        switch place {
        case 0: id = try reader.string()
        case 1: threadId = try reader.string()
        case 2: mailboxId = try reader.optionalString()
        case 3: direction = try reader.string()
        case 4: folder = try reader.string()
        case 5: fromAddress = try reader.string()
        case 6: to = try reader.strings()
        case 7: subject = try reader.string()
        case 8: snippet = try reader.string()
        case 9: receivedAt = try reader.optionalString()
        case 10: sentAt = try reader.optionalString()
        case 11: readAt = try reader.optionalString()
        case 12: starredAt = try reader.optionalString()
        case 13: hasAttachments = try reader.bool()
        default: createdAt = try reader.string()
        }
    }

    /// The fields without which a message cannot be kept.
    func checked() throws(JSONError) -> MessageSummaryWire {
        if id.isEmpty { throw .missing("id") }
        if threadId.isEmpty { throw .missing("threadId") }
        if folder.isEmpty { throw .missing("folder") }
        if createdAt.isEmpty { throw .missing("createdAt") }
        return self
    }

    /// Reads a summary; unknown members are skipped.
    ///
    /// - Throws: `JSONError` when the text is malformed or an indispensable member is missing.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = MessageSummaryWire()
        try reader.object(MessageSummaryWire.names) { reader, place throws(JSONError) in
            try wire.read(place, &reader)
        }
        self = try wire.checked()
    }

    /// Writes the members, without the braces.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("threadId", threadId)
        writer.member("mailboxId", mailboxId)
        writer.member("direction", direction)
        writer.member("folder", folder)
        writer.member("fromAddress", fromAddress)
        writer.member("to", to)
        writer.member("subject", subject)
        writer.member("snippet", snippet)
        writer.member("receivedAt", receivedAt)
        writer.member("sentAt", sentAt)
        writer.member("readAt", readAt)
        writer.member("starredAt", starredAt)
        writer.member("hasAttachments", hasAttachments)
        writer.member("createdAt", createdAt)
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writeMembers(to: &$0) }
    }
}

/// An attachment of a message (contract §3.1).
package struct AttachmentWire: Sendable, Hashable {
    package var id = ""
    /// Absent in a draft's attachment.
    package var messageId: String?
    package var filename = ""
    package var contentType = ""
    package var sizeBytes = 0
    package var contentId: String?
    package var createdAt = ""

    package init() {}

    /// Reads an attachment; unknown members are skipped.
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = AttachmentWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "id": wire.id = try reader.string()
            case "messageId": wire.messageId = try reader.optionalString()
            case "filename": wire.filename = try reader.string()
            case "contentType": wire.contentType = try reader.string()
            case "sizeBytes": wire.sizeBytes = try reader.int()
            case "contentId": wire.contentId = try reader.optionalString()
            case "createdAt": wire.createdAt = try reader.string()
            default: try reader.skip()
            }
        }
        if wire.id.isEmpty { throw .missing("id") }
        self = wire
    }

    /// Writes a message's attachment.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("messageId", messageId)
            writer.member("filename", filename)
            writer.member("contentType", contentType)
            writer.member("sizeBytes", sizeBytes)
            writer.member("contentId", contentId)
            writer.member("createdAt", createdAt)
        }
    }

    /// Writes a draft's attachment, which has four keys.
    package func writeForDraft(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("filename", filename)
            writer.member("contentType", contentType)
            writer.member("sizeBytes", sizeBytes)
        }
    }
}

/// A message with text and attachments (contract §3.1).
package struct MessageDetailWire: Sendable, Hashable {
    package var summary = MessageSummaryWire()
    package var cc: [String] = []
    package var bcc: [String] = []
    package var deliveredToAddress: String?
    package var textBody = ""
    package var htmlAvailable = false
    package var messageId: String?
    package var inReplyTo: String?
    package var references: [String] = []
    package var attachments: [AttachmentWire] = []

    package init() {}

    /// Reads a detail; unknown members are skipped.
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = MessageDetailWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "cc": wire.cc = try reader.strings()
            case "bcc": wire.bcc = try reader.strings()
            case "deliveredToAddress": wire.deliveredToAddress = try reader.optionalString()
            case "textBody": wire.textBody = try reader.string()
            case "htmlAvailable": wire.htmlAvailable = try reader.bool()
            case "messageId": wire.messageId = try reader.optionalString()
            case "inReplyTo": wire.inReplyTo = try reader.optionalString()
            case "references": wire.references = try reader.strings()
            case "attachments":
                var attachments: [AttachmentWire] = []
                try reader.array { reader throws(JSONError) in attachments.append(try AttachmentWire(from: &reader)) }
                wire.attachments = attachments
            default: if try !wire.summary.read(name, &reader) { try reader.skip() }
            }
        }
        wire.summary = try wire.summary.checked()
        self = wire
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            summary.writeMembers(to: &writer)
            writer.member("cc", cc)
            writer.member("bcc", bcc)
            writer.member("deliveredToAddress", deliveredToAddress)
            writer.member("textBody", textBody)
            writer.member("htmlAvailable", htmlAvailable)
            writer.member("messageId", messageId)
            writer.member("inReplyTo", inReplyTo)
            writer.member("references", references)
            writer.name("attachments")
            writer.array { writer in for attachment in attachments { attachment.write(to: &writer) } }
        }
    }
}

/// A message's HTML (contract §3.5).
package struct MessageHTMLWire: Sendable, Hashable {
    package var html = ""
    package var quotedHtml: String?
    package var afterQuotedHtml: String?
    package var hasRemoteImages = false
    package var remoteMediaTrusted = false

    package init() {}

    /// Reads the answer; unknown members are skipped, absent ones read as null (contract §5).
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = MessageHTMLWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "html": wire.html = try reader.optionalString() ?? ""
            case "quotedHtml": wire.quotedHtml = try reader.optionalString()
            case "afterQuotedHtml": wire.afterQuotedHtml = try reader.optionalString()
            case "hasRemoteImages": wire.hasRemoteImages = try reader.bool()
            case "remoteMediaTrusted": wire.remoteMediaTrusted = try reader.bool()
            default: try reader.skip()
            }
        }
        self = wire
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("html", html)
            writer.member("quotedHtml", quotedHtml)
            writer.member("afterQuotedHtml", afterQuotedHtml)
            writer.member("hasRemoteImages", hasRemoteImages)
            writer.member("remoteMediaTrusted", remoteMediaTrusted)
        }
    }
}
