internal import JSON
internal import SQLite

/// The verbs that write rows with ids and times of the caller's choosing, for runs that can be repeated.
enum ControlVerbs {
    /// Carries out a verb; `nil` when there is none of this name.
    ///
    /// - Throws: `Refusal`, `JSONError` or `SQLiteError`.
    static func perform(_ request: ServerRequest, _ store: Store) throws -> [String]? {
        func required(_ name: String) throws(Refusal) -> String {
            guard let value = request.parameter(name) else { throw .validation("\(name) is missing.") }
            return value
        }
        switch request.path {
        case "/make-mailbox":
            return [try store.putMailbox(required("address"), id: request.parameter("id"))]
        case "/delete-draft":
            try store.run("DELETE FROM drafts WHERE id = ?", required("id"))
            return []
        case "/put": return try PutControl.put(request.body, store)
        default: return nil
        }
    }
}

extension Store {
    /// The mailbox of an address, made with the given id when there is none.
    ///
    /// - Throws: `SQLiteError`.
    func putMailbox(_ address: String, id: String?) throws(SQLiteError) -> String {
        guard let id, try mailbox(havingAddress: address) == nil else { return try makeMailbox(address) }
        let address = address.lowercased()
        let stamp = now()
        try run(
            "INSERT INTO mailboxes(id, address, displayName, createdAt, updatedAt) VALUES(?, ?, ?, ?, ?)",
            id, address, String(address.prefix { $0 != "@" }), stamp, stamp)
        try run(
            """
            INSERT INTO addresses(id, mailboxId, domainId, address, displayName)
            VALUES(?, ?, 'dom_local_import', ?, '')
            """, "addr_" + id, id, address)
        return id
    }
}

/// The verb that writes whole messages.
private enum PutControl {
    /// Stores the messages of a JSON array; answers their ids.
    static func put(_ body: [UInt8], _ store: Store) throws -> [String] {
        var reader = JSONReader(body)
        var messages: [(NewMessage, address: String?)] = []
        try reader.array { reader throws(JSONError) in messages.append(try message(&reader)) }
        try reader.end()
        for (message, address) in messages {
            var message = message
            if let address { message.mailbox = try store.mailbox(havingAddress: address) }
            if message.createdAt.isEmpty { message.createdAt = store.now() }
            try store.insert(message)
        }
        return messages.map(\.0.id)
    }

    private static func message(_ reader: inout JSONReader) throws(JSONError) -> (NewMessage, address: String?) {
        var message = NewMessage()
        var address: String?
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "id": message.id = try reader.string()
            case "threadId": message.thread = try reader.string()
            case "mailbox": address = try reader.optionalString()
            case "direction": message.isOutbound = try reader.string() == "outbound"
            case "folder": message.folder = try reader.string()
            case "from": message.from = try reader.string()
            case "to": message.to = try reader.strings()
            case "subject": message.subject = try reader.string()
            case "text":
                message.text = try reader.string()
                message.snippet = Snippet.text(message.text, html: nil)
            case "html": message.htmlSource = try reader.optionalString()
            case "receivedAt": message.receivedAt = try reader.optionalString()
            case "sentAt": message.sentAt = try reader.optionalString()
            case "readAt": message.readAt = try reader.optionalString()
            case "starredAt": message.starredAt = try reader.optionalString()
            case "createdAt": message.createdAt = try reader.string()
            default: try reader.skip()
            }
        }
        return (message, address)
    }
}
