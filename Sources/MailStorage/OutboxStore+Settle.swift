package import MailModel
internal import SQLite

/// What a request of an operation came to, as the queue keeps it.
package struct OperationOutcome: Sendable, Hashable {
    /// What becomes of the operation.
    package enum Kind: Sendable, Hashable {
        case done
        case dropped(Verdict)
        /// It is tried again, not before an instant in milliseconds since 1970.
        case retry(notBefore: Int64?)
        case blocked(BlockReason)
    }

    package var id: OperationID
    package var kind: Kind
    /// A code of ours for the failure; `nil` when there was none.
    package var failure: String?
    /// Whether the server may have done it, so that undo must send the opposite.
    package var mayHaveArrived: Bool
    /// How often in a row it was refused for a reason that nobody knows.
    package var refusals: Int

    package init(
        _ id: OperationID, _ kind: Kind, failure: String? = nil, mayHaveArrived: Bool = true, refusals: Int = 0
    ) {
        self.id = id
        self.kind = kind
        self.failure = failure
        self.mayHaveArrived = mayHaveArrived
        self.refusals = refusals
    }
}

extension OutboxStore {
    /// No wait is longer; a later instant was written before the clock went back, and is passed over.
    package static let longestWaitMilliseconds: Int64 = 3_600_000

    /// Notes what became of many operations, all or none.
    ///
    /// `MailStore.apply` must have written what the server answered for those that are done.
    /// - Throws: `OutboxError`.
    package func settle(_ outcomes: [OperationOutcome], at milliseconds: Int64) throws(OutboxError) {
        if outcomes.isEmpty { return }
        _ = try settle(outcomes, claiming: 0, at: milliseconds)
    }

    /// Notes what became of operations and claims as many as may be sent now, all or none.
    ///
    /// - Throws: `OutboxError`.
    package func settle(
        _ outcomes: [OperationOutcome], claiming limit: Int, at milliseconds: Int64
    ) throws(OutboxError) -> [Operation] {
        try commit { database in
            var ended = OutboxEnding(database)
            for outcome in outcomes {
                try OutboxStore.settle(outcome, &ended, at: milliseconds, in: database)
            }
            try ended.finish()
            if outcomes.contains(where: { $0.failure != nil }) { try FailureRow.trim(database) }
            return limit > 0 ? try OutboxStore.claim(limit, milliseconds, in: database) : []
        }
    }

    private static func settle(
        _ outcome: OperationOutcome, _ ended: inout OutboxEnding, at milliseconds: Int64, in database: Database
    ) throws(SQLiteError) {
        switch outcome.kind {
        case .done: try ended.finish(outcome.id)
        case .dropped(let verdict):
            // A condition may have been lifted while the server was asked.
            if verdict.reason == .precondition, try isUnconditional(outcome.id, in: database) {
                return try keep(outcome, "retrying", in: database)
            }
            return try ended.drop(outcome.id, verdict, at: milliseconds)
        case .retry(let next): try keep(outcome, "retrying", next: next, in: database)
        case .blocked(let reason): try keep(outcome, "blocked", reason: reason, in: database)
        }
        if let failure = outcome.failure { try FailureRow.add(outcome.id, failure, in: database) }
    }

    private static func isUnconditional(_ id: OperationID, in database: Database) throws(SQLiteError) -> Bool {
        let row = try database.statement("SELECT 1 FROM operations WHERE id = ?1 AND precondition IS NULL")
        row.bind(1, id.rawValue)
        defer { row.reset() }
        return try row.step()
    }

    private static func keep(
        _ outcome: OperationOutcome, _ status: String, next: Int64? = nil, reason: BlockReason? = nil,
        in database: Database
    ) throws(SQLiteError) {
        let statement = try database.statement(
            """
            UPDATE operations SET status = ?2, block_reason = ?3, last_failure = ?4, next_attempt_at = ?5,
                may_have_arrived = max(may_have_arrived, ?6), refusals = ?7
            WHERE id = ?1
            """)
        statement.bind(1, outcome.id.rawValue)
        statement.bind(2, status)
        statement.bind(3, reason?.rawValue)
        statement.bind(4, outcome.failure)
        statement.bind(5, next)
        statement.bind(6, outcome.mayHaveArrived)
        statement.bind(7, outcome.refusals)
        try statement.run()
    }

    /// The operations to send now, marked as under way on the disk before this answers.
    ///
    /// Of each message only the first, and none while that is under way, blocked or not due. Those that were never
    /// tried come first, so that one which the server fails at does not keep all others back.
    /// - Throws: `OutboxError`; nothing is marked then.
    package func claim(limit: Int, now milliseconds: Int64) throws(OutboxError) -> [Operation] {
        // Nothing to send is nothing to write.
        if try read({ try OutboxStore.due("pending", "retrying", milliseconds, 1, in: $0) }).isEmpty { return [] }
        return try commit { try OutboxStore.claim(limit, milliseconds, in: $0) }
    }

