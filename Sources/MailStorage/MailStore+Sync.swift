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

/// How a pass ended.
package struct PassRecord: Sendable, Hashable {
    package var finishedAtMilliseconds: Int64
    package var requests: Int
    /// `nil` when the pass succeeded; else a sentence for the person.
    package var failure: String?

    package init(finishedAtMilliseconds: Int64, requests: Int, failure: String?) {
        self.finishedAtMilliseconds = finishedAtMilliseconds
        self.requests = requests
        self.failure = failure
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
                featuresReadAt: try Meta.number("features_read_at", database))
        }
    }

    /// Remembers when the server's features were read; `nil` has them read again.
    ///
    /// - Throws: `StoreError`.
    package func recordFeatures(readAt: Int64?) throws {
        try commit { try Meta.set("features_read_at", readAt.map { String($0) }, $0) }
    }

    /// Stores the mailbox list in the server's order.
    ///
    /// Mail of mailboxes that vanished or became unreadable is removed in the same transaction. Answers the
    /// readable mailboxes whose mail was never listed; none before the first bootstrap began.
    /// - Throws: `StoreError`.
    package func replaceMailboxes(_ mailboxes: [Mailbox]) throws -> (counts: CommitCounts, gained: [MailboxID]) {
        try commit { database in
            var counts = CommitCounts()
            let readable = Set(mailboxes.filter { $0.accessLevel != nil }.map(\.id))
            let named = Set(mailboxes.map(\.id))
            for (key, mailbox) in try MailboxRows.all(in: database) where !readable.contains(mailbox.id) {
                counts += try MailStore.purge(key, in: database, forget: !named.contains(mailbox.id))
            }
            for (position, mailbox) in mailboxes.enumerated() {
                if try MailboxRows.write(mailbox, position: position, in: database) { counts.updated += 1 }
            }
            if counts != CommitCounts() {
                var change = StoreChange()
                change.touchesMailboxes = true
                try CommitLog.append(change, in: database)
            }
            guard try Meta.value("cursor", database) != nil else { return (counts, []) }
            return (counts, try MailStore.unlisted(in: database))
        }
    }

    /// Removes a mailbox's mail, its pending listing and, with `forget`, the mailbox itself.
    private static func purge(_ key: Int64, in database: Database, forget: Bool) throws -> CommitCounts {
        var writes = try MessageWrites(database: database)
        // The inner one scans an index in place of every row.
        let row = try database.statement(
            "SELECT id FROM messages WHERE pk IN (SELECT pk FROM messages WHERE mailbox_pk = ?1)")
        row.bind(1, key)
        var ids: [MessageID] = []
        while try row.step() { ids.append(MessageID(row.text(0))) }
        row.reset()
        for id in ids { try writes.delete(id) }
        try writes.finish()
        let pending = try database.statement(
            "DELETE FROM pending_listings WHERE kind = 'mailbox' AND target = (SELECT id FROM mailboxes WHERE pk = ?1)")
        pending.bind(1, key)
        try pending.run()
        let sql = forget ? "DELETE FROM mailboxes WHERE pk = ?1" : "UPDATE mailboxes SET listing = 0 WHERE pk = ?1"
        let statement = try database.statement(sql)
        statement.bind(1, key)
        try statement.run()
        return writes.counts
    }

    private static func unlisted(in database: Database) throws -> [MailboxID] {
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
    /// Rows stay visible.
    ///
    /// - Throws: `StoreError`.
    package func beginBootstrap(cursor: String) throws {
        try commit { database in
            let generation = (try Meta.number("generation", database) ?? 0) + 1
            try Meta.set("generation", String(generation), database)
            try Meta.set("cursor", cursor, database)
            try Meta.set("bootstrapping", "1", database)
            try database.run("DELETE FROM pending_listings")
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

    /// Writes fetched pages and how far their listings got, in one transaction.
    ///
    /// - Throws: `StoreError`.
    package func commitPages(_ pages: [ListingPage]) throws -> CommitCounts {
        try commit { database in
            let isBootstrap = try Meta.value("bootstrapping", database) == "1"
            var writes = try MessageWrites(database: database, isBootstrap: isBootstrap)
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
        try commit { database in
            var writes = try MessageWrites(database: database)
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
            try Meta.set("bootstrapped", "1", database)
            try Meta.set("bootstrapping", nil, database)
            return writes.counts
        }
    }

    /// Applies a page of changes and the cursor that covers them, in one transaction.
    ///
    /// - Throws: `StoreError`.
    package func commitChanges(_ changes: [MessageChange], cursor: String) throws -> CommitCounts {
        // The idle round: nothing to write, so nothing is written and nobody is woken.
        if changes.isEmpty, try read({ try Meta.value("cursor", $0) }) == cursor { return CommitCounts() }
        return try commit { database in
            var writes = try MessageWrites(database: database)
            var upserts: [MessageSummary] = []
            for change in changes {
                switch change {
                case .upsert(let message): upserts.append(message)
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
            return writes.counts
        }
    }

    /// Makes the rows equal to complete listings: missing and differing rows are written, others of these
    /// listings removed.
    ///
    /// - Throws: `StoreError`.
    package func reconcile(_ listings: [Listing], seen: [MessageSummary]) throws -> CommitCounts {
        try commit { database in
            var writes = try MessageWrites(database: database)
            try writes.upsert(seen)
            let kept = Set(seen.map(\.id))
            for listing in listings {
                for id in try MailStore.ids(of: listing, in: database) where !kept.contains(id) {
                    try writes.delete(id)
                }
            }
            try writes.finish()
            let counts = writes.counts
            let repaired =
                (try Meta.number("repaired", database) ?? 0)
                + Int64(counts.inserted + counts.updated + counts.deleted)
            try Meta.set("repaired", String(repaired), database)
            return counts
        }
    }

    private static func ids(of listing: Listing, in database: Database) throws -> [MessageID] {
        let row: Statement
        switch listing {
        case .folder(let folder):
            row = try database.statement("SELECT id FROM messages WHERE folder = ?1")
            row.bind(1, folder.rawValue)
        case .mailbox(let id):
            row = try database.statement(
                """
                SELECT id FROM messages WHERE pk IN
                    (SELECT pk FROM messages WHERE mailbox_pk = (SELECT pk FROM mailboxes WHERE id = ?1))
                """)
            row.bind(1, id.rawValue)
        }
        defer { row.reset() }
        var ids: [MessageID] = []
        while try row.step() { ids.append(MessageID(row.text(0))) }
        return ids
    }

    /// Remembers how the last pass ended and counts the day's requests.
    ///
    /// - Throws: `StoreError`.
    package func recordPass(_ record: PassRecord) throws {
        try commit { database in
            let day = String(record.finishedAtMilliseconds / 86_400_000)
            let sameDay = try Meta.value("requests_day", database) == day
            let requests = (sameDay ? try Meta.number("requests_today", database) ?? 0 : 0) + Int64(record.requests)
            try Meta.set("requests_day", day, database)
            try Meta.set("requests_today", String(requests), database)
            try Meta.set("last_failure", record.failure, database)
            if record.failure == nil {
                try Meta.set("last_pass_at", String(record.finishedAtMilliseconds), database)
            }
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
        }
    }
}
