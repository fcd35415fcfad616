package import MailModel
internal import SQLite

extension MailStore {
    /// Puts the copy of a mail that was just sent among the messages, before a pass brings it, and takes its draft away.
    ///
    /// `draft` is the server's; `nil` when the server had none.
    /// - Throws: `StoreError`.
    package func insert(sent message: MessageSummary, of draft: DraftID?) throws {
        try commitMessages { database, outbox in
            try Echoes.note(message, in: database)
            var writes = try MessageWrites(database: database, outbox: outbox)
            try writes.upsert(message)
            try writes.finish()
            if let draft { try DraftRows.forget(draft, in: database) }
            if try Relistings.isRunning(in: database) { try Relistings.markSeen([message.id], in: database) }
        }
    }

    /// Takes away a draft that the server has no more, before a pass tells so; an unknown one is none.
    ///
    /// - Throws: `StoreError`.
    package func forget(draft: DraftID) throws { try commit { try DraftRows.forget(draft, in: $0) } }

    /// The messages that are here of a message's conversation, oldest first; empty for an unknown message.
    ///
    /// - Throws: `StoreError`.
    package func conversation(of message: MessageID) throws -> [MessageSummary] {
        try read { database in
            let row = try database.statement(MailStore.conversationSQL)
            row.bind(1, SortKey.hash(message))
            row.bind(2, message.rawValue)
            defer { row.reset() }
            var messages: [MessageSummary] = []
            while try row.step() { messages.append(MessageRow.summary(row)) }
            return messages
        }
    }

    static let conversationSQL = """
        SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t"))
        FROM messages m JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
        WHERE m.thread_pk = (SELECT thread_pk FROM messages WHERE id_hash = ?1 AND id = ?2)
        ORDER BY m.activity_key, m.activity_at, m.id
        """
}