    private static func claim(
        _ limit: Int, _ milliseconds: Int64, in database: Database
    ) throws(SQLiteError) -> [Operation] {
        var claimed = try due("pending", "pending", milliseconds, limit, in: database)
        if claimed.count < limit {
            claimed += try due("retrying", "retrying", milliseconds, limit - claimed.count, in: database)
        }
        let mark = try database.statement(
            "UPDATE operations SET status = 'inFlight', attempts = attempts + 1 WHERE sequence = ?1")
        for place in claimed.indices {
            mark.bind(1, claimed[place].sequence)
            try mark.run()
            claimed[place].status = .inFlight
            claimed[place].attempts += 1
        }
        return claimed
    }

    static let dueCondition = """
        status IN (?3, ?4)
        AND (coalesce(next_attempt_at, 0) <= ?1 OR next_attempt_at > ?1 + \(longestWaitMilliseconds))
        AND NOT EXISTS (
            SELECT 1 FROM operations e WHERE e.message_id = o.message_id AND e.sequence < o.sequence)
        ORDER BY sequence LIMIT ?2
        """

    private static func due(
        _ status: String, _ other: String, _ milliseconds: Int64, _ limit: Int, in database: Database
    ) throws(SQLiteError) -> [Operation] {
        let row = try database.statement(OperationRow.sql(dueCondition))
        row.bind(1, milliseconds)
        row.bind(2, limit)
        row.bind(3, status)
        row.bind(4, other)
        defer { row.reset() }
        var operations: [Operation] = []
        while try row.step() {
            if let operation = OperationRow.operation(row) { operations.append(operation) }
        }
        return operations
    }

    /// Takes back that operations were claimed: nothing was sent of them.
    ///
    /// - Throws: `OutboxError`.
    package func giveBack(_ ids: [OperationID]) throws(OutboxError) {
        if ids.isEmpty { return }
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE operations SET attempts = max(attempts - 1, 0),
                    status = CASE WHEN attempts <= 1 THEN 'pending' ELSE 'retrying' END
                WHERE id = ?1 AND status = 'inFlight'
                """)
            for id in ids {
                statement.bind(1, id.rawValue)
                try statement.run()
            }
        }
    }

    /// Ends operations as the person wants, but for those that are under way; answers how many ended.
    ///
    /// - Throws: `OutboxError`.
    package func giveUp(_ ids: [OperationID], at milliseconds: Int64) throws(OutboxError) -> Int {
        try commit { database in
            var ended = OutboxEnding(database)
            var count = 0
            for id in ids {
                let row = try database.statement("SELECT 1 FROM operations WHERE id = ?1 AND status <> 'inFlight'")
                row.bind(1, id.rawValue)
                let isMeant = try row.step()
                row.reset()
                guard isMeant else { continue }
                try ended.drop(id, .discarded, at: milliseconds)
                count += 1
            }
            try ended.finish()
            return count
        }
    }

    /// The last instant up to which an operation, a draft or a file with this failure waits; `nil` when none does.
    ///
    /// - Throws: `OutboxError`.
    package func waitEnd(failure: String, after milliseconds: Int64) throws(OutboxError) -> Int64? {
        try read { database in
            let row = try database.statement(
                """
                SELECT max(next_attempt_at) FROM (
                    SELECT next_attempt_at, last_failure FROM operations
                    UNION ALL SELECT next_attempt_at, last_failure FROM drafts
                    UNION ALL SELECT next_attempt_at, last_failure FROM draft_files)
                WHERE last_failure = ?1 AND next_attempt_at > ?2
                    AND next_attempt_at <= ?2 + \(OutboxStore.longestWaitMilliseconds)
                """)
            row.bind(1, failure)
            row.bind(2, milliseconds)
            defer { row.reset() }
            return try row.step() ? row.optionalInt(0) : nil
        }
    }

    /// Has every operation, or one, tried at the next drain, whatever it waits for; answers how many.
    ///
    /// - Throws: `OutboxError`.
    package func hurry(_ id: OperationID? = nil) throws(OutboxError) -> Int {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE operations SET status = CASE attempts WHEN 0 THEN 'pending' ELSE 'retrying' END,
                    block_reason = NULL, next_attempt_at = NULL, refusals = 0
                WHERE status <> 'inFlight' AND (?1 IS NULL OR id = ?1)
                """)
            statement.bind(1, id?.rawValue)
            try statement.run()
            return database.changes
        }
    }
}
