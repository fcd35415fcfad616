package import MailModel
internal import SQLite

extension OutboxStore {
    /// Ends what waits for messages that are gone; answers those that ended.
    ///
    /// What is under way ends by its own answer.
    ///
    /// - Throws: `OutboxError`.
    package func drop(
        messages: [MessageID], verdict: Verdict, at milliseconds: Int64
    ) throws(OutboxError) -> [OperationID] {
        if messages.isEmpty { return [] }
        return try commit { database in
            var ids: [OperationID] = []
            for message in messages {
                let row = try database.statement(
                    "SELECT id FROM operations WHERE message_id = ?1 AND status <> 'inFlight' ORDER BY sequence")
                row.bind(1, message.rawValue)
                while try row.step() { ids.append(OperationID(row.text(0))) }
                row.reset()
            }
            var ended = OutboxEnding(database)
            for id in ids { try ended.drop(id, verdict, at: milliseconds) }
            try ended.finish()
            return ids
        }
    }

    /// Has everything that is not under way wait for somebody.
    ///
    /// - Throws: `OutboxError`.
    package func blockAll(reason: BlockReason) throws(OutboxError) {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE operations SET status = 'blocked', block_reason = ?1 WHERE status IN ('pending', 'retrying')
                """)
            statement.bind(1, reason.rawValue)
            try statement.run()
        }
    }

    /// Has blocked operations tried again: one, those of a reason, or all; answers how many.
    ///
    /// - Throws: `OutboxError`.
    @discardableResult
    package func unblock(_ id: OperationID? = nil, reason: BlockReason? = nil) throws(OutboxError) -> Int {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE operations SET status = CASE attempts WHEN 0 THEN 'pending' ELSE 'retrying' END,
                    block_reason = NULL, next_attempt_at = NULL, refusals = 0
                WHERE status = 'blocked' AND (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR block_reason = ?2)
                """)
            statement.bind(1, id?.rawValue)
            statement.bind(2, reason?.rawValue)
            try statement.run()
            return database.changes
        }
    }

    /// What a drain that was killed had under way is tried again; answers how many.
    ///
    /// Called at the start of a drain, under its lock, so that nothing is under way.
    ///
    /// - Throws: `OutboxError`.
    @discardableResult
    package func restart() throws(OutboxError) -> Int {
        if try read({ try $0.scalar("SELECT EXISTS (SELECT 1 FROM operations WHERE status = 'inFlight')") }) == 0 {
            return 0
        }
        return try commit { database in
            try database.statement(
                """
                UPDATE operations SET status = 'retrying', may_have_arrived = 1, last_failure = 'interrupted',
                    next_attempt_at = NULL
                WHERE status = 'inFlight'
                """
            ).run()
            return database.changes
        }
    }
}
