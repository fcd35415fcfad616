package import MailModel
internal import SQLite

/// How the drafts of an outbox are brought to the server, step by step; each method is one transaction.
///
/// Whoever calls these holds the lock of the drain, so that there is one at a time.
extension OutboxStore {
    /// A draft that may be on its way as mail is left alone: its text is what will be looked for.
    static let isNotBeingSent = """
        NOT EXISTS (SELECT 1 FROM sends WHERE draft_id = drafts.id AND status IN ('inFlight', 'unknown'))
        """

    /// A file that the server lacks, or has and should not.
    static let hasFileWork = """
        EXISTS (SELECT 1 FROM draft_files WHERE draft_id = drafts.id AND (is_removed OR state IN ('waiting', 'retrying'))
            AND (next_attempt_at IS NULL OR next_attempt_at <= ?1 OR next_attempt_at > ?2))
        """

    /// The drafts of which the server lacks something now, those first that never failed.
    ///
    /// `blocked(credentialRefused)` is among them, as each drain finds out anew. A wait longer than the longest was
    /// written before the clock went back.
    /// - Throws: `OutboxError`.
    package func draftsDue(now milliseconds: Int64) throws(OutboxError) -> [LocalDraftID] {
        try read { database in
            let row = try database.statement(OutboxStore.dueDrafts)
            row.bind(1, milliseconds)
            row.bind(2, milliseconds + OutboxStore.longestWaitMilliseconds)
            defer { row.reset() }
            var ids: [LocalDraftID] = []
            while try row.step() { ids.append(LocalDraftID(row.text(0))) }
            return ids
        }
    }

    /// Drafts are few: one that the server has to the last letter has no row.
    static let dueDrafts = """
        SELECT id FROM drafts
        WHERE (saved_revision < revision OR sent_content IS NOT NULL OR is_discarded OR \(hasFileWork))
            AND (state <> 'blocked' OR block_reason = 'credentialRefused' OR is_discarded)
            AND (next_attempt_at IS NULL OR next_attempt_at <= ?1 OR next_attempt_at > ?2)
            AND \(isNotBeingSent)
        ORDER BY attempts > 0, created_at, id
        """

    /// What a drain that was killed had under way is tried again, after a look at what the server has.
    ///
    /// - Throws: `OutboxError`.
    package func restartDrafts() throws(OutboxError) {
        let question = """
            SELECT EXISTS (SELECT 1 FROM drafts WHERE state = 'inFlight')
                OR EXISTS (SELECT 1 FROM draft_files WHERE state = 'inFlight')
            """
        if try read({ try $0.scalar(question) }) == 0 { return }
        try commit { database in
            for table in ["drafts", "draft_files"] {
                try database.run(
                    """
                    UPDATE \(table) SET state = 'retrying', last_failure = 'interrupted', next_attempt_at = NULL
                    WHERE state = 'inFlight'
                    """)
            }
        }
    }

