package import MailModel
internal import SQLite

extension OutboxStore {
    /// Adds a file, whose copy is in place, as the last of a draft.
    ///
    /// - Throws: `OutboxError`.
    package func addFile(
        _ file: DraftFile, to draft: LocalDraftID, at milliseconds: Int64
    ) throws(OutboxError) {
        try commit { database in
            let insertion = try database.statement(
                """
                INSERT INTO draft_files(id, draft_id, place, filename, content_type, size_bytes, sha256)
                SELECT ?1, ?2, (SELECT coalesce(max(place) + 1, 0) FROM draft_files WHERE draft_id = ?2), ?3, ?4, ?5, ?6
                """)
            insertion.bind(1, file.id.rawValue)
            insertion.bind(2, draft.rawValue)
            insertion.bind(3, file.filename)
            insertion.bind(4, file.contentType)
            insertion.bind(5, file.sizeBytes)
            insertion.bind(6, file.sha256)
            try insertion.run()
        }
    }

    /// Takes a file off its draft: at once when the server does not have it, else as soon as it is off there.
    ///
    /// - Throws: `OutboxError`.
    package func removeFile(_ id: DraftFileID) throws(OutboxError) {
        try commit { database in
            let sql = [
                "DELETE FROM draft_files WHERE id = ?1 AND attachment_id IS NULL AND state IN ('waiting', 'refused')",
                "UPDATE draft_files SET is_removed = 1 WHERE id = ?1",
            ]
            for sql in sql {
                let statement = try database.statement(sql)
                statement.bind(1, id.rawValue)
                try statement.run()
            }
        }
    }
}
