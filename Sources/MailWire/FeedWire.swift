package import JSON

/// One entry of a page of changes (contract §3.9).
package enum ChangeWire: Sendable, Hashable {
    case upsert(MessageSummaryWire)
    case delete(messageId: String, mailboxId: String?)
    /// A kind of change this client does not know; it is passed over.
    case unknown
}

/// A page of changes (contract §3.9).
package struct ChangePageWire: Sendable, Hashable {
    package var changes: [ChangeWire] = []
    package var nextCursor = ""
    package var hasMore = false

    package init() {}

    /// Reads a page; unknown members are skipped.
    ///
    /// - Throws: `JSONError`, also when `nextCursor` is missing.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = ChangePageWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "nextCursor": wire.nextCursor = try reader.string()
            case "hasMore": wire.hasMore = try reader.bool()
            case "changes":
                var changes: [ChangeWire] = []
                try reader.array { reader throws(JSONError) in changes.append(try ChangePageWire.change(&reader)) }
                wire.changes = changes
            default: try reader.skip()
            }
        }
        if wire.nextCursor.isEmpty { throw .missing("nextCursor") }
        self = wire
    }

    private static func change(_ reader: inout JSONReader) throws(JSONError) -> ChangeWire {
        var type = ""
        var message: MessageSummaryWire?
        var messageId: String?
        var mailboxId: String?
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "type": type = try reader.string()
            case "message": message = try MessageSummaryWire(from: &reader)
            case "messageId": messageId = try reader.string()
            case "mailboxId": mailboxId = try reader.optionalString()
            default: try reader.skip()
            }
        }
        switch type {
        case "upsert":
            guard let message else { throw .missing("message") }
            return .upsert(message)
        case "delete":
            guard let messageId else { throw .missing("messageId") }
            return .delete(messageId: messageId, mailboxId: mailboxId)
        default: return .unknown
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("changes")
            writer.array { writer in
                for change in changes { ChangePageWire.write(change, to: &writer) }
            }
            writer.member("nextCursor", nextCursor)
            writer.member("hasMore", hasMore)
        }
    }

    private static func write(_ change: ChangeWire, to writer: inout JSONWriter) {
        switch change {
        case .upsert(let message):
            writer.object { writer in
                writer.member("type", "upsert")
                writer.name("message")
                message.write(to: &writer)
            }
        case .delete(let messageId, let mailboxId):
            writer.object { writer in
                writer.member("type", "delete")
                writer.member("messageId", messageId)
                writer.member("mailboxId", mailboxId)
            }
        case .unknown: break
        }
    }
}

/// A conversation row: the newest message's summary and the thread's aggregates (contract §3.7).
package struct ConversationWire: Sendable, Hashable {
    package var summary = MessageSummaryWire()
    package var isStarred = false
    package var messageCount = 0
    package var unreadCount = 0

    package init() {}

    /// Reads a row; unknown members are skipped.
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = ConversationWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "isStarred": wire.isStarred = try reader.bool()
            case "messageCount": wire.messageCount = try reader.int()
            case "unreadCount": wire.unreadCount = try reader.int()
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
            writer.member("isStarred", isStarred)
            writer.member("messageCount", messageCount)
            writer.member("unreadCount", unreadCount)
        }
    }
}

/// A page of conversations (contract §3.7).
package struct ConversationPageWire: Sendable, Hashable {
    package var conversations: [ConversationWire] = []
    package var nextCursor: String?
    package var totalCount: Int?

    package init() {}

    /// Reads a page; unknown members are skipped.
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = ConversationPageWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "nextCursor": wire.nextCursor = try reader.optionalString()
            case "totalCount": wire.totalCount = try reader.takeNull() ? nil : try reader.int()
            case "conversations":
                var rows: [ConversationWire] = []
                try reader.array { reader throws(JSONError) in rows.append(try ConversationWire(from: &reader)) }
                wire.conversations = rows
            default: try reader.skip()
            }
        }
        self = wire
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("conversations")
            writer.array { writer in for row in conversations { row.write(to: &writer) } }
            writer.member("nextCursor", nextCursor)
            writer.name("totalCount")
            if let totalCount { writer.value(totalCount) } else { writer.null() }
        }
    }
}

/// The error envelope (contract §1.3).
package struct ErrorWire: Sendable, Hashable {
    package var code: String
    /// For people only, not stable, may name addresses: never logged.
    package var message: String

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// Reads the envelope, also OAuth's flat form (contract §2.8).
    ///
    /// - Throws: `JSONError` when there is no code.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var code = ""
        var message = ""
        try reader.object { reader, name throws(JSONError) in
            if name == "error", try reader.kind() == .object {
                try reader.object { reader, name throws(JSONError) in
                    switch name {
                    case "code": code = try reader.string()
                    case "message": message = try reader.string()
                    default: try reader.skip()
                    }
                }
            } else if name == "error" {
                code = try reader.string()
            } else {
                try reader.skip()
            }
        }
        if code.isEmpty { throw .missing("code") }
        self.init(code: code, message: message)
    }

    /// Writes the envelope.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("error")
            writer.object { writer in
                writer.member("code", code)
                writer.member("message", message)
            }
        }
    }
}
