internal import JSON
internal import MailModel
internal import MailStorage
internal import SQLite

/// What a server has of a message that actions change.
struct ServerMessage: Hashable {
    var folder = ""
    var isRead = false
    var isStarred = false

    /// Asks the server for a message.
    static func asked(_ id: MessageID, _ port: Int) throws -> ServerMessage {
        var message = ServerMessage()
        var reader = JSONReader(try ask(port, "/api/v1/messages/\(id)"))
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "folder": message.folder = try reader.string()
            case "readAt": message.isRead = try reader.optionalString() != nil
            case "starredAt": message.isStarred = try reader.optionalString() != nil
            default: try reader.skip()
            }
        }
        return message
    }

    /// The message after an action.
    func after(_ action: TriageAction) -> ServerMessage {
        var message = self
        switch action {
        case .read: message.isRead = true
        case .unread: message.isRead = false
        case .star: message.isStarred = true
        case .unstar: message.isStarred = false
        case .archive: message.folder = "archived"
        case .trash: message.folder = "trash"
        case .unarchive: if folder == "archived" { message.folder = "inbox" }
        case .restore: if folder == "trash" { message.folder = "inbox" }
        }
        return message
    }
}

/// A write that the server carried out.
struct DoneWrite: Hashable {
    var path = ""
    var requestID = ""

    /// All so far, in order.
    static func all(_ controlPort: Int) throws -> [DoneWrite] {
        var writes: [DoneWrite] = []
        var reader = JSONReader(try ask(controlPort, "/writes", method: "POST"))
        try reader.object { reader, name throws(JSONError) in
            guard name == "writes" else { return try reader.skip() }
            try reader.array { reader throws(JSONError) in
                var write = DoneWrite()
                try reader.object { reader, name throws(JSONError) in
                    switch name {
                    case "path": write.path = try reader.string()
                    case "requestId": write.requestID = try reader.string()
                    default: try reader.skip()
                    }
                }
                writes.append(write)
            }
        }
        return writes
    }
}

extension Herald {
    var outboxPath: String { directory("state") + "/outbox.sqlite" }

    /// The account's outbox, opened as the program does.
    func outbox() throws -> OutboxStore { try OutboxStore(path: outboxPath, owner: try owner()) }

    /// Whose the account is, as its files name it.
    func owner() throws -> String {
        let database = try Database(try cachePath(), mode: .readOnly)
        let row = try database.statement("SELECT value FROM meta WHERE key = 'owner'")
        defer { row.reset() }
        guard try row.step() else { throw SetupError.noDirectory }
        return row.text(0)
    }

    /// The messages of the cache as they are shown.
    func shown() async throws -> [MessageSummary] {
        let database = try Database(try cachePath(), mode: .readOnly)
        let row = try database.statement("SELECT value FROM meta WHERE key = 'owner'")
        defer { row.reset() }
        guard try row.step(), let reader = try MailReader(path: try cachePath(), owner: row.text(0)) else {
            throw SetupError.noDirectory
        }
        return try await reader.messages(mailbox: nil, folder: nil, limit: nil)
    }
}
