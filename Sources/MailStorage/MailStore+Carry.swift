internal import Platform
internal import SQLite

extension MailStore {
    /// Copies the bodies that another cache of the same account has for messages that are here without one.
    ///
    /// Answers how many were copied: none when the file is missing, damaged, or of another owner or version. The
    /// other file is only read. Reads it whole once, to be sure that it is sound.
    /// - Throws: `StoreError` when this cache cannot be written.
    package func carryBodies(from path: String, owner: String) throws -> Int {
        guard MailStore.isSound(path, owner: owner) else { return 0 }
        let attach = try read { try $0.statement("ATTACH DATABASE ?1 AS old") }
        attach.bind(1, path)
        guard (try? attach.run()) != nil else { return 0 }
        defer { try? database.run("DETACH DATABASE old") }
        return try commit { database in
            for sql in MailStore.carrySQL { try database.statement(sql).run() }
            return database.changes
        }
    }

    /// Whether another file is a whole cache of this version and owner.
    private static func isSound(_ path: String, owner: String) -> Bool {
        guard Files.exists(path), let other = try? Database(path, mode: .readOnly) else { return false }
        do {
            guard try other.scalar("PRAGMA application_id") == Schema.applicationID,
                try other.scalar("PRAGMA user_version") == Schema.version,
                try CacheFile.readOwner(other) == owner
            else { return false }
            let check = try other.statement("PRAGMA quick_check(1)")
            defer { check.reset() }
            return try check.step() && check.text(0) == "ok"
        } catch {
            return false
        }
    }

    /// Texts, then HTML, then what of each body is here.
    private static let carrySQL = [
        """
        INSERT OR IGNORE INTO main.bodies(message_pk, cc_json, bcc_json, delivered_to, text_body, html_available,
            internet_message_id, in_reply_to, references_json, attachments_json)
        SELECT n.pk, b.cc_json, b.bcc_json, b.delivered_to, b.text_body, b.html_available, b.internet_message_id,
            b.in_reply_to, b.references_json, b.attachments_json
        FROM old.bodies b JOIN old.messages o ON o.pk = b.message_pk
            JOIN main.messages n ON n.id_hash = o.id_hash AND n.id = o.id
        """,
        """
        INSERT OR IGNORE INTO main.htmls(message_pk, html, quoted_html, after_quoted_html, has_remote_images,
            remote_media_trusted)
        SELECT n.pk, h.html, h.quoted_html, h.after_quoted_html, h.has_remote_images, h.remote_media_trusted
        FROM old.htmls h JOIN old.messages o ON o.pk = h.message_pk
            JOIN main.messages n ON n.id_hash = o.id_hash AND n.id = o.id
        """,
        """
        UPDATE main.messages SET body_state = (
            SELECT CASE WHEN b.html_available = 0 OR h.message_pk IS NOT NULL THEN 2 ELSE 1 END
            FROM main.bodies b LEFT JOIN main.htmls h ON h.message_pk = b.message_pk
            WHERE b.message_pk = messages.pk)
        WHERE body_state = 0 AND pk IN (SELECT message_pk FROM main.bodies)
        """,
    ]
}
