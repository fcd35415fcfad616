package import MailModel
internal import SQLite

extension OutboxStore {
    /// The operations to send now, oldest first, marked as under way on the disk before this answers.
    ///
    /// At most one of a message, and only its first: while that is under way, blocked or not due, the message's others
    /// wait. Times are milliseconds since 1970.
    ///
    /// - Throws: `OutboxError`; nothing is marked then.
    package func next(limit: Int, now milliseconds: Int64) throws(OutboxError) -> [Operation] {
        let numbers = [milliseconds, Int64(limit)]
        // Nothing to send is nothing to write.
        if try read({ try OperationRow.all(OutboxStore.dueCondition, numbers, in: $0) }).isEmpty { return [] }
        return try commit { database in
            var operations = try OperationRow.all(OutboxStore.dueCondition, numbers, in: database)
            let mark = try database.statement(
                "UPDATE operations SET status = 'inFlight', attempts = attempts + 1 WHERE sequence = ?1")
            for place in operations.indices {
                mark.bind(1, operations[place].sequence)
                try mark.run()
                operations[place].status = .inFlight
                operations[place].attempts += 1
            }
            return operations
        }
    }

    static let dueCondition = """
        status IN ('pending', 'retrying') AND coalesce(next_attempt_at, 0) <= ?1 AND NOT EXISTS (
            SELECT 1 FROM operations e WHERE e.message_id = o.message_id AND e.sequence < o.sequence)
        ORDER BY sequence LIMIT ?2
        """

    /// When the next operation that waits for its time is due, in milliseconds since 1970; `nil` when none does.
    ///
    /// - Throws: `OutboxError`.
    package func nextDue() throws(OutboxError) -> Int64? {
        try read { database in
            let row = try database.statement("SELECT min(next_attempt_at) FROM operations WHERE status = 'retrying'")
            defer { row.reset() }
            return try row.step() ? row.optionalInt(0) : nil
        }
    }

    /// Ends operations that the server has done.
    ///
    /// `MailStore.apply` must have written what it answered, or the screen would show the past for a moment. Those that
    /// do not wait any more are passed over.
    ///
    /// - Throws: `OutboxError`.
    package func finish(_ ids: [OperationID]) throws(OutboxError) {
        try commit { database in
            var ended = OutboxEnding(database)
            for id in ids { try ended.finish(id) }
            try ended.finish()
        }
    }

    /// Ends an operation that the server has done; see `finish` of several.
    ///
    /// - Throws: `OutboxError`.
    package func finish(_ id: OperationID) throws(OutboxError) { try finish([id]) }

    /// Ends operations undone, with a verdict in the journal.
    ///
    /// - Throws: `OutboxError`.
    package func drop(_ ids: [OperationID], verdict: Verdict, at milliseconds: Int64) throws(OutboxError) {
        try commit { database in
            var ended = OutboxEnding(database)
            for id in ids { try ended.drop(id, verdict, at: milliseconds) }
            try ended.finish()
        }
    }

    /// Ends an operation undone; see `drop` of several.
    ///
    /// - Throws: `OutboxError`.
    package func drop(_ id: OperationID, verdict: Verdict, at milliseconds: Int64) throws(OutboxError) {
        try drop([id], verdict: verdict, at: milliseconds)
    }

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

    /// Has an operation tried again, not before `next` when that is given.
    ///
    /// `failure` is a code of ours. `mayHaveArrived` is false only when the server surely did not get the request: undo
    /// then takes it back without sending anything. `refusals` is how often in a row it was refused for a reason that
    /// nobody knows.
    ///
    /// - Throws: `OutboxError`.
    package func retry(
        _ id: OperationID, failure: String, at next: Int64? = nil, mayHaveArrived: Bool = true, refusals: Int = 0
    ) throws(OutboxError) {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE operations SET status = 'retrying', block_reason = NULL, last_failure = ?2, next_attempt_at = ?3,
                    may_have_arrived = max(may_have_arrived, ?4), refusals = ?5
                WHERE id = ?1
                """)
            statement.bind(1, id.rawValue)
            statement.bind(2, failure)
            statement.bind(3, next)
            statement.bind(4, mayHaveArrived)
            statement.bind(5, refusals)
            try statement.run()
        }
    }

    /// Has an operation wait for somebody.
    ///
    /// - Throws: `OutboxError`.
    package func block(_ id: OperationID, reason: BlockReason, failure: String? = nil) throws(OutboxError) {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE operations SET status = 'blocked', block_reason = ?2, last_failure = coalesce(?3, last_failure),
                    may_have_arrived = max(may_have_arrived, ?4)
                WHERE id = ?1
                """)
            statement.bind(1, id.rawValue)
            statement.bind(2, reason.rawValue)
            statement.bind(3, failure)
            // Nobody knows what such an answer means.
            statement.bind(4, reason == .retriesExhausted)
            try statement.run()
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
