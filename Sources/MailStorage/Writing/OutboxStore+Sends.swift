package import MailModel
internal import SQLite

extension OutboxStore {
    /// Queues a draft to be sent, not before an instant; answers the send once it is on the disk.
    ///
    /// A draft that is about to be sent, or may have been, is not queued again: its send is answered. `seen` is the
    /// newest message that was sent in the conversation when the person wrote.
    ///
    /// - Throws: `OutboxError`.
    package func queueSend(
        _ draft: LocalDraftID, notBefore: Int64, seen: MessageID? = nil, at milliseconds: Int64
    ) throws(OutboxError) -> Send {
        let id = SendID(milliseconds: milliseconds, random: OutboxStore.randomBits())
        return try commit { database in
            let going = "draft_id = ?1 AND status NOT IN ('sent', 'refused')"
            if let waiting = try SendRow.all(going, draft.rawValue, in: database).first { return waiting }
            let insertion = try database.statement(
                """
                INSERT INTO sends(id, draft_id, revision, status, not_before, seen_id, created_at)
                SELECT ?1, id, revision, 'queued', ?3, ?4, ?5 FROM drafts WHERE id = ?2
                """)
            insertion.bind(1, id.rawValue)
            insertion.bind(2, draft.rawValue)
            insertion.bind(3, notBefore)
            insertion.bind(4, seen?.rawValue)
            insertion.bind(5, Timestamp(millisecondsSinceEpoch: milliseconds).text)
            try insertion.run()
            guard let send = try SendRow.all("id = ?1", id.rawValue, in: database).first else {
                throw OutboxError.cannotAccess
            }
            return send
        }
    }

    /// Takes back a send of which no request was made; `false` when it is too late. The draft stays.
    ///
    /// - Throws: `OutboxError`.
    package func cancelSend(_ id: SendID) throws(OutboxError) -> Bool {
        try commit { database in
            let removal = try database.statement(
                "DELETE FROM sends WHERE id = ?1 AND status IN ('queued', 'held') AND posted_at IS NULL")
            removal.bind(1, id.rawValue)
            try removal.run()
            return database.changes > 0
        }
    }

    /// One send; `nil` when there is none, or not any more.
    ///
    /// - Throws: `OutboxError`.
    package func send(_ id: SendID) throws(OutboxError) -> Send? {
        try read { try SendRow.all("id = ?1", id.rawValue, in: $0).first }
    }

    /// The last sends, also ended ones, newest first.
    ///
    /// - Throws: `OutboxError`.
    package func sends(limit: Int) throws(OutboxError) -> [Send] {
        try read { try SendRow.all("TRUE ORDER BY id DESC LIMIT \(limit)", in: $0) }
    }
}

/// A row of `sends` and its mapping to the model.
enum SendRow {
    /// The sends that meet a condition with at most one text for `?1`.
    static func all(_ condition: String, _ text: String? = nil, in database: Database) throws(SQLiteError) -> [Send] {
        let row = try database.statement(
            """
            SELECT id, draft_id, revision, status, reason, not_before, seen_id, content, posted_at, sent_id, attempts,
                next_attempt_at, last_failure, created_at
            FROM sends WHERE \(condition)
            """)
        if let text { row.bind(1, text) }
        defer { row.reset() }
        var sends: [Send] = []
        while try row.step() {
            sends.append(
                Send(
                    id: SendID(row.text(0)), draft: LocalDraftID(row.text(1)), revision: Int(row.int(2)),
                    status: status(row.text(3), reason: row.optionalText(4), sent: row.optionalText(9)),
                    notBefore: row.int(5), seen: row.optionalText(6).map { MessageID($0) },
                    content: row.optionalText(7).flatMap { DraftCode.sentContent($0) }, postedAt: row.optionalInt(8),
                    attempts: Int(row.int(10)), nextAttemptAt: row.optionalInt(11), lastFailure: row.optionalText(12),
                    createdAt: Timestamp(row.text(13))))
        }
        return sends
    }

    private static func status(_ word: String, reason: String?, sent: String?) -> SendStatus {
        switch word {
        case "inFlight": .inFlight
        case "unknown": .unknown
        case "held": .held(reason.flatMap { HoldReason(rawValue: $0) } ?? .asked)
        case "refused": .refused(reason ?? "")
        case "sent": .sent(MessageID(sent ?? ""))
        default: .queued
        }
    }
}
