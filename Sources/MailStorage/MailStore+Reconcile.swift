package import MailModel
internal import SQLite

/// What one step of ending a re-listing did.
package struct RelistingEnd: Sendable, Hashable {
    package var counts: CommitCounts
    /// Where the next step goes on; `nil` when the re-listing is over.
    package var next: Int64?

    package init(counts: CommitCounts, next: Int64?) {
        self.counts = counts
        self.next = next
    }
}

extension MailStore {
    /// Starts listing everything again, from the top; what another such listing had met is forgotten.
    ///
    /// - Throws: `StoreError`.
    package func beginRelisting(_ purpose: RelistingPurpose) throws {
        try commit { try Relistings.begin(purpose, in: $0) }
    }

    /// Repairs the rows of a page that was listed again and remembers that they were met.
    ///
    /// `next` is the cursor of the page after it, `nil` at the end; the changed rows count as repaired.
    /// - Throws: `StoreError`.
    package func commitRelisting(
        _ messages: [MessageSummary], next: String?, at milliseconds: Int64
    ) throws -> CommitCounts {
        try commitMessages { database, outbox in
            guard try Relistings.current(in: database) != nil else { return CommitCounts() }
            var writes = try MessageWrites(database: database, outbox: outbox)
            try writes.upsert(messages)
            try writes.finish()
            try Relistings.markSeen(messages.map(\.id), in: database)
            let isAudit = try Relistings.current(in: database)?.purpose == .audit
            try Doubts.pageRead(isAudit: isAudit, at: milliseconds, in: database)
            try Relistings.advance(to: next, at: milliseconds, in: database)
            try Relistings.addRepaired(writes.counts, in: database)
            return writes.counts
        }
    }

    /// Ends a re-listing that read all its pages: rows that were here when it began and that neither it nor a
    /// change met are removed, at most `limit` a step, from the step's `next` on.
    ///
    /// Does nothing while pages are missing.
    /// - Throws: `StoreError`.
    package func finishRelisting(after key: Int64 = 0, limit: Int = 500) throws -> RelistingEnd {
        try commitMessages { database, outbox in
            guard try Relistings.current(in: database)?.isListed == true else {
                return RelistingEnd(counts: CommitCounts(), next: nil)
            }
            let unmet = try Relistings.unmet(after: key, limit: limit, in: database)
            var writes = try MessageWrites(database: database, outbox: outbox)
            for row in unmet { try writes.delete(row.id) }
            try writes.finish()
            try Relistings.addRepaired(writes.counts, in: database)
            if unmet.count == limit { return RelistingEnd(counts: writes.counts, next: unmet.last?.key) }
            try Relistings.clear(in: database)
            try UnassignedMark.listingEnds(in: database)
            try Doubts.listingEnds(in: database)
            return RelistingEnd(counts: writes.counts, next: nil)
        }
    }

    /// Of the rows that a complete re-listing did not meet, one of each mailbox; empty while pages are missing.
    ///
    /// Looks at the first `limit` such rows.
    /// - Throws: `StoreError`.
    package func unmetSamples(limit: Int) throws -> [MessageID] {
        try read { database in
            guard try Relistings.current(in: database)?.isListed == true else { return [] }
            var mailboxes: Set<Int64> = []
            return try Relistings.unmet(after: 0, limit: limit, in: database)
                .filter { mailboxes.insert($0.mailbox).inserted }.map(\.id)
        }
    }

    /// Drops a re-listing that missed rows, without removing any; the doubt stays until the next one.
    ///
    /// - Throws: `StoreError`.
    package func dropRelisting() throws {
        try commit { database in
            try Relistings.clear(in: database)
            try Doubts.note(in: database)
            try Doubts.listingEnds(in: database)
        }
    }

    /// About how many messages there are; costs nothing.
    ///
    /// - Throws: `StoreError`.
    package func messagesEstimate() throws -> Int {
        try read { Int(try $0.scalar("SELECT max(pk) FROM messages") ?? 0) }
    }

