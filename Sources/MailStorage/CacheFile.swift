internal import Platform
internal import SQLite

/// Opens the cache file, and sets aside one that is not ours, not of this account or damaged.
enum CacheFile {
    /// Opens for writing; a new or unusable file starts empty.
    ///
    /// `owner` names the origin and credential the rows belong to.
    static func open(_ path: String, owner: String) throws(StoreError) -> Database {
        do {
            if let database = try usable(path, owner: owner) { return database }
        } catch {
            // A damaged file shows itself with the first statement; a full disk or a lock is no reason to set it aside.
            guard error.isCorrupt else { throw StoreError(error) }
        }
        setAside(path)
        do {
            let database = try Database(path)
            try create(database, owner: owner)
            return database
        } catch {
            throw StoreError(error)
        }
    }

    /// Renames the file and its journal; the rows are rebuilt from the server.
    static func setAside(_ path: String) {
        try? Files.rename(path, to: path + ".aside")
        Files.remove(path + "-wal")
        Files.remove(path + "-shm")
    }

    /// The database when its header, version and owner are right; `nil` when it must be set aside.
    private static func usable(_ path: String, owner: String) throws(SQLiteError) -> Database? {
        let database = try Database(path)
        try configure(database)
        let applicationID = try database.scalar("PRAGMA application_id") ?? 0
        let tables = try database.scalar("SELECT count(*) FROM sqlite_schema") ?? 0
        if applicationID == 0, tables == 0 {
            try create(database, owner: owner)
            return database
        }
        guard applicationID == Schema.applicationID,
            try database.scalar("PRAGMA user_version") == Schema.version
        else { return nil }
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
        // Another process may have made the schema between our look and this lock.
        if try database.scalar("PRAGMA user_version") == 0 {
            try database.run(Schema.statements)
            try database.run("PRAGMA application_id = \(Schema.applicationID)")
            try database.run("PRAGMA user_version = \(Schema.version)")
            let statement = try database.statement("INSERT INTO meta(key, value) VALUES ('owner', ?1)")
            statement.bind(1, owner)
            try statement.run()
        }
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
