internal import Platform
internal import SQLite

/// Opens the cache, and sets aside one that is not ours, not of this account or damaged.
enum CacheFile {
    /// Opens for writing and answers the file's inode too; a new or unusable cache starts empty.
    ///
    /// `owner` names the origin and credential the rows belong to.
    static func open(_ path: String, owner: String) throws(StoreError) -> (database: Database, inode: UInt64?) {
        let name = CacheName(path)
        // No other process changes what the name stands for until the file and its log are open.
        let lock = try name.lock()
        let database = try openLocked(name, owner: owner)
        let inode = Files.inode(path)
        _ = consume lock
        return (database, inode)
    }

    private static func openLocked(_ name: CacheName, owner: String) throws(StoreError) -> Database {
        guard Files.exists(name.path) else { return try first(name, owner: owner) }
        guard Files.isRegular(name.path) else { throw .inTheWay }
        if !name.isMarked {
            do {
                if let database = try usable(name.file, owner: owner) { return database }
            } catch {
                // A damaged file shows itself with the first statement; a full disk or a lock is no reason to set
                // it aside.
                guard error.isCorrupt || error.isStatement else { throw StoreError(error) }
            }
        }
        return try replacement(name, owner: owner)
    }

    /// The first cache of an account is a plain file.
    private static func first(_ name: CacheName, owner: String) throws(StoreError) -> Database {
        // A log or a link without a file: whoever has the vanished file open must not meet the new one.
        guard FileKind(name.path) == .missing, !Files.exists(name.path + "-wal"), !Files.exists(name.path + "-shm")
        else { return try replacement(name, owner: owner) }
        Files.remove(name.mark)
        do {
            let database = try Database(name.path)
            try create(database, owner: owner)
            return database
        } catch {
            throw StoreError(error)
        }
    }

    /// An empty cache in a file of its own, which takes the name; what had it is set aside.
    private static func replacement(_ name: CacheName, owner: String) throws(StoreError) -> Database {
        let file = name.newFile()
        do {
            let database = try Database(file)
            try create(database, owner: owner)
            try name.adopt(file, keepsOld: true)
            return database
        } catch let error as SQLiteError {
            CacheName.remove(file)
            throw StoreError(error)
        } catch let error as StoreError {
            CacheName.remove(file)
            throw error
        } catch {
            throw .cannotAccess
        }
    }

    /// The database when its header, version and owner are right; `nil` when it must be set aside.
    private static func usable(_ file: String, owner: String) throws(SQLiteError) -> Database? {
        let database = try Database(file)
        let applicationID = try database.scalar("PRAGMA application_id") ?? 0
        let tables = try database.scalar("SELECT count(*) FROM sqlite_schema") ?? 0
        if applicationID == 0, tables == 0 {
            try create(database, owner: owner)
            return database
        }
        guard applicationID == Schema.applicationID,
            try database.scalar("PRAGMA user_version") == Schema.version
        else { return nil }
        try configure(database)
        return try readOwner(database) == owner ? database : nil
    }

    static func readOwner(_ database: Database) throws(SQLiteError) -> String? {
        let statement = try database.statement("SELECT value FROM meta WHERE key = 'owner'")
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    private static func create(_ database: Database, owner: String) throws(SQLiteError) {
        try configure(database)
        try database.run("BEGIN IMMEDIATE")
        try database.run(Schema.statements)
        try database.run("PRAGMA application_id = \(Schema.applicationID)")
        try database.run("PRAGMA user_version = \(Schema.version)")
        let statement = try database.statement("INSERT INTO meta(key, value) VALUES ('owner', ?1)")
        statement.bind(1, owner)
        try statement.run()
        try database.run("COMMIT")
    }

    /// WAL lets readers go on while a page is written; the cache can be rebuilt, so NORMAL is enough.
    ///
    /// A commit moves the log into the file at 24 MB when `Checkpointer` has not: after a kill the next start reads the
    /// whole log.
    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA wal_autocheckpoint = 6144;
        PRAGMA secure_delete = 0;
        PRAGMA cache_size = -16384;
        PRAGMA temp_store = MEMORY;
        """

    static func configure(_ database: Database) throws(SQLiteError) { try database.run(settings) }
}
