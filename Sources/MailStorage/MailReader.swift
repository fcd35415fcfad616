package import MailModel
package import Platform
internal import SQLite

/// The cache's read-only side, for screens and the command line.
///
/// Has a connection and a thread of its own, so a read never waits for a page that is being written.
package actor MailReader {
    package nonisolated let executor: ThreadExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let database: Database
    private let openedVersion: Int64?
    private let name: CacheName
    /// The inode of the cache's file, which another process may replace by another.
    package nonisolated let inode: UInt64

    /// Opens an existing cache of `owner`; `nil` when there is none yet or it must be rebuilt.
    ///
    /// - Throws: `StoreError` when the file cannot be read.
    package init?(path: String, owner: String) throws(StoreError) {
        name = CacheName(path)
        guard let opened = try MailReader.open(name, owner: owner) else { return nil }
        (database, inode) = opened
        openedVersion = try? opened.0.scalar("PRAGMA data_version")
        executor = ThreadExecutor()
    }

    /// How often to begin again when the cache is replaced while it is being opened.
    private static let attemptsMax = 10

    /// The database and its inode, once the name meant the same file before and after it and its log were opened.
    private static func open(_ name: CacheName, owner: String) throws(StoreError) -> (Database, UInt64)? {
        for _ in 0..<attemptsMax {
            guard let inode = Files.inode(name.path) else {
                // Mail that may not be looked at is not mail that is not there.
                guard Files.isMissing(name.path) else { throw .cannotAccess }
                return nil
            }
            guard Files.isRegular(name.path) else { throw .inTheWay }
            if name.isMarked { return nil }
            let database: Database?
            do {
                database = try usable(name.file, owner: owner)
            } catch {
                guard Files.inode(name.path) == inode else { continue }
                if error.isCorrupt || error.isStatement { return nil }
                throw StoreError(error)
            }
            guard Files.inode(name.path) == inode else { continue }
            return database.map { ($0, inode) }
        }
        throw .busy
    }

    /// Whether a cache of another owner has the path.
    package static func isAnothers(_ path: String, owner: String) -> Bool {
        let name = CacheName(path)
        guard Files.isRegular(name.path), !name.isMarked else { return false }
        do {
            let database = try Database(name.file, mode: .readOnly)
            guard try isOfThisVersion(database) else { return false }
            return try CacheFile.readOwner(database) != owner
        } catch {
            // What cannot be read is for whoever opens it to tell.
            return false
        }
    }

    private static func isOfThisVersion(_ database: Database) throws(SQLiteError) -> Bool {
        guard try database.scalar("PRAGMA application_id") == Schema.applicationID else { return false }
        return try database.scalar("PRAGMA user_version") == Schema.version
    }

    private static func usable(_ file: String, owner: String) throws(SQLiteError) -> Database? {
        let database = try Database(file, mode: .readOnly)
        guard try isOfThisVersion(database), try CacheFile.readOwner(database) == owner else { return nil }
        return database
    }

    isolated deinit {
        executor.stop()
    }

    /// Runs reads on the connection; SQLite's failures become `StoreError`.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do {
            return try body(database)
        } catch let error as SQLiteError {
            // The writer may never read this page, so it is told.
            if error.isCorrupt || error.isStatement { name.setMark(inode: inode) }
            throw StoreError(error)
        }
    }

    /// Runs reads that must be of one moment.
    func atOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try read { database in
            try database.run("BEGIN")
            defer { try? database.run("ROLLBACK") }
            return try body(database)
        }
    }

    /// A number that changes when any process committed to the cache.
    ///
    /// - Throws: `StoreError`.
    package func dataVersion() throws -> Int64 {
        try read { try $0.scalar("PRAGMA data_version") ?? 0 }
    }

    /// Whether the cache was written to since this reader opened it.
    package var hasMissedCommits: Bool { (try? dataVersion()) != openedVersion }

    /// The number of the last commit in the log.
    ///
    /// - Throws: `StoreError`.
    package func revision() throws -> Int64 {
        try read { try CommitLog.revision(in: $0) }
    }

    /// What changed after a commit, and the number of the last one.
    ///
    /// - Throws: `StoreError`.
    package func changes(after revision: Int64) throws -> (change: StoreChange, revision: Int64) {
        try read { try CommitLog.changes(after: revision, in: $0) }
    }

    /// All mailboxes together, then each readable one, with counts.
    ///
    /// - Throws: `StoreError`.
    package func mailboxCounts() throws -> [MailboxCounts] {
        try read { database in
            var unread: [Int64: [Folder: Int]] = [:]
            var total: [Int64: [Folder: Int]] = [:]
            let row = try database.statement("SELECT list, unread, total FROM counts")
            defer { row.reset() }
            while try row.step() {
                guard let folder = ListCode.folder(row.int(0)) else { continue }
                let mailbox = ListCode.mailbox(row.int(0))
                // Only inbox and catch-all count as unread (contract §4.4).
                if folder == .inbox || folder == .catchall { unread[mailbox, default: [:]][folder] = Int(row.int(1)) }
                total[mailbox, default: [:]][folder] = Int(row.int(2))
            }
            for (mailbox, count) in try MailReader.draftCounts(database) {
                total[mailbox, default: [:]][.drafts] = count
            }
            let mailboxes = try MailboxRows.all(in: database).filter { $0.mailbox.accessLevel != nil }
            return [MailboxCounts(mailbox: nil, unread: unread[0] ?? [:], total: total[0] ?? [:])]
                + mailboxes.map {
                    MailboxCounts(mailbox: $0.mailbox, unread: unread[$0.key] ?? [:], total: total[$0.key] ?? [:])
                }
        }
    }

    private static func draftCounts(_ database: Database) throws(SQLiteError) -> [Int64: Int] {
        let row = try database.statement(
            """
            SELECT m.pk, count(*) FROM (\(DraftRows.shownSQL)) d LEFT JOIN mailboxes m ON m.id = d.mailbox_id
            GROUP BY m.pk
            """)
        defer { row.reset() }
        var counts: [Int64: Int] = [:]
        while try row.step() {
            if !row.isNull(0) { counts[row.int(0)] = Int(row.int(1)) }
            counts[0, default: 0] += Int(row.int(1))
        }
        return counts
    }

    /// Every mailbox, in the server's order, also those whose mail is not readable.
    ///
    /// - Throws: `StoreError`.
    package func mailboxes() throws -> [Mailbox] {
        try read { try MailboxRows.all(in: $0).map(\.mailbox).filter { !$0.address.isEmpty } }
    }

    /// The drafts of a mailbox as they are on this machine, or all for `nil`, the last changed first.
    ///
    /// - Throws: `StoreError`.
    package func drafts(mailbox: MailboxID?) throws -> [Draft] {
        try read { try DraftRows.shown(in: $0).filter { mailbox == nil || $0.mailboxID == mailbox } }
    }

    /// The key a list's code is made of: 0 for all mailboxes, -1 for an unknown one.
    func mailboxKey(_ id: MailboxID?, _ database: Database) throws(SQLiteError) -> Int64 {
        guard let id else { return 0 }
        let row = try database.statement("SELECT pk FROM mailboxes WHERE id = ?1")
        row.bind(1, id.rawValue)
        defer { row.reset() }
        return try row.step() ? row.int(0) : -1
    }
}
