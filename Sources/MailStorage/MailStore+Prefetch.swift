package import MailModel
internal import SQLite

/// A thread with messages whose bodies are not here.
package struct BodilessThread: Sendable, Hashable {
    package var id: ThreadID
    /// The messages that lack their text or their HTML, newest first.
    package var messages: [MessageID]

    package init(id: ThreadID, messages: [MessageID]) {
        self.id = id
        self.messages = messages
    }
}

extension MailStore {
    /// Threads that lack bodies, the one with the newest such message first.
    ///
    /// Looks at messages from `since` on, or at all for `nil`, and names at most `messagesMax` a thread. Bodies
    /// known to be unavailable are not lacking. Costs what it answers, through `messages_bodiless_idx`.
    /// - Throws: `StoreError`.
    package func bodilessThreads(
        since: Timestamp?, threadsMax: Int, messagesMax: Int
    ) throws -> [BodilessThread] {
        try read { database in
            var keys: [Int64] = []
            var known: Set<Int64> = []
            let row = try database.statement(MailStore.bodilessSQL)
            row.bind(1, since.map { SortKey.of($0) } ?? 0)
            defer { row.reset() }
            while keys.count < threadsMax, try row.step() {
                if known.insert(row.int(0)).inserted { keys.append(row.int(0)) }
            }
            return try keys.map { try MailStore.bodiless(thread: $0, messagesMax, in: database) }
        }
    }

    /// The statement that finds messages without bodies, newest first; its plan is tested.
    static let bodilessSQL = """
        SELECT thread_pk FROM messages INDEXED BY messages_bodiless_idx
        WHERE body_state < 2 AND activity_key >= ?1 ORDER BY activity_key DESC
        """

    private static func bodiless(
        thread key: Int64, _ messagesMax: Int, in database: Database
    ) throws(SQLiteError) -> BodilessThread {
        let row = try database.statement(
            """
            SELECT t.id, m.id FROM messages m JOIN threads t ON t.pk = m.thread_pk
            WHERE m.thread_pk = ?1 AND m.body_state < 2 ORDER BY m.activity_key DESC, m.activity_at DESC, m.id DESC LIMIT ?2
            """)
        row.bind(1, key)
        row.bind(2, messagesMax)
        defer { row.reset() }
        var thread = BodilessThread(id: ThreadID(""), messages: [])
        while try row.step() {
            thread.id = ThreadID(row.text(0))
            thread.messages.append(MessageID(row.text(1)))
        }
        return thread
    }

    /// Remembers that the server does not have these bodies; unknown messages are passed over.
    ///
    /// - Throws: `StoreError`.
    package func recordUnavailable(_ ids: [MessageID]) throws { try record(.unavailable, ids) }

    /// Remembers that the server did not give these bodies for lack of access; unknown messages are passed over.
    ///
    /// - Throws: `StoreError`.
    package func recordRefused(_ ids: [MessageID]) throws { try record(.refused, ids) }

    private func record(_ state: BodyState, _ ids: [MessageID]) throws {
        guard !ids.isEmpty else { return }
        try commit { database in
            for id in ids {
                guard let stored = try BodyRows.stored(id, in: database) else { continue }
                try BodyRows.set(state, key: stored.key, in: database)
            }
        }
    }

    /// Has bodies asked for again that were refused for lack of access; writes nothing when there are none.
    ///
    /// - Throws: `StoreError`.
    package func retryRefused() throws {
        let isAny = try read { database in
            try database.scalar("SELECT 1 FROM messages INDEXED BY messages_refused_idx WHERE body_state = 4 LIMIT 1")
                != nil
        }
        guard isAny else { return }
        try commit { database in
            let statement = try database.statement(MailStore.retrySQL)
            try statement.run()
        }
    }

    /// The statement that gives refused bodies another try; what of them is here is kept.
    static let retrySQL = """
        UPDATE messages INDEXED BY messages_refused_idx
        SET body_state = EXISTS (SELECT 1 FROM bodies WHERE message_pk = messages.pk)
        WHERE body_state = 4
        """
}
