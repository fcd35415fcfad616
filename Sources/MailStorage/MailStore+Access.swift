package import MailModel
internal import SQLite

/// What the cache knows of the account's access, to compare a fresh mailbox list with.
package struct KnownAccess: Sendable, Hashable {
    /// The level of every mailbox in the list; `nil` for one whose mail is not readable.
    package var levels: [MailboxID: AccessLevel?]
    /// The newest unassigned message here; `nil` when there is none.
    package var unassigned: MessageID?
    /// Whether all unassigned mail was listed, or is being listed.
    package var isUnassignedListed: Bool
    /// Whether a bootstrap has begun, so that there is something to compare.
    package var isSynced: Bool

    package init(
        levels: [MailboxID: AccessLevel?], unassigned: MessageID?, isUnassignedListed: Bool = false, isSynced: Bool
    ) {
        self.levels = levels
        self.unassigned = unassigned
        self.isUnassignedListed = isUnassignedListed
        self.isSynced = isSynced
    }
}

/// What becomes of unassigned mail with a new mailbox list.
package enum UnassignedVerdict: Sendable, Hashable {
    /// It stays as it is.
    case keep
    /// The account no longer sees it; it is removed.
    case purge
    /// The account may see it now; everything is to be listed again. `isSeen` tells whether some is in sight.
    case relist(isSeen: Bool)

    fileprivate var relists: Bool {
        if case .relist = self { return true }
        return false
    }
}

extension MailStore {
    /// The address of a mailbox; `nil` for one that is not here.
    ///
    /// - Throws: `StoreError`.
    package func mailboxAddress(_ id: MailboxID) throws -> String? {
        try read { database in
            let row = try database.statement("SELECT address FROM mailboxes WHERE id = ?1")
            row.bind(1, id.rawValue)
            defer { row.reset() }
            return try row.step() ? row.text(0) : nil
        }
    }

    /// What is known of the account's access.
    ///
    /// - Throws: `StoreError`.
    package func knownAccess() throws -> KnownAccess {
        try read { database in
            var levels: [MailboxID: AccessLevel?] = [:]
            for (_, mailbox) in try MailboxRows.all(in: database) where !mailbox.address.isEmpty {
                levels.updateValue(mailbox.accessLevel, forKey: mailbox.id)
            }
            let row = try database.statement(MailStore.unassignedSQL)
            defer { row.reset() }
            let unassigned = try row.step() ? MessageID(row.text(0)) : nil
            return KnownAccess(
                levels: levels, unassigned: unassigned,
                isUnassignedListed: try UnassignedMark.isListed(in: database),
                isSynced: try Meta.value("cursor", database) != nil)
        }
    }

    /// Stores the mailbox list in the server's order.
    ///
    /// Mail of mailboxes that vanished or became unreadable is removed in the same transaction, as the verdict
    /// on unassigned mail is carried out. Answers what became of messages, and the readable mailboxes that are to be
    /// listed: their mail never was, or their level changed; none before the first bootstrap began. A list equal to
    /// the stored one writes nothing.
    /// - Throws: `StoreError`.
    package func replaceMailboxes(
        _ mailboxes: [Mailbox], unassigned: UnassignedVerdict = .keep
    ) throws -> (counts: CommitCounts, gained: [MailboxID]) {
        if unassigned == .keep, try read({ try MailStore.isFollowed(mailboxes, in: $0) }) {
            return (CommitCounts(), try read { try MailStore.gained(in: $0) })
        }
        return try commitMessages { database, outbox in
            var counts = CommitCounts()
            var isChanged = false
            let readable = Set(mailboxes.filter { $0.accessLevel != nil }.map(\.id))
            let named = Set(mailboxes.map(\.id))
            for (key, mailbox) in try MailboxRows.all(in: database) where !readable.contains(mailbox.id) {
                counts += try MailStore.purge(key, outbox, in: database)
                try MailStore.forget(key, keepsRow: named.contains(mailbox.id), in: database)
                isChanged = isChanged || !named.contains(mailbox.id)
            }
            for (position, mailbox) in mailboxes.enumerated() {
                // Listing everything again includes it.
                if !unassigned.relists, try MailboxRows.isRegraded(mailbox, in: database) {
                    try MailboxRows.setUnlisted(mailbox.id, in: database)
                    try Doubts.note(in: database)
                }
                if try MailboxRows.write(mailbox, position: position, in: database) { isChanged = true }
            }
            switch unassigned {
            case .keep: break
            case .purge: counts += try MailStore.purgeUnassigned(outbox, in: database)
            case .relist(let isSeen): try Relistings.begin(.repair, seesUnassigned: isSeen, in: database)
            }
            if isChanged || !counts.isEmpty {
                var change = StoreChange()
                change.touchesMailboxes = true
                try CommitLog.append(change, in: database)
            }
            return (counts, try MailStore.gained(in: database))
        }
    }

    /// Removes unassigned mail, which the account no longer sees.
    ///
    /// - Throws: `StoreError`.
    package func purgeUnassigned() throws -> CommitCounts {
        try commitMessages { try MailStore.purgeUnassigned($1, in: $0) }
    }

    private static func purgeUnassigned(_ outbox: OutboxView, in database: Database) throws -> CommitCounts {
        try UnassignedMark.clear(in: database)
        return try purge(0, outbox, in: database)
    }

    /// Whether a mailbox list is the stored one and nothing is here that it forbids.
    private static func isFollowed(_ mailboxes: [Mailbox], in database: Database) throws(SQLiteError) -> Bool {
        guard try MailboxRows.areStored(mailboxes, in: database) else { return false }
        // The feed, read while the account was an owner for a moment, may have brought mail of any mailbox.
        return try database.scalar(
            """
            SELECT 1 FROM mailboxes b WHERE access_level IS NULL
                AND EXISTS (SELECT 1 FROM listings WHERE list >= b.pk * 16 AND list < b.pk * 16 + 16)
            """) == nil
    }

    static let unassignedSQL = "SELECT id FROM messages WHERE mailbox_pk = 0 ORDER BY pk DESC LIMIT 1"

    private static func gained(in database: Database) throws -> [MailboxID] {
        guard try Meta.value("cursor", database) != nil else { return [] }
        return try unlisted(in: database)
    }

    /// Removes the mail of a mailbox, or with key 0 the unassigned mail.
    private static func purge(_ key: Int64, _ outbox: OutboxView, in database: Database) throws -> CommitCounts {
        var writes = try MessageWrites(database: database, outbox: outbox)
        // The inner one scans an index in place of every row.
        let row = try database.statement(
            "SELECT id FROM messages WHERE pk IN (SELECT pk FROM messages WHERE mailbox_pk = ?1)")
        row.bind(1, key)
        var ids: [MessageID] = []
        while try row.step() { ids.append(MessageID(row.text(0))) }
        row.reset()
        for id in ids { try writes.delete(id, because: .rlsDenied) }
        try writes.finish()
        return writes.counts
    }

    /// Drops what is known of a mailbox's listing, and the mailbox itself unless it keeps its row.
    private static func forget(_ key: Int64, keepsRow: Bool, in database: Database) throws {
        let pending = try database.statement(
            "DELETE FROM pending_listings WHERE kind = 'mailbox' AND target = (SELECT id FROM mailboxes WHERE pk = ?1)")
        pending.bind(1, key)
        try pending.run()
        let statement = try database.statement(
            keepsRow
                ? "UPDATE mailboxes SET listing = 0 WHERE pk = ?1 AND listing <> 0"
                : "DELETE FROM mailboxes WHERE pk = ?1")
        statement.bind(1, key)
        try statement.run()
    }
}
