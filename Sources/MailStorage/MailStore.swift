package import Platform
internal import SQLite

/// The cache's one writer: every commit holds rows, all that is derived from them, and the cursor that
/// covers them.
///
/// Runs on a thread of its own. Nothing of SQLite leaves this module.
package actor MailStore {
    package nonisolated let executor: ThreadExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let database: Database
    let outbox: OutboxView
    private let name: CacheName
    private let path: String
    /// The inode of the cache's file, which another process may replace by another.
    package nonisolated let inode: UInt64?
    private var checkpointer: Checkpointer?
    private var isCheckpointing = false
    private var pagesWritten = 0

    /// Opens or creates the cache at `path`; one of another owner, version or kind, or a damaged one, is set aside
    /// as `path.aside`.
    ///
    /// `owner` names origin and credential. Rows show what waits in the `outbox`, which need not exist yet and is only
    /// read. Waits for seconds at most when other processes open the cache too.
    ///
    /// - Throws: `StoreError` when the file cannot be opened or written.
    package init(path: String, owner: String, outbox: String? = nil) throws(StoreError) {
        name = CacheName(path)
        self.outbox = OutboxView(path: outbox, owner: owner)
        self.path = path
        (database, inode) = try CacheFile.open(path, owner: owner)
        executor = ThreadExecutor()
    }

    isolated deinit {
        executor.stop()
    }

    /// The statements that set up a connection of the writer; for measuring SQLite alone.
    package static var settings: String { CacheFile.settings }

    /// Runs one transaction; SQLite's failures become `StoreError`.
    func commit<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do {
            let result = try database.transaction { try body(database) }
            shortenLog()
            return result
        } catch let error as SQLiteError {
            markDamage(error)
            throw StoreError(error)
        }
    }

    /// Has the log moved into the file when it has grown.
    private func shortenLog() {
        pagesWritten += database.takePagesWritten()
        guard pagesWritten >= Checkpointer.pagesMin, !isCheckpointing else { return }
        (pagesWritten, isCheckpointing) = (0, true)
        let turn = checkpointer ?? Checkpointer(path: path)
        checkpointer = turn
        Task { [weak self] in
            await turn.run()
            await self?.logIsShort()
        }
    }

    private func logIsShort() { isCheckpointing = false }

    /// Runs reads outside a transaction.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do {
            return try body(database)
        } catch let error as SQLiteError {
            markDamage(error)
            throw StoreError(error)
        }
    }

    /// Notes a damaged file, so that it is set aside the next time the cache is opened for writing, even when the
    /// damage is in a page that opening does not read.
    private func markDamage(_ error: SQLiteError) {
        if error.isCorrupt || error.isStatement { name.setMark(inode: inode) }
    }

    /// Moves the write-ahead log into the file, so that the next start is quick.
    ///
    /// Best effort.
    package func tidy() async {
        // A checkpoint under way refuses this one at once, and the log would stay long.
        await checkpointer?.run()
        try? database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

/// Single values of the cache.
enum Meta {
    static func value(_ key: String, _ database: Database) throws(SQLiteError) -> String? {
        let statement = try database.statement("SELECT value FROM meta WHERE key = ?1")
        statement.bind(1, key)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    static func number(_ key: String, _ database: Database) throws(SQLiteError) -> Int64? {
        try value(key, database).flatMap { Int64($0) }
    }

    static func set(_ key: String, _ value: String?, _ database: Database) throws(SQLiteError) {
        guard let value else {
            let statement = try database.statement("DELETE FROM meta WHERE key = ?1")
            statement.bind(1, key)
            return try statement.run()
        }
        let statement = try database.statement(
            "INSERT INTO meta(key, value) VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2 WHERE value <> ?2")
        statement.bind(1, key)
        statement.bind(2, value)
        try statement.run()
    }
}
