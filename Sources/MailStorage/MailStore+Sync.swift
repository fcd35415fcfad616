package import MailModel
internal import SQLite

/// One fetched page of a listing.
package struct ListingPage: Sendable, Hashable {
    package var listing: Listing
    package var messages: [MessageSummary]
    /// The cursor of the next page; `nil` when the listing is complete.
    package var next: String?

    package init(listing: Listing, messages: [MessageSummary], next: String?) {
        self.listing = listing
        self.messages = messages
        self.next = next
    }
}

extension MailStore {
    /// What is known of the sync.
    ///
    /// - Throws: `StoreError`.
    package func syncState() throws -> SyncState {
        try read { database in
            SyncState(
                cursor: try Meta.value("cursor", database),
                isBootstrapped: try Meta.value("bootstrapped", database) == "1",
                pending: try PendingListings.all(in: database),
                isBootstrapping: try Meta.value("bootstrapping", database) == "1",
                featuresReadAt: try Meta.number("features_read_at", database),
                relisting: try Relistings.current(in: database),
                relistedAt: try Meta.number(Relistings.steppedAt, database),
                listedAt: try Doubts.listed(in: database), isDoubtful: try Doubts.isNoted(in: database),
                isUnconfirmed: try Doubts.isUnconfirmed(in: database))
        }
    }

    /// Remembers when the server's features were read; `nil` has them read again.
    ///
    /// - Throws: `StoreError`.
    package func recordFeatures(readAt: Int64?) throws {
        try commit { try Meta.set("features_read_at", readAt.map { String($0) }, $0) }
    }

    /// The readable mailboxes whose mail was never listed and is not being listed.
    static func unlisted(in database: Database) throws -> [MailboxID] {
        let row = try database.statement(
            """
            SELECT id FROM mailboxes WHERE listing = 0 AND access_level IS NOT NULL
                AND id NOT IN (SELECT target FROM pending_listings WHERE kind = 'mailbox')
            ORDER BY position
            """)
        defer { row.reset() }
        var ids: [MailboxID] = []
        while try row.step() { ids.append(MailboxID(row.text(0))) }
        return ids
    }

    /// Stores the checkpoint and starts the listings of all stored folders, inbox first.
    ///
    /// Rows stay visible. `seesUnassigned` tells whether unassigned mail is in sight now. With a time, no audit is due
    /// for a while.
    /// - Throws: `StoreError`.
    package func beginBootstrap(
        cursor: String, seesUnassigned: Bool = false, at milliseconds: Int64? = nil
    ) throws {
        try commit { database in
            let generation = (try Meta.number("generation", database) ?? 0) + 1
            try Meta.set("generation", String(generation), database)
            try Meta.set("cursor", cursor, database)
            try Meta.set("bootstrapping", "1", database)
            try database.run("DELETE FROM pending_listings")
            // The bootstrap meets every row itself.
            try Relistings.clear(in: database)
            try Doubts.listingBegins(isAudit: false, at: milliseconds, in: database)
            if let milliseconds { try Meta.set(Relistings.steppedAt, String(milliseconds), database) }
            try UnassignedMark.bootstrapBegins(isSeen: seesUnassigned, in: database)
            try database.run("UPDATE mailboxes SET listing = 2 WHERE access_level IS NOT NULL")
            for folder in Folder.stored { try PendingListings.add(.folder(folder), in: database) }
        }
    }

    /// Starts the listing of a mailbox that became readable.
    ///
    /// - Throws: `StoreError`.
    package func beginListing(_ mailbox: MailboxID) throws {
        try commit { try PendingListings.add(.mailbox(mailbox), in: $0) }
    }

    /// Gives a mailbox's listing up; the next pass starts it again if the mailbox is still readable.
    ///
    /// - Throws: `StoreError`.
    package func abandonListing(_ mailbox: MailboxID) throws {
        try commit { try PendingListings.advance(.mailbox(mailbox), to: nil, in: $0) }
    }

    /// Writes fetched pages and how far their listings got, in one transaction.
    ///
    /// - Throws: `StoreError`.
    package func commitPages(_ pages: [ListingPage]) throws -> CommitCounts {
        try commitMessages { database, outbox in
            let isBootstrap = try Meta.value("bootstrapping", database) == "1"
            var writes = try MessageWrites(database: database, outbox: outbox, isBootstrap: isBootstrap)
            try Doubts.pageRead(in: database)
            for page in pages {
                try writes.upsert(page.messages)
                try PendingListings.advance(page.listing, to: page.next, in: database)
                if case .mailbox(let id) = page.listing, page.next == nil {
                    let statement = try database.statement("UPDATE mailboxes SET listing = 1 WHERE id = ?1")
                    statement.bind(1, id.rawValue)
                    try statement.run()
                }
            }
            try writes.finish()
            return writes.counts
        }
    }