    /// Marks a draft as under way and answers what is to be sent; `nil` when it is gone or being sent as mail.
    ///
    /// Nothing of it may be without an answer: that is looked for first.
    /// - Throws: `OutboxError`.
    package func claimDraft(_ id: LocalDraftID, at milliseconds: Int64) throws(OutboxError) -> LocalDraft? {
        try commit { database in
            let isFree = "id = ?1 AND \(OutboxStore.isNotBeingSent)"
            guard var draft = try DraftRow.all(isFree, id.rawValue, in: database).first
            else { return nil }
            let sent = SentDraft(revision: draft.revision, content: draft.content, at: milliseconds)
            let update = try database.statement(
                """
                UPDATE drafts SET state = 'inFlight', block_reason = NULL, attempts = attempts + 1, sent_revision = ?2,
                    sent_content = ?3, sent_at = ?4
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, sent.revision)
            update.bind(3, DraftCode.encode(sent.content))
            update.bind(4, sent.at)
            try update.run()
            (draft.sent, draft.state) = (sent, .inFlight)
            return draft
        }
    }

    /// Notes that the server has a revision of a draft, as it is there now.
    ///
    /// - Throws: `OutboxError`.
    package func confirmDraft(
        _ id: LocalDraftID, revision: Int, as server: ServerDraft, at milliseconds: Int64
    ) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE drafts SET saved_revision = max(saved_revision, ?2), server_id = ?3, server_version = ?4,
                    ancestor = ?5, confirmed_at = ?6, \(OutboxStore.settled), theirs_version = NULL, theirs = NULL,
                    attempts = 0, last_failure = NULL, next_attempt_at = NULL
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, revision)
            update.bind(3, server.id.rawValue)
            update.bind(4, server.version)
            update.bind(5, DraftCode.encode(server.content))
            update.bind(6, milliseconds)
            try update.run()
        }
    }

    /// Nothing of it is under way, and nothing waits for the person.
    static let settled = """
        sent_revision = NULL, sent_content = NULL, sent_at = NULL, state = 'waiting', block_reason = NULL
        """

    /// Notes that a revision needs no request, as the server has all of it that it can have.
    ///
    /// - Throws: `OutboxError`.
    package func markDraftSaved(_ id: LocalDraftID, revision: Int) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE drafts SET saved_revision = max(saved_revision, ?2), \(OutboxStore.settled), attempts = 0,
                    last_failure = NULL, next_attempt_at = NULL
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, revision)
            try update.run()
        }
    }

    /// Notes that a save failed, or cannot be made: it is tried again, not before an instant, or waits for the person.
    ///
    /// `mayHaveArrived` keeps what was sent as the thing to look for.
    /// - Throws: `OutboxError`.
    package func failDraft(
        _ id: LocalDraftID, failure: String, block reason: DraftBlockReason? = nil, notBefore: Int64? = nil,
        mayHaveArrived: Bool
    ) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE drafts SET state = ?2, block_reason = ?3, last_failure = ?4, next_attempt_at = ?5
                    \(mayHaveArrived ? "" : ", sent_revision = NULL, sent_content = NULL, sent_at = NULL")
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, reason == nil ? "retrying" : "blocked")
            update.bind(3, reason?.rawValue)
            update.bind(4, failure)
            update.bind(5, notBefore)
            try update.run()
        }
    }

    /// Has a draft that is gone on the server be a new one: its text is saved anew, and so are the files that are here.
    ///
    /// - Throws: `OutboxError`.
    package func renewDraft(_ id: LocalDraftID) throws(OutboxError) {
        try commit { try OutboxStore.renew(id, in: $0) }
    }

    /// Forgets what the server had of a draft; files that only it had are named as missing.
    static func renew(_ id: LocalDraftID, in database: Database) throws(SQLiteError) {
        let sql = [
            """
            UPDATE drafts SET server_id = NULL, server_version = NULL, ancestor = NULL, confirmed_at = NULL,
                saved_revision = 0, theirs_version = NULL, theirs = NULL, \(settled), attempts = 0,
                next_attempt_at = NULL, last_failure = NULL
            WHERE id = ?1
            """,
            "DELETE FROM draft_files WHERE draft_id = ?1 AND is_removed",
            """
            UPDATE draft_files SET attachment_id = NULL, attempts = 0, next_attempt_at = NULL, done_at = NULL,
                state = CASE WHEN sha256 IS NULL OR state = 'refused' THEN 'refused' ELSE 'waiting' END,
                last_failure = CASE WHEN sha256 IS NULL THEN 'only-on-server' ELSE last_failure END
            WHERE draft_id = ?1
            """,
        ]
        for sql in sql {
            let statement = try database.statement(sql)
            statement.bind(1, id.rawValue)
            try statement.run()
        }
    }

    /// Removes a draft that the server does not have any more, or not to be saved, with its files.
    ///
    /// - Throws: `OutboxError`.
    package func removeDraft(_ id: LocalDraftID) throws(OutboxError) {
        try commit { try OutboxStore.remove(id, in: $0) }
    }

    static func remove(_ id: LocalDraftID, in database: Database) throws(SQLiteError) {
        for sql in ["DELETE FROM drafts WHERE id = ?1", "DELETE FROM draft_files WHERE draft_id = ?1"] {
            let statement = try database.statement(sql)
            statement.bind(1, id.rawValue)
            try statement.run()
        }
    }

    /// Whether files of a draft were or may have been sent without the draft, so that deleting it on the server would
    /// take them out of the mail (contract §6.21).
    ///
    /// - Throws: `OutboxError`.
    package func hasSentFiles(_ id: LocalDraftID) throws(OutboxError) -> Bool {
        try read { database in
            let row = try database.statement(
                """
                SELECT EXISTS (SELECT 1 FROM sends WHERE draft_id = ?1 AND may_have_arrived = 1)
                    OR EXISTS (SELECT 1 FROM drafts d JOIN kept_drafts k ON k.server_id = d.server_id WHERE d.id = ?1)
                """)
            row.bind(1, id.rawValue)
            defer { row.reset() }
            return try row.step() && row.bool(0)
        }
    }

    /// Has a draft of the server never be deleted, and not be shown, since sent mail may share its files.
    ///
    /// - Throws: `OutboxError`.
    package func keepServerDraft(_ id: DraftID) throws(OutboxError) {
        try commit { database in
            let insertion = try database.statement("INSERT OR IGNORE INTO kept_drafts(server_id) VALUES (?1)")
            insertion.bind(1, id.rawValue)
            try insertion.run()
        }
    }
}
