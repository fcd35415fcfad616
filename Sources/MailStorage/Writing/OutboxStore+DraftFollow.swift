package import MailModel
internal import SQLite

/// A draft that the server knows, with what decides whether the server's word about it counts.
package struct FollowedDraft: Sendable, Hashable {
    package var draft: LocalDraft
    package var server: ServerDraft
    /// When the server last told of it here, in milliseconds since 1970.
    package var confirmedAt: Int64
    /// Whether it waits to be sent, or may have been.
    package var isGoing: Bool

    package init(draft: LocalDraft, server: ServerDraft, confirmedAt: Int64, isGoing: Bool) {
        self.draft = draft
        self.server = server
        self.confirmedAt = confirmedAt
        self.isGoing = isGoing
    }
}

extension OutboxStore {
    /// The drafts that the server knows and that were not thrown away here.
    ///
    /// - Throws: `OutboxError`.
    package func followedDrafts() throws(OutboxError) -> [FollowedDraft] {
        try read { database in
            let drafts = try DraftRow.all("server_id IS NOT NULL AND is_discarded = 0 ORDER BY id", in: database)
            let row = try database.statement(
                """
                SELECT coalesce(confirmed_at, 0),
                    EXISTS (SELECT 1 FROM sends WHERE draft_id = drafts.id AND status NOT IN ('sent', 'refused'))
                FROM drafts WHERE id = ?1
                """)
            var followed: [FollowedDraft] = []
            for draft in drafts {
                guard let server = draft.server else { continue }
                row.bind(1, draft.id.rawValue)
                if try row.step() {
                    followed.append(
                        FollowedDraft(draft: draft, server: server, confirmedAt: row.int(0), isGoing: row.bool(1)))
                }
                row.reset()
            }
            return followed
        }
    }

    /// Removes a draft that is as it was when it was looked at; `false` when it was changed since.
    ///
    /// - Throws: `OutboxError`.
    package func removeDraft(_ id: LocalDraftID, ifRevision revision: Int) throws(OutboxError) -> Bool {
        try commit { database in
            guard try DraftRow.all("id = ?1", id.rawValue, in: database).first?.revision == revision else {
                return false
            }
            try OutboxStore.remove(id, in: database)
            return true
        }
    }

    /// Removes drafts in which nobody wrote anything since an instant, and that the server does not know.
    ///
    /// - Throws: `OutboxError`.
    package func removeBlankDrafts(before milliseconds: Int64) throws(OutboxError) {
        let sql = """
            server_id IS NULL AND sent_content IS NULL AND text = '' AND subject = '' AND recipients = ''
                AND updated_at < ?1
            """
        let before = Timestamp(millisecondsSinceEpoch: milliseconds).text
        if try read({ try DraftRow.all(sql, before, in: $0) }).isEmpty { return }
        try commit { database in
            for draft in try DraftRow.all(sql, before, in: database) where draft.isBlank {
                try OutboxStore.remove(draft.id, in: database)
            }
        }
    }
}
