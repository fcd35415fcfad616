package import MailModel
internal import SQLite

/// What a drain does with sends; it holds the lock, and the person may still change their mind meanwhile.
extension OutboxStore {
    /// What a drain that was killed had under way may have been sent.
    ///
    /// - Throws: `OutboxError`.
    package func takeUpSends() throws(OutboxError) {
        if try read({ try $0.scalar("SELECT EXISTS (SELECT 1 FROM sends WHERE status = 'inFlight')") }) == 0 { return }
        try commit { database in
            try database.run(
                """
                UPDATE sends SET status = 'unknown', may_have_arrived = 1, last_failure = 'interrupted',
                    next_attempt_at = NULL
                WHERE status = 'inFlight'
                """)
        }
    }

    /// The sends that a program watches over, oldest first.
    ///
    /// - Throws: `OutboxError`.
    package func mindedSends() throws(OutboxError) -> [Send] {
        try read { try SendRow.all(OutboxStore.minded, in: $0) }
    }

    static let minded = "status = 'queued' AND minder IS NOT NULL ORDER BY id"

    /// Ends the watch over a send, which goes with this drain or a later one; `false` when it does not wait any more.
    ///
    /// - Throws: `OutboxError`.
    @discardableResult
    package func letGo(_ id: SendID) throws(OutboxError) -> Bool {
        try commit { database in
            let statement = try database.statement(
                "UPDATE sends SET minder = NULL WHERE id = ?1 AND status = 'queued'")
            statement.bind(1, id.rawValue)
            try statement.run()
            return database.changes > 0
        }
    }

    /// Has sends that wait for a sign-in tried again; answers how many.
    ///
    /// - Throws: `OutboxError`.
    @discardableResult
    package func releaseSends(_ reason: HoldReason) throws(OutboxError) -> Int {
        let waits = "SELECT EXISTS (SELECT 1 FROM sends WHERE status = 'held' AND reason = '\(reason.rawValue)')"
        if try read({ try $0.scalar(waits) }) == 0 { return 0 }
        return try commit { database in
            let statement = try database.statement(
                "UPDATE sends SET status = 'queued', reason = NULL WHERE status = 'held' AND reason = ?1")
            statement.bind(1, reason.rawValue)
            try statement.run()
            return database.changes
        }
    }

    /// The sends that something is to be done about now, oldest first.
    ///
    /// While the server has asked to wait nothing is sent, and copies are looked for.
    ///
    /// - Throws: `OutboxError`.
    package func sendsDue(now milliseconds: Int64) throws(OutboxError) -> [Send] {
        try read { database in
            let row = try database.statement(SendRow.sql(OutboxStore.dueSends))
            row.bind(1, milliseconds)
            defer { row.reset() }
            var sends: [Send] = []
            while try row.step() { sends.append(SendRow.send(row)) }
            return sends
        }
    }

    /// An instant more than an hour ahead was written before the clock went back, and is passed over.
    static let dueSends = """
        (status = 'unknown' OR status = 'queued' AND minder IS NULL
            AND (not_before <= ?1 OR not_before > ?1 + \(longestWaitMilliseconds))
            AND NOT EXISTS (
                SELECT 1 FROM sends w WHERE w.status = 'queued' AND w.last_failure = 'rate-limited'
                AND w.next_attempt_at > ?1 AND w.next_attempt_at <= ?1 + \(longestWaitMilliseconds)))
        AND (coalesce(next_attempt_at, 0) <= ?1 OR next_attempt_at > ?1 + \(longestWaitMilliseconds))
        ORDER BY id
        """

    /// When the next send is due, after an instant in milliseconds since 1970; `nil` for never.
    ///
    /// - Throws: `OutboxError`.
    package func nextSendAt(after milliseconds: Int64) throws(OutboxError) -> Int64? {
        try read { database in
            let row = try database.statement(OutboxStore.nextSend)
            row.bind(1, milliseconds)
            defer { row.reset() }
            return try row.step() ? row.optionalInt(0) : nil
        }
    }

