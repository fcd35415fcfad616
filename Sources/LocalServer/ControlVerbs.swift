internal import JSON
internal import SQLite

/// The verbs that change what a test chooses: roles, places, and rows with given ids and times.
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
        case "/role":
            guard try store.setRole(of: required("user"), to: required("role")) else {
                throw Refusal.validation("Unknown user or role.")
            }
            return []
        case "/move":
            guard try store.move(required("id"), to: required("to")) else {
                throw Refusal.validation("Unknown message or address.")
            }
            return [try required("id")]
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
    /// Makes a user owner, admin or member; `false` when the user or the role is unknown.
    ///
    /// - Throws: `SQLiteError`.
    func setRole(of user: String, to role: String) throws(SQLiteError) -> Bool {
        guard ["owner", "admin", "member"].contains(role) else { return false }
        try run("UPDATE users SET role = ? WHERE id = ?", role, "usr_local_" + user)
        return database.changes > 0
    }

    /// Moves a message into the mailbox of an address; mail of nobody becomes inbox mail there.
    ///
    /// - Throws: `SQLiteError`.
    func move(_ id: String, to address: String) throws(SQLiteError) -> Bool {
        guard let mailbox = try mailbox(havingAddress: address) else { return false }
        try run(
            """
            UPDATE messages SET mailboxId = ?, isUnassigned = 0,
            folder = CASE WHEN folder = 'catchall' THEN 'inbox' ELSE folder END WHERE id = ?
            """, mailbox, id)
        return database.changes > 0
    }

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