    /// How many messages there are, by scanning an index.
    ///
    /// - Throws: `StoreError`.
    package func messageCount() throws -> Int {
        try read { Int(try $0.scalar("SELECT count(*) FROM messages") ?? 0) }
    }
}

/// The state of a re-listing: values of `meta`, and the rows of `relisting_seen`.
enum Relistings {
    private static let purpose = "relisting"
    private static let next = "relisting_next"
    private static let listed = "relisting_listed"
    /// The highest key there was when it began; rows above it came by other ways.
    private static let keyMax = "relisting_key_max"
    /// When its last page was read; stays after its end.
    static let steppedAt = "relisting_stepped_at"

    static func current(in database: Database) throws(SQLiteError) -> Relisting? {
        guard let purpose = try Meta.value(purpose, database).flatMap({ RelistingPurpose(rawValue: $0) }) else {
            return nil
        }
        return Relisting(
            purpose: purpose, next: try Meta.value(next, database), isListed: try Meta.value(listed, database) != nil)
    }

    static func isRunning(in database: Database) throws(SQLiteError) -> Bool {
        try Meta.value(purpose, database) != nil
    }

    static func begin(
        _ purpose: RelistingPurpose, seesUnassigned: Bool = false, in database: Database
    ) throws(SQLiteError) {
        try clear(in: database)
        try Doubts.listingBegins(isAudit: purpose == .audit, in: database)
        try UnassignedMark.relistingBegins(isSeen: seesUnassigned, in: database)
        try Meta.set(Relistings.purpose, purpose.rawValue, database)
        try Meta.set(keyMax, String(try database.scalar("SELECT max(pk) FROM messages") ?? 0), database)
    }

    static func clear(in database: Database) throws(SQLiteError) {
        for key in [purpose, next, listed, keyMax] { try Meta.set(key, nil, database) }
        try database.run("DELETE FROM relisting_seen")
    }

    static func advance(to next: String?, at milliseconds: Int64, in database: Database) throws(SQLiteError) {
        try Meta.set(Relistings.next, next, database)
        try Meta.set(listed, next == nil ? "1" : nil, database)
        try Meta.set(steppedAt, String(milliseconds), database)
    }

    static func markSeen(_ ids: [MessageID], in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            "INSERT OR IGNORE INTO relisting_seen(message_pk) SELECT pk FROM messages WHERE id_hash = ?1 AND id = ?2")
        for id in ids {
            statement.bind(1, SortKey.hash(id))
            statement.bind(2, id.rawValue)
            try statement.run()
        }
    }

    /// Marks a row that was just inserted: keys of removed rows are given out again.
    static func markSeen(key: Int64, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("INSERT OR IGNORE INTO relisting_seen(message_pk) VALUES (?1)")
        statement.bind(1, key)
        try statement.run()
    }

    /// Rows that were here at the beginning and were not met, by their keys.
    static func unmet(
        after key: Int64, limit: Int, in database: Database
    ) throws(SQLiteError) -> [(key: Int64, id: MessageID, mailbox: Int64)] {
        let row = try database.statement(
            """
            SELECT m.pk, m.id, m.mailbox_pk FROM messages m LEFT JOIN relisting_seen s ON s.message_pk = m.pk
            WHERE m.pk > ?1 AND m.pk <= ?2 AND s.message_pk IS NULL ORDER BY m.pk LIMIT ?3
            """)
        row.bind(1, key)
        row.bind(2, try Meta.number(keyMax, database) ?? 0)
        row.bind(3, limit)
        defer { row.reset() }
        var rows: [(key: Int64, id: MessageID, mailbox: Int64)] = []
        while try row.step() { rows.append((row.int(0), MessageID(row.text(1)), row.int(2))) }
        return rows
    }

    static func addRepaired(_ counts: CommitCounts, in database: Database) throws(SQLiteError) {
        guard !counts.isEmpty else { return }
        let repaired = try Meta.number("repaired", database) ?? 0
        let added = Int64(counts.inserted + counts.updated + counts.deleted)
        try Meta.set("repaired", String(repaired + added), database)
    }
}
