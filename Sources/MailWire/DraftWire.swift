package import JSON

/// A draft (contract §3.1): fourteen keys.
package struct DraftWire: Sendable, Hashable {
    package var id = ""
    package var mailboxId: String?
    package var replyToMessageId: String?
    package var forwardOfMessageId: String?
    package var from = ""
    package var to: [String] = []
    package var cc: [String] = []
    package var bcc: [String] = []
    package var subject = ""
    package var text = ""
    package var html = ""
    package var version = 1
    package var updatedAt = ""
    package var attachments: [AttachmentWire] = []

    package init() {}

    /// Reads a draft; unknown members are skipped.
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = DraftWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "id": wire.id = try reader.string()
            case "mailboxId": wire.mailboxId = try reader.optionalString()
            case "replyToMessageId": wire.replyToMessageId = try reader.optionalString()
            case "forwardOfMessageId": wire.forwardOfMessageId = try reader.optionalString()
            case "from": wire.from = try reader.string()
            case "to": wire.to = try reader.strings()
            case "cc": wire.cc = try reader.strings()
            case "bcc": wire.bcc = try reader.strings()
            case "subject": wire.subject = try reader.string()
            case "text": wire.text = try reader.string()
            case "html": wire.html = try reader.string()
            case "version": wire.version = try reader.int()
            case "updatedAt": wire.updatedAt = try reader.string()
            case "attachments":
                var attachments: [AttachmentWire] = []
                try reader.array { reader throws(JSONError) in attachments.append(try AttachmentWire(from: &reader)) }
                wire.attachments = attachments
            default: try reader.skip()
            }
        }
        if wire.id.isEmpty { throw .missing("id") }
        self = wire
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("mailboxId", mailboxId)
            writer.member("replyToMessageId", replyToMessageId)
            writer.member("forwardOfMessageId", forwardOfMessageId)
            writer.member("from", from)
            writer.member("to", to)
            writer.member("cc", cc)
            writer.member("bcc", bcc)
            writer.member("subject", subject)
            writer.member("text", text)
            writer.member("html", html)
            writer.member("version", version)
            writer.member("updatedAt", updatedAt)
            writer.name("attachments")
            writer.array { writer in for attachment in attachments { attachment.writeForDraft(to: &writer) } }
        }
    }
}