    static let nextSend = """
        SELECT min(CASE status WHEN 'queued' THEN max(not_before, coalesce(next_attempt_at, 0)) ELSE next_attempt_at END)
        FROM sends WHERE status IN ('queued', 'unknown')
            AND (next_attempt_at > ?1 OR status = 'queued' AND not_before > ?1)
        """

    static let claimed = "SELECT sent_id FROM sends WHERE sent_id IS NOT NULL"

    /// The Sent copies that sends have claimed, so that no other send takes one for its own.
    ///
    /// - Throws: `OutboxError`.
    package func claimedCopies() throws(OutboxError) -> Set<MessageID> {
        try read { database in
            let row = try database.statement(OutboxStore.claimed)
            defer { row.reset() }
            var ids: Set<MessageID> = []
            while try row.step() { ids.insert(MessageID(row.text(0))) }
            return ids
        }
    }

    /// Marks a send as under way, with what is sent, on the disk before this answers; `false` when it was taken back.
    ///
    /// Of one that may have arrived before, the earlier time stays.
    ///
    /// - Throws: `OutboxError`; nothing may be sent then.
    package func beginSend(
        _ id: SendID, _ content: SentContent, sentAfter: Timestamp?, at milliseconds: Int64
    ) throws(OutboxError) -> Bool {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE sends SET status = 'inFlight', content = ?2, attempts = attempts + 1, next_attempt_at = NULL,
                    last_failure = NULL, minder = NULL, posted_revision = revision,
                    posted_at = CASE may_have_arrived WHEN 1 THEN posted_at ELSE ?3 END,
                    sent_after = CASE may_have_arrived WHEN 1 THEN sent_after ELSE ?4 END
                WHERE id = ?1 AND status = 'queued'
                """)
            statement.bind(1, id.rawValue)
            statement.bind(2, DraftCode.encode(content))
            statement.bind(3, milliseconds)
            statement.bind(4, sentAfter?.text)
            try statement.run()
            return database.changes > 0
        }
    }

    /// Notes what became of a send that was `status` when it was looked at.
    ///
    /// What the person said meanwhile stays, but for a copy that was found. Mail whose draft is gone is marked, as another
    /// device may have sent it.
    ///
    /// - Throws: `OutboxError`.
    package func settle(
        _ id: SendID, from status: SendStatus, _ outcome: SendOutcome, at milliseconds: Int64
    ) throws(OutboxError) {
        try commit { database in
            guard let send = try SendRow.all("id = ?1", id.rawValue, in: database).first else { return }
            if case .sent(let message, let draft) = outcome.kind {
                return try SendEnding.end(send, as: message, draft: draft, at: milliseconds, in: database)
            }
            guard send.status.name == status.name else { return }
            try OutboxStore.keep(id, outcome, in: database)
            if case .refused = outcome.kind { try OutboxStore.markUnsaved(send.draft, in: database) }
        }
    }

    private static func keep(_ id: SendID, _ outcome: SendOutcome, in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            """
            UPDATE sends SET status = ?2, reason = ?3, next_attempt_at = ?4, last_failure = ?5, minder = NULL,
                seen_id = coalesce(?6, seen_id), probes = probes + (?2 = 'unknown' AND ?4 IS NOT NULL),
                may_have_arrived = max(may_have_arrived, ?2 = 'unknown'),
                may_be_elsewhere = max(may_be_elsewhere, ?3 IS 'gone')
            WHERE id = ?1
            """)
        statement.bind(1, id.rawValue)
        statement.bind(5, outcome.failure)
        switch outcome.kind {
        case .queued(let notBefore):
            statement.bind(2, "queued")
            statement.bind(4, notBefore)
        case .held(let reason, let seen):
            statement.bind(2, "held")
            statement.bind(3, reason.rawValue)
            statement.bind(6, seen?.rawValue)
        case .refused:
            statement.bind(2, "refused")
            statement.bind(3, outcome.failure ?? "")
        case .unknown(let lookAt):
            statement.bind(2, "unknown")
            statement.bind(4, lookAt)
        case .sent: return
        }
        try statement.run()
    }
}
