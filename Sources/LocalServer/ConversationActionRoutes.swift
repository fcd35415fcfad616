internal import SQLite

extension Store {
    /// POST `/conversations/{messageId}/{action}`: the body is judged after the access to the message.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func act(
        _ action: MessageAction, onConversation id: String, _ body: [UInt8], _ caller: Caller
    ) throws -> ServerAnswer {
        try checkMessage(id, caller, action.needed)
        let folder = try Store.conversationFolder(body)
        let thread = try text("SELECT threadId FROM messages WHERE id = ?", id) ?? ""
        var text = JSONText()
        text.raw("{\"affected\":\(try act(action, onThread: thread, shownIn: folder, caller.having(action.needed)))")
        text.member(",\"threadId\":", thread)
        text.raw("}")
        return .json(text)
    }

    /// The folder a body names.
    ///
    /// What is no JSON counts as an empty object here.
    private static func conversationFolder(_ body: [UInt8]) throws(Refusal) -> String {
        var value = BodyValue.object([:])
        if let read = try? BodyValue(body) { value = read }
        guard case .object(let members) = value else {
            throw .validation("Invalid input: expected object, received \(value.typeName)")
        }
        guard case .string(let folder) = members["folder"], conversationFolders.contains(folder) else {
            throw .conversationFolder
        }
        return folder
    }

    /// Changes the messages of a thread that the caller may change; answers how many rows were written.
    private func act(
        _ action: MessageAction, onThread thread: String, shownIn folder: String, _ caller: Caller
    ) throws(SQLiteError) -> Int {
        if caller.readsNothing { return 0 }
        guard let filter = Store.members(of: folder, action) else { return 0 }
        let statement = try database.statement(
            """
            UPDATE messages SET \(action.assignments) WHERE threadId = ?2 AND \(filter)
            AND \(caller.condition("messages"))
            """)
        defer { statement.reset() }
        statement.bind(1, now())
        statement.bind(2, thread)
        _ = caller.bind(statement, from: 3)
        try statement.run()
        return database.changes
    }

    /// The condition on the messages an action changes; `nil` when this folder's list offers none.
    private static func members(of folder: String, _ action: MessageAction) -> String? {
        switch action {
        case .read, .unread: return "direction = 'inbound'"
        case .star, .unstar: return "1"
        // Sent copies stay where they are.
        case .archive: return "folder IN ('inbox', 'catchall')"
        // The folder is one of the six names above.
        case .trash: return folder == "starred" ? "starredAt IS NOT NULL" : "folder = '\(folder)'"
        case .unarchive: return folder == "archived" ? "folder = 'archived'" : nil
        case .restore: return folder == "trash" ? "folder = 'trash'" : nil
        }
    }
}
