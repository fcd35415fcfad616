internal import JSON
internal import MailModel

/// The number that stands for a list in the cache: a folder of one mailbox, or of all.
enum ListCode {
    /// The code of a mailbox's folder; mailbox 0 is all mailboxes.
    static func code(mailbox: Int64, folder: Folder) -> Int64 { mailbox * 16 + number(folder) }

    /// The folder of a code.
    static func folder(_ code: Int64) -> Folder? { Folder.allCases.first { number($0) == code % 16 } }

    /// The number of the starred folder.
    static let starred = number(.starred)

    /// The mailbox of a code.
    static func mailbox(_ code: Int64) -> Int64 { code / 16 }

    static func number(_ folder: Folder) -> Int64 {
        switch folder {
        case .inbox: 1
        case .starred: 2
        case .sent: 3
        case .drafts: 4
        case .archived: 5
        case .trash: 6
        case .catchall: 7
        }
    }
}

/// Text columns that hold lists, as JSON.
enum Column {
    static func encode(_ strings: [String]) -> String { String(decoding: utf8(strings), as: UTF8.self) }

    /// The same as bytes.
    static func utf8(_ strings: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(strings)
        return writer.bytes
    }

    static func decodeStrings(_ text: String) -> [String] {
        var reader = JSONReader(Array(text.utf8))
        return (try? reader.strings()) ?? []
    }

    static func encode(_ attachments: [Attachment]) -> String {
        var writer = JSONWriter()
        writer.array { writer in
            for attachment in attachments {
                writer.object { writer in
                    writer.member("id", attachment.id.rawValue)
                    writer.member("filename", attachment.filename)
                    writer.member("contentType", attachment.contentType)
                    writer.member("sizeBytes", attachment.sizeBytes)
                    writer.member("contentId", attachment.contentID)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func decodeAttachments(_ text: String) -> [Attachment] {
        var reader = JSONReader(Array(text.utf8))
        var attachments: [Attachment] = []
        try? reader.array { reader throws(JSONError) in
            var attachment = Attachment(
                id: AttachmentID(""), filename: "", contentType: "", sizeBytes: 0, contentID: nil)
            try reader.object { reader, name throws(JSONError) in
                switch name {
                case "id": attachment.id = AttachmentID(try reader.string())
                case "filename": attachment.filename = try reader.string()
                case "contentType": attachment.contentType = try reader.string()
                case "sizeBytes": attachment.sizeBytes = try reader.int()
                case "contentId": attachment.contentID = try reader.optionalString()
                default: try reader.skip()
                }
            }
            attachments.append(attachment)
        }
        return attachments
    }
}
