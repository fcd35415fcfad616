internal import SQLite

/// An action on a message or a conversation, named as in its route.
enum MessageAction: String, Sendable {
    case read, unread, star, unstar, archive, unarchive, trash, restore

    /// The level of access it needs.
    var needed: Level { self == .read || self == .unread ? .read : .agent }

    /// Where a message goes that leaves the archive or the trash.
    private static let home =
        "CASE WHEN direction = 'outbound' THEN 'sent' WHEN isUnassigned THEN 'catchall' ELSE 'inbox' END"

    /// The assignments it makes; `?1` is the instant.
    var assignments: String {
        switch self {
        case .read: return "readAt = ?1"
        case .unread: return "readAt = NULL"
        case .star: return "starredAt = ?1"
        case .unstar: return "starredAt = NULL"
        case .archive: return "folder = 'archived', archivedAt = ?1"
        case .trash: return "folder = 'trash', trashedAt = ?1"
        case .unarchive, .restore: return "folder = \(MessageAction.home), archivedAt = NULL, trashedAt = NULL"
        }
    }
}

extension Store {
    /// Does an action on one message; `false` for an unknown action.
    ///
    /// A message that is not where `unarchive` or `restore` would take it from stays as it is, without an entry
    /// in the journal. Every other action writes, also when nothing is different afterwards.
    ///
    /// - Throws: `SQLiteError`.
    func act(_ name: String, on id: String) throws(SQLiteError) -> Bool {
        guard let action = MessageAction(rawValue: name) else { return false }
        try act(action, on: id)
        return true
    }

    private func act(_ action: MessageAction, on id: String) throws(SQLiteError) {
        var change = action.assignments
        switch action {
        case .archive: change += ", trashedAt = NULL WHERE id = ?2"
        case .unarchive: change += " WHERE id = ?2 AND folder = 'archived'"
        case .restore: change += " WHERE id = ?2 AND folder = 'trash'"
        default: change += " WHERE id = ?2"
        }
        try run("UPDATE messages SET " + change, now(), id)
    }

    /// POST `/messages/{id}/{action}`; a body is ignored.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func act(_ action: MessageAction, onMessage id: String, _ caller: Caller) throws -> ServerAnswer {
        try checkMessage(id, caller, action.needed)
        try act(action, on: id)
        return try summary(id)
    }

    /// A message's summary as an answer.
    ///
    /// - Throws: `Refusal.messageNotFound` or `SQLiteError`.
    func summary(_ id: String, status: UInt32 = 200) throws -> ServerAnswer {
        let statement = try database.statement("SELECT \(Store.summaryColumns) FROM messages m WHERE m.id = ?")
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step() else { throw Refusal.messageNotFound }
        var text = JSONText()
        Store.writeSummary(statement, to: &text)
        text.raw("}")
        return .json(text, status: status)
    }

    /// POST `/messages/{id}/remote-media/trust`: the caller trusts this sender from now on.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func trustSender(ofMessage id: String, _ caller: Caller) throws -> ServerAnswer {
        try checkMessage(id, caller, .read)
        let sender = try text("SELECT fromAddress FROM messages WHERE id = ?", id) ?? ""
        try run("INSERT OR IGNORE INTO trustedSenders VALUES(?, ?)", caller.user, sender.lowercased())
        var text = JSONText()
        text.raw("{\"remoteMediaTrusted\":true}")
        return .json(text)
    }
}
