internal import JSON
internal import MailModel

/// The columns of drafts and sends that are JSON.
enum DraftCode {
    static func encode(_ content: DraftContent) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("origin", DraftRow.word(of: content.origin))
            writer.member("original", content.origin.original?.rawValue)
            writer.member("withFiles", DraftRow.takesFiles(content.origin))
            writer.member("mailbox", content.mailbox?.rawValue)
            writer.member("from", content.from)
            writer.member("to", content.to)
            writer.member("cc", content.cc)
            writer.member("bcc", content.bcc)
            writer.member("subject", content.subject)
            writer.member("text", content.text)
            writer.member("html", content.html)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The content; `nil` for JSON that this version cannot read.
    static func content(_ json: String) -> DraftContent? {
        var content = DraftContent()
        var (origin, original, withFiles) = ("new", String?.none, true)
        var reader = JSONReader(Array(json.utf8))
        do {
            try reader.object { reader, name throws(JSONError) in
                switch name {
                case "origin": origin = try reader.string()
                case "original": original = try reader.optionalString()
                case "withFiles": withFiles = try reader.bool()
                case "mailbox": content.mailbox = try reader.optionalString().map { MailboxID($0) }
                case "from": content.from = try reader.string()
                case "to": content.to = try reader.string()
                case "cc": content.cc = try reader.string()
                case "bcc": content.bcc = try reader.string()
                case "subject": content.subject = try reader.string()
                case "text": content.text = try reader.string()
                case "html": content.html = try reader.string()
                default: try reader.skip()
                }
            }
        } catch {
            return nil
        }
        content.origin = DraftRow.origin(origin, original: original, withFiles: withFiles)
        return content
    }

    static func encode(_ content: SentContent) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("from", content.from)
            writer.member("to", content.to)
            writer.member("cc", content.cc)
            writer.member("bcc", content.bcc)
            writer.member("subject", content.subject)
            writer.member("text", content.text)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The content; `nil` for JSON that this version cannot read.
    static func sentContent(_ json: String) -> SentContent? {
        var content = SentContent(from: "", to: [], cc: [], bcc: [], subject: "", text: "")
        var reader = JSONReader(Array(json.utf8))
        do {
            try reader.object { reader, name throws(JSONError) in
                switch name {
                case "from": content.from = try reader.string()
                case "to": content.to = try reader.strings()
                case "cc": content.cc = try reader.strings()
                case "bcc": content.bcc = try reader.strings()
                case "subject": content.subject = try reader.string()
                case "text": content.text = try reader.string()
                default: try reader.skip()
                }
            }
        } catch {
            return nil
        }
        return content
    }
}
