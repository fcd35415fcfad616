package import MailModel
internal import SQLite

/// What a drain found out about a send, as the queue keeps it.
package struct SendOutcome: Sendable, Hashable {
    /// What becomes of the send.
    package enum Kind: Sendable, Hashable {
        /// Nothing was sent; it goes with a later drain, not before an instant in milliseconds since 1970.
        case queued(notBefore: Int64?)
        /// Nothing was sent; it waits for the person. `seen` is what they see then of the conversation.
        case held(HoldReason, seen: MessageID?)
        /// The server said no; the text is a draft as before.
        case refused
        /// It may have been sent; its copy is looked for again at an instant.
        case unknown(lookAt: Int64?)
        /// Its Sent copy is known, and what became of the server's draft.
        case sent(MessageID, DraftFate)
    }

    package var kind: Kind
    /// A code of ours for the failure; `nil` when there was none.
    package var failure: String?

    package init(_ kind: Kind, failure: String? = nil) {
        self.kind = kind
        self.failure = failure
    }
}

/// What became of the server's draft when its mail was sent.
package enum DraftFate: Sendable, Hashable {
    /// The server ended it together with the send.
    case consumed
    /// The server may still have it. With files it is left alone for ever, without it is thrown away.
    case mayRemain
    /// The server may still have it, and no request has sent its files: it is thrown away.
    case unsent
}

/// Ends a send as sent, inside one transaction: draft and files go, and of the mail only its head stays in the row.
///
/// A draft that was typed in since stays, as what was typed was not sent.
enum SendEnding {
    /// Sends that are remembered, so that no second send claims their copies.
    static let rememberedMax = 1_000

    static func end(
        _ send: Send, as message: MessageID, draft end: DraftFate, at milliseconds: Int64, in database: Database
    ) throws(SQLiteError) {
        let update = try database.statement(
            """
            UPDATE sends SET status = 'sent', reason = NULL, sent_id = ?2, content = ?4, minder = NULL,
                next_attempt_at = NULL, last_failure = NULL, ended_at = ?3
            WHERE id = ?1
            """)
        update.bind(1, send.id.rawValue)
        update.bind(2, message.rawValue)
        update.bind(3, Timestamp(millisecondsSinceEpoch: milliseconds).text)
        var head = send.content
        head?.text = ""
        update.bind(4, head.map { DraftCode.encode($0) })
        try update.run()
        if try isEdited(send, in: database) {
            try keepText(of: send.draft, end, in: database)
        } else {
            try removeText(of: send.draft, end, in: database)
        }
        let trim = try database.statement(
            """
            DELETE FROM sends WHERE status = 'sent' AND id <= (
                SELECT id FROM sends WHERE status = 'sent' ORDER BY id DESC LIMIT 1 OFFSET ?1)
            """)
        trim.bind(1, rememberedMax)
        try trim.run()
    }

    /// Whether the draft is another text by now than the one that was sent.
    private static func isEdited(_ send: Send, in database: Database) throws(SQLiteError) -> Bool {
        let row = try database.statement(
            """
            SELECT EXISTS (SELECT 1 FROM drafts d JOIN sends s ON s.draft_id = d.id
                WHERE s.id = ?1 AND d.is_discarded = 0 AND d.revision > coalesce(s.posted_revision, s.revision))
            """)
        row.bind(1, send.id.rawValue)
        defer { row.reset() }
        return try row.step() && row.bool(0)
    }

    private static func removeText(
        of draft: LocalDraftID, _ end: DraftFate, in database: Database
    ) throws(SQLiteError) {
        if end == .mayRemain { try keepFiles(of: draft, in: database) }
        for sql in end == .consumed ? removeDraft : [discardDraft] + removeDraft {
            let statement = try database.statement(sql)
            statement.bind(1, draft.rawValue)
            try statement.run()
        }
    }

    /// Leaves what was typed after the send as a draft: a new one where the server's is ended or shares its files with
    /// the mail.
    private static func keepText(
        of draft: LocalDraftID, _ end: DraftFate, in database: Database
    ) throws(SQLiteError) {
        let isShared = end == .mayRemain ? try keepFiles(of: draft, in: database) : false
        if isShared || end == .consumed {
            try OutboxStore.renew(draft, in: database)
        } else {
            try OutboxStore.markUnsaved(draft, in: database)
        }
    }

    /// Forgets the sends of a draft that is thrown away, but for one that is under way.
    static func dropSends(of draft: LocalDraftID, in database: Database) throws(SQLiteError) {
        let unknown = try SendRow.all("draft_id = ?1 AND may_have_arrived = 1", draft.rawValue, in: database)
        if !unknown.isEmpty { try keepFiles(of: draft, in: database) }
        let removal = try database.statement(
            "DELETE FROM sends WHERE draft_id = ?1 AND status NOT IN ('inFlight', 'sent')")
        removal.bind(1, draft.rawValue)
        try removal.run()
    }

    /// Has the server's draft never be deleted when it has files, since sent mail may share them (contract §6.21);
    /// answers whether it has.
    @discardableResult
    static func keepFiles(of draft: LocalDraftID, in database: Database) throws(SQLiteError) -> Bool {
        let insertion = try database.statement(
            """
            INSERT OR IGNORE INTO kept_drafts(server_id)
            SELECT server_id FROM drafts WHERE id = ?1 AND server_id IS NOT NULL
                AND EXISTS (SELECT 1 FROM draft_files WHERE draft_id = ?1 AND attachment_id IS NOT NULL)
            """)
        insertion.bind(1, draft.rawValue)
        try insertion.run()
        return database.changes > 0
    }

    /// One without files is thrown away on the server by the next drain; one with files is left alone.
    private static let discardDraft = """
        UPDATE drafts SET is_discarded = 1 WHERE id = ?1 AND server_id IS NOT NULL
            AND server_id NOT IN (SELECT server_id FROM kept_drafts)
        """

    private static let removeDraft = [
        "DELETE FROM drafts WHERE id = ?1 AND is_discarded = 0",
        "DELETE FROM draft_files WHERE draft_id = ?1",
    ]
}
