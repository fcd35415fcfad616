package import MailModel
internal import SQLite

/// A file that was taken off a draft here and may still be on the server's.
package struct RemovedFile: Sendable, Hashable {
    package var id: DraftFileID
    /// The server's name for it; `nil` while it is not known whether it arrived.
    package var attachment: AttachmentID?
    package var filename: String
    package var sizeBytes: Int
}

/// How the files of drafts are brought to the server; called under the lock of the drain.
extension OutboxStore {
    /// The files of a draft that are due to be uploaded, in their order.
    ///
    /// - Throws: `OutboxError`.
    package func uploadsDue(of draft: LocalDraftID, now milliseconds: Int64) throws(OutboxError) -> [DraftFile] {
        try read {
            try DraftFileRow.all(
                of: draft, in: $0,
                where: """
                    AND state IN ('waiting', 'retrying') AND sha256 IS NOT NULL
                    AND (next_attempt_at IS NULL OR next_attempt_at <= \(milliseconds)
                        OR next_attempt_at > \(milliseconds + OutboxStore.longestWaitMilliseconds))
                    """)
        }
    }

    /// The files that were taken off a draft, in their order.
    ///
    /// - Throws: `OutboxError`.
    package func removedFiles(of draft: LocalDraftID) throws(OutboxError) -> [RemovedFile] {
        try read { database in
            let row = try database.statement(
                """
                SELECT id, attachment_id, filename, size_bytes FROM draft_files WHERE draft_id = ?1 AND is_removed
                ORDER BY place
                """)
            row.bind(1, draft.rawValue)
            defer { row.reset() }
            var files: [RemovedFile] = []
            while try row.step() {
                files.append(
                    RemovedFile(
                        id: DraftFileID(row.text(0)), attachment: row.optionalText(1).map { AttachmentID($0) },
                        filename: row.text(2), sizeBytes: Int(row.int(3))))
            }
            return files
        }
    }

    /// Marks a file as under way; `false` when it was taken off meanwhile.
    ///
    /// - Throws: `OutboxError`.
    package func claimUpload(_ id: DraftFileID) throws(OutboxError) -> Bool {
        try commit { database in
            let update = try database.statement(
                "UPDATE draft_files SET state = 'inFlight', attempts = attempts + 1 WHERE id = ?1 AND is_removed = 0")
            update.bind(1, id.rawValue)
            try update.run()
            return database.changes > 0
        }
    }

    /// Notes that the server has a file, also one that was taken off meanwhile.
    ///
    /// - Throws: `OutboxError`.
    package func finishUpload(
        _ id: DraftFileID, as attachment: AttachmentID, at milliseconds: Int64
    ) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE draft_files SET state = 'done', attachment_id = ?2, done_at = ?3, last_failure = NULL,
                    next_attempt_at = NULL
                WHERE id = ?1
                """)
            update.bind(1, id.rawValue)
            update.bind(2, attachment.rawValue)
            update.bind(3, milliseconds)
            try update.run()
        }
    }

    /// Notes that an upload failed: it is tried again, not before an instant, or `isRefused` for good.
    ///
    /// - Throws: `OutboxError`.
    package func failUpload(
        _ id: DraftFileID, failure: String, isRefused: Bool, notBefore: Int64? = nil
    ) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                "UPDATE draft_files SET state = ?2, last_failure = ?3, next_attempt_at = ?4 WHERE id = ?1")
            update.bind(1, id.rawValue)
            update.bind(2, isRefused ? "refused" : "retrying")
            update.bind(3, failure)
            update.bind(4, notBefore)
            try update.run()
        }
    }

    /// Has a file that was refused, or waits for its time, be tried at once.
    ///
    /// - Throws: `OutboxError`.
    package func retryUpload(_ id: DraftFileID) throws(OutboxError) {
        try commit { database in
            let update = try database.statement(
                """
                UPDATE draft_files SET state = 'retrying', next_attempt_at = NULL
                WHERE id = ?1 AND state IN ('refused', 'retrying') AND sha256 IS NOT NULL
                """)
            update.bind(1, id.rawValue)
            try update.run()
        }
    }

    /// Forgets a file that is off the server's draft.
    ///
    /// - Throws: `OutboxError`.
    package func forgetFile(_ id: DraftFileID) throws(OutboxError) {
        try commit { database in
            let removal = try database.statement("DELETE FROM draft_files WHERE id = ?1")
            removal.bind(1, id.rawValue)
            try removal.run()
        }
    }

    /// What the server calls the files of a draft that it is known to have, also those taken off here.
    ///
    /// - Throws: `OutboxError`.
    package func attachments(of draft: LocalDraftID) throws(OutboxError) -> Set<AttachmentID> {
        let sql = "SELECT attachment_id FROM draft_files WHERE draft_id = ?1 AND attachment_id IS NOT NULL"
        return Set(try texts(sql, draft.rawValue).map { AttachmentID($0) })
    }

    /// The names of all copies that some draft still needs here.
    ///
    /// - Throws: `OutboxError`.
    package func spooledDigests() throws(OutboxError) -> Set<String> {
        Set(try texts("SELECT DISTINCT sha256 FROM draft_files WHERE sha256 IS NOT NULL"))
    }

    /// The drafts of the server that some draft stands for, also those thrown away here.
    ///
    /// - Throws: `OutboxError`.
    package func knownServerDrafts() throws(OutboxError) -> Set<DraftID> {
        Set(try texts("SELECT server_id FROM drafts WHERE server_id IS NOT NULL").map { DraftID($0) })
    }

    /// The first column of all rows; `text` is for `?1`.
    private func texts(_ sql: String, _ text: String? = nil) throws(OutboxError) -> [String] {
        try read { database in
            let row = try database.statement(sql)
            if let text { row.bind(1, text) }
            defer { row.reset() }
            var texts: [String] = []
            while try row.step() { texts.append(row.text(0)) }
            return texts
        }
    }
}
