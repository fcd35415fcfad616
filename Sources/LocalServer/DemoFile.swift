internal import JSON

/// A message of the demo's file.
struct DemoMessage: Sendable {
    var mailbox: String?
    var folder = "inbox"
    var thread = ""
    var from = "unknown"
    var to: [String] = []
    var cc: [String] = []
    var subject = ""
    var minutesAgo = 0
    var isRead = false
    var isStarred = false
    var text = ""
    var html: String?
    var attachments: [NewAttachment] = []
}

/// A draft of the demo's file.
struct DemoDraft: Sendable {
    var mailbox: String?
    var from = ""
    var to: [String] = []
    var cc: [String] = []
    var subject = ""
    var text = ""
    var replyToThread: String?
}

/// The demo's file.
struct DemoFile: Sendable {
    var mailboxes: [(address: String, displayName: String)] = []
    var messages: [DemoMessage] = []
    var drafts: [DemoDraft] = []
    var arrivals: [DemoMessage] = []

    /// Reads the file's text.
    ///
    /// - Throws: `JSONError`.
    init(_ bytes: [UInt8]) throws(JSONError) {
        var file = (
            boxes: [(address: String, displayName: String)](), messages: [DemoMessage](),
            drafts: [DemoDraft](), arrivals: [DemoMessage]()
        )
        var reader = JSONReader(bytes)
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "mailboxes":
                try reader.array { reader throws(JSONError) in file.boxes.append(try DemoFile.mailbox(&reader)) }
            case "messages":
                try reader.array { reader throws(JSONError) in file.messages.append(try DemoFile.message(&reader)) }
            case "drafts":
                try reader.array { reader throws(JSONError) in file.drafts.append(try DemoFile.draft(&reader)) }
            case "arrivals":
                try reader.array { reader throws(JSONError) in file.arrivals.append(try DemoFile.message(&reader)) }
            default: try reader.skip()
            }
        }
        (mailboxes, messages, drafts, arrivals) = file
    }

    private static func mailbox(_ reader: inout JSONReader) throws(JSONError) -> (address: String, displayName: String)
    {
        var mailbox = (address: "", displayName: "")
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "address": mailbox.address = try reader.string()
            case "displayName": mailbox.displayName = try reader.string()
            default: try reader.skip()
            }
        }
        return mailbox
    }

    private static func message(_ reader: inout JSONReader) throws(JSONError) -> DemoMessage {
        var message = DemoMessage()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "mailbox": message.mailbox = try reader.optionalString()
            case "folder": message.folder = try reader.string()
            case "thread": message.thread = try reader.optionalString() ?? ""
            case "from": message.from = try reader.string()
            case "to": message.to = try reader.strings()
            case "cc": message.cc = try reader.strings()
            case "subject": message.subject = try reader.string()
            case "minutesAgo": message.minutesAgo = try reader.int()
            case "read": message.isRead = try reader.bool()
            case "starred": message.isStarred = try reader.bool()
            case "text": message.text = try reader.string()
            case "html": message.html = try reader.optionalString()
            case "attachments":
                try reader.array { reader throws(JSONError) in message.attachments.append(try attachment(&reader)) }
            default: try reader.skip()
            }
        }
        return message
    }

    private static func attachment(_ reader: inout JSONReader) throws(JSONError) -> NewAttachment {
        var attachment = NewAttachment()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "filename": attachment.filename = try reader.string()
            case "contentType": attachment.contentType = try reader.string()
            case "contentId":
                attachment.contentID = try reader.optionalString().map { "<" + SanitizedImages.bare($0) + ">" }
            case "base64":
                let content = Cursor.decode(try reader.string()) ?? []
                attachment.content = content
                attachment.sizeBytes = content.count
            default: try reader.skip()
            }
        }
        return attachment
    }

    private static func draft(_ reader: inout JSONReader) throws(JSONError) -> DemoDraft {
        var draft = DemoDraft()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "mailbox": draft.mailbox = try reader.optionalString()
            case "from": draft.from = try reader.string()
            case "to": draft.to = try reader.strings()
            case "cc": draft.cc = try reader.strings()
            case "subject": draft.subject = try reader.string()
            case "text": draft.text = try reader.string()
            case "replyToThread": draft.replyToThread = try reader.optionalString()
            default: try reader.skip()
            }
        }
        return draft
    }
}
