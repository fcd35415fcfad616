package import MailModel
internal import SQLite

/// What a person asks to be sent, and what they say to what became of it.
extension OutboxStore {
    /// Queues a draft to be sent, not before an instant; answers the send once it is on the disk.
    ///
    /// A draft that is about to be sent, or may have been, is not queued again: its send is answered. `seen` is the
    /// newest message that was sent in the conversation when the person wrote. A send with a minder is held when that
    /// program ends before the time is over.
    ///
    /// - Throws: `OutboxError`; `nil` for a draft that is not there.
    package func queueSend(
        _ draft: LocalDraftID, notBefore: Int64, seen: MessageID? = nil, minder: SendMinderID? = nil,
        at milliseconds: Int64
    ) throws(OutboxError) -> Send? {
        let id = SendID(milliseconds: milliseconds, random: OutboxStore.randomBits())
        return try commit { database in
            let going = "draft_id = ?1 AND status NOT IN ('sent', 'refused')"
            if let waiting = try SendRow.all(going, draft.rawValue, in: database).first { return waiting }
            let removal = try database.statement("DELETE FROM sends WHERE draft_id = ?1 AND status = 'refused'")
            removal.bind(1, draft.rawValue)
            try removal.run()
            let insertion = try database.statement(
                """
                INSERT INTO sends(id, draft_id, revision, status, not_before, seen_id, minder, draft_server_id, created_at)
                SELECT ?1, id, revision, 'queued', ?3, ?4, ?5, server_id, ?6 FROM drafts
                WHERE id = ?2 AND is_discarded = 0
                """)
            insertion.bind(1, id.rawValue)
            insertion.bind(2, draft.rawValue)
            insertion.bind(3, notBefore)
            insertion.bind(4, seen?.rawValue)
            insertion.bind(5, minder?.rawValue)
            insertion.bind(6, Timestamp(millisecondsSinceEpoch: milliseconds).text)
            try insertion.run()
            return try SendRow.all("id = ?1", id.rawValue, in: database).first
        }
    }

    /// Takes back a send that the server cannot have; `false` when it is too late.
    ///
    /// The draft stays.
    ///
    /// - Throws: `OutboxError`.
    package func cancelSend(_ id: SendID) throws(OutboxError) -> Bool {
        try change(
            "DELETE FROM sends WHERE id = ?1 AND status IN ('queued', 'held') AND may_have_arrived = 0", id)
    }

    /// Has a send go with the next drain, without more time to take it back; `false` when it does not wait any more.
    ///
    /// - Throws: `OutboxError`.
    package func sendNow(_ id: SendID) throws(OutboxError) -> Bool {
        try change(
            """
            UPDATE sends SET not_before = 0, next_attempt_at = NULL, minder = NULL WHERE id = ?1 AND status = 'queued'
            """, id)
    }

    /// Leaves a program's sends to whichever drain comes when their time is over; answers how many.
    ///
    /// - Throws: `OutboxError`.
    @discardableResult
    package func letGo(of minder: SendMinderID) throws(OutboxError) -> Int {
        try commit { database in
            let statement = try database.statement("UPDATE sends SET minder = NULL WHERE minder = ?1")
            statement.bind(1, minder.rawValue)
            try statement.run()
            return database.changes
        }
    }

    /// Has a send that waits for the person, or that may have arrived, go with the next drain: the draft as it is now.
    ///
    /// Where a request of it may have arrived, its Sent copy is looked for once more before. `false` when it does not wait
    /// for a word.
    ///
    /// - Throws: `OutboxError`.
    package func sendAgain(_ id: SendID) throws(OutboxError) -> Bool {
        try change(
            """
            UPDATE sends SET status = 'queued', reason = NULL, not_before = 0, next_attempt_at = NULL, minder = NULL,
                (revision, draft_server_id) = (SELECT revision, server_id FROM drafts WHERE drafts.id = sends.draft_id)
            WHERE id = ?1 AND status IN ('held', 'unknown')
                AND EXISTS (SELECT 1 FROM drafts WHERE drafts.id = sends.draft_id)
            """, id)
    }

    /// Ends a send without sending, so that its text is a draft again; `false` when a request of it is under way.
    ///
    /// Also of one that may have arrived, when the person says so. Its files may be those of a Sent copy then, so the draft
    /// becomes a new one, and what the server had of it is left alone.
    ///
    /// - Throws: `OutboxError`.
    package func keepAsDraft(_ id: SendID) throws(OutboxError) -> Bool {
        try commit { database in
            guard let send = try SendRow.all("id = ?1", id.rawValue, in: database).first else { return false }
            if send.mayHaveArrived, send.status != .inFlight,
                try SendEnding.keepFiles(of: send.draft, in: database)
            {
                try OutboxStore.renew(send.draft, in: database)
            }
            let removal = try database.statement(
                "DELETE FROM sends WHERE id = ?1 AND status IN ('queued', 'held', 'unknown', 'refused')")
            removal.bind(1, id.rawValue)
            try removal.run()
            let isKept = database.changes > 0
            if isKept { try OutboxStore.markUnsaved(send.draft, in: database) }
            return isKept
        }
    }