    /// Ends a bootstrap: rows that no listing and no change saw are removed.
    ///
    /// - Throws: `StoreError`.
    package func finishBootstrap() throws -> CommitCounts {
        try commitMessages { database, outbox in
            var writes = try MessageWrites(database: database, outbox: outbox)
            // Only the very first bootstrap has no rows of an earlier one: one that was given up leaves some as well.
            let generation = try Meta.number("generation", database) ?? 0
            if generation > 1 {
                let row = try database.statement("SELECT id FROM messages WHERE generation <> ?1")
                row.bind(1, generation)
                var ids: [MessageID] = []
                while try row.step() { ids.append(MessageID(row.text(0))) }
                row.reset()
                for id in ids { try writes.delete(id) }
                try writes.finish()
            }
            try database.run("UPDATE mailboxes SET listing = 1 WHERE listing = 2")
            try UnassignedMark.listingEnds(in: database)
            try Doubts.listingEnds(in: database)
            try Meta.set("bootstrapped", "1", database)
            try Meta.set("bootstrapping", nil, database)
            return writes.counts
        }
    }

    /// Applies a page of changes and the cursor that covers them, in one transaction.
    ///
    /// When the feed may have lost rows, everything is to be listed again at once; when it hid some, in a while.
    /// - Throws: `StoreError`.
    package func commitChanges(
        _ changes: [MessageChange], cursor: String, trust: FeedTrust = .complete
    ) throws -> CommitCounts {
        // The idle round: nothing to write, so nothing is written and nobody is woken.
        if changes.isEmpty, trust == .complete, try read({ try Meta.value("cursor", $0) }) == cursor {
            return CommitCounts()
        }
        return try commitMessages { database, outbox in
            var writes = try MessageWrites(
                database: database, outbox: outbox, isNews: try Arrivals.areExpected(in: database))
            var upserts: [MessageSummary] = []
            var present: [MessageID] = []
            for change in changes {
                switch change {
                case .upsert(let message):
                    upserts.append(message)
                    present.append(message.id)
                case .delete(let id):
                    // What came before may be of the same message.
                    try writes.upsert(upserts)
                    upserts = []
                    try writes.delete(id)
                }
            }
            try writes.upsert(upserts)
            try writes.finish()
            try Meta.set("cursor", cursor, database)
            if trust == .hidesRows { try Doubts.note(in: database) }
            if trust == .losesRows {
                try Relistings.begin(.repair, in: database)
            } else if try Relistings.current(in: database) != nil {
                try Relistings.markSeen(present, in: database)
            }
            return writes.counts
        }
    }
}

/// Rows of `pending_listings`.
enum PendingListings {
    static func all(in database: Database) throws(SQLiteError) -> [ListingProgress] {
        let row = try database.statement("SELECT kind, target, next FROM pending_listings ORDER BY position")
        defer { row.reset() }
        var listings: [ListingProgress] = []
        while try row.step() {
            if row.text(0) == "mailbox" {
                listings.append(ListingProgress(listing: .mailbox(MailboxID(row.text(1))), next: row.optionalText(2)))
            } else if let folder = Folder(rawValue: row.text(1)) {
                listings.append(ListingProgress(listing: .folder(folder), next: row.optionalText(2)))
            }
        }
        return listings
    }

    static func add(_ listing: Listing, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("INSERT INTO pending_listings(kind, target) VALUES (?1, ?2)")
        bind(listing, to: statement)
        try statement.run()
    }

    /// Moves a listing on, or ends it when there is no next page.
    static func advance(_ listing: Listing, to next: String?, in database: Database) throws(SQLiteError) {
        if let next {
            let statement = try database.statement(
                "UPDATE pending_listings SET next = ?3 WHERE kind = ?1 AND target = ?2")
            bind(listing, to: statement)
            statement.bind(3, next)
            return try statement.run()
        }
        let statement = try database.statement("DELETE FROM pending_listings WHERE kind = ?1 AND target = ?2")
        bind(listing, to: statement)
        try statement.run()
    }

    private static func bind(_ listing: Listing, to statement: Statement) {
        switch listing {
        case .folder(let folder):
            statement.bind(1, "folder")
            statement.bind(2, folder.rawValue)
        case .mailbox(let id):
            statement.bind(1, "mailbox")
            statement.bind(2, id.rawValue)
        case .everything:
            // Never pending: its progress is that of a re-listing.
            statement.bind(1, "everything")
            statement.bind(2, "")
        }
    }
}