    /// Has the next drain save a draft once more: where the server has lost it, a text that was to be sent is only here.
    static func markUnsaved(_ draft: LocalDraftID, in database: Database) throws(SQLiteError) {
        let update = try database.statement("UPDATE drafts SET saved_revision = 0 WHERE id = ?1")
        update.bind(1, draft.rawValue)
        try update.run()
    }

    /// Ends a send that may have arrived as sent, since the person knows that it did; its draft goes.
    ///
    /// `false` when it is not one of those.
    ///
    /// - Throws: `OutboxError`.
    package func declareSent(_ id: SendID, at milliseconds: Int64) throws(OutboxError) -> Bool {
        try commit { database in
            guard let send = try SendRow.all("id = ?1 AND status = 'unknown'", id.rawValue, in: database).first
            else { return false }
            try SendEnding.end(send, as: MessageID(""), draft: .mayRemain, at: milliseconds, in: database)
            return true
        }
    }

    /// Has sends looked at with the next drain that wait for the server: one, or all; answers how many.
    ///
    /// The time in which one can be taken back is not cut short.
    ///
    /// - Throws: `OutboxError`.
    package func hurrySends(_ id: SendID? = nil) throws(OutboxError) -> Int {
        try commit { database in
            let statement = try database.statement(
                """
                UPDATE sends SET next_attempt_at = NULL,
                    status = CASE status WHEN 'held' THEN 'queued' ELSE status END,
                    reason = CASE status WHEN 'held' THEN NULL ELSE reason END
                WHERE (?1 IS NULL OR id = ?1) AND (status IN ('queued', 'unknown')
                    OR status = 'held' AND reason = 'credentialRefused')
                """)
            statement.bind(1, id?.rawValue)
            try statement.run()
            return database.changes
        }
    }

    private func change(_ sql: String, _ id: SendID) throws(OutboxError) -> Bool {
        try commit { database in
            let statement = try database.statement(sql)
            statement.bind(1, id.rawValue)
            try statement.run()
            return database.changes > 0
        }
    }
}

/// What is known of sends.
extension OutboxStore {
    /// One send; `nil` when there is none, or not any more.
    ///
    /// - Throws: `OutboxError`.
    package func send(_ id: SendID) throws(OutboxError) -> Send? {
        try read { try SendRow.all("id = ?1", id.rawValue, in: $0).first }
    }

    /// The send of a draft that has not ended, else the one that was refused last; `nil` for none.
    ///
    /// - Throws: `OutboxError`.
    package func send(of draft: LocalDraftID) throws(OutboxError) -> Send? {
        try read {
            try SendRow.all(OutboxStore.ofDraft, draft.rawValue, in: $0).first
        }
    }

    static let ofDraft = "draft_id = ?1 AND status <> 'sent' ORDER BY status = 'refused', id DESC LIMIT 1"

    /// The last sends, also ended ones, newest first.
    ///
    /// - Throws: `OutboxError`.
    package func sends(limit: Int) throws(OutboxError) -> [Send] {
        try read { try SendRow.all("TRUE ORDER BY id DESC LIMIT \(limit)", in: $0) }
    }

    /// The sends that are not done, oldest first: those that wait for the server or the person, and refused ones.
    ///
    /// - Throws: `OutboxError`.
    package func openSends() throws(OutboxError) -> [Send] {
        try read { try SendRow.all(OutboxStore.unsent, in: $0) }
    }

    static let unsent = "status <> 'sent' ORDER BY id"

    /// The sends of a program that can still be taken back, or wait for the network, oldest first.
    ///
    /// - Throws: `OutboxError`.
    package func sends(of minder: SendMinderID) throws(OutboxError) -> [Send] {
        try read { try SendRow.all(OutboxStore.mindedBy, minder.rawValue, in: $0) }
    }

    static let mindedBy = "minder = ?1 AND status = 'queued' ORDER BY id"

    /// Drafts of the server that must never be deleted, since sent mail shares their files (contract §6.21).
    ///
    /// - Throws: `OutboxError`.
    package func keptDrafts() throws(OutboxError) -> Set<DraftID> {
        try read { database in
            let row = try database.statement("SELECT server_id FROM kept_drafts")
            defer { row.reset() }
            var ids: Set<DraftID> = []
            while try row.step() { ids.insert(DraftID(row.text(0))) }
            return ids
        }
    }
}
