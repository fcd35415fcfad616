internal import Glibc
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
        var keepsOld = true
        if !name.isMarked {
            do {
                switch try usable(name.file, owner: owner) {
                case .ours(let database): return database
                case .unknown: break
                case .anothers(let isEmpty): keepsOld = !isEmpty
                }
            } catch {
                // A damaged file shows itself with the first statement; a full disk or a lock is no reason to set
                // it aside.
                guard error.isCorrupt || error.isStatement else { throw StoreError(error) }
            }
        }
        return try replacement(name, owner: owner, keepsOld: keepsOld)
    }

    /// The first cache of an account is a plain file.
    private static func first(_ name: CacheName, owner: String) throws(StoreError) -> Database {
        // A log or a link without a file: whoever has the vanished file open must not meet the new one.
        guard FileKind(name.path) == .missing, !Files.exists(name.path + "-wal"), !Files.exists(name.path + "-shm")
        else { return try replacement(name, owner: owner, keepsOld: true) }
        Files.remove(name.mark)
        do {
            let database = try Database(name.path)
            try create(database, owner: owner)
            return database
        } catch {
            throw StoreError(error)
        }
    }

    /// A cache in a file of its own, which takes the name; what had it is set aside, or removed when not worth it.
    ///
    /// Ours that was set aside comes back; otherwise it is an empty one.
    private static func replacement(_ name: CacheName, owner: String, keepsOld: Bool) throws(StoreError) -> Database {
        let file = name.newFile()
        do {
            if let database = takenBack(name, as: file, owner: owner) {
                try name.adopt(file, keepsOld: keepsOld)
                if !keepsOld { Files.remove(name.aside) }
                try configure(database)
                return database
            }
            let database = try Database(file)
            try create(database, owner: owner)
            try name.adopt(file, keepsOld: keepsOld)
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

    /// The cache set aside under a new name, when it is of this owner and was settled; else `nil`.
    ///
    /// Its old name stays until another file is set aside, so that a kill in between loses nothing.
    private static func takenBack(_ name: CacheName, as file: String, owner: String) -> Database? {
        guard FileKind(name.aside) == .regular, Files.addName(file, to: name.aside) else { return nil }
        do {
            let database = try Database(file, busyMilliseconds: 0)
            if try isOurKind(database), try !isLogged(database), try readOwner(database) == owner { return database }
        } catch {
            // A damaged one is of no use, whatever is wrong with it.
        }
        CacheName.remove(file)
        return nil
    }

    /// What a file that has the cache's name turned out to be.
    private enum Found {
        case ours(Database)
        /// A cache of another owner, settled if nobody has it open; empty when no sync brought anything.
        case anothers(isEmpty: Bool)
        /// Not a cache, or of another version.
        case unknown
    }

    /// The database when its header, version and owner are right.
    private static func usable(_ file: String, owner: String) throws(SQLiteError) -> Found {
        let database = try Database(file)
        let applicationID = try database.scalar("PRAGMA application_id") ?? 0
        let tables = try database.scalar("SELECT count(*) FROM sqlite_schema") ?? 0
        if applicationID == 0, tables == 0 {
            try create(database, owner: owner)
            return .ours(database)
        }
        guard try isOurKind(database) else { return .unknown }
        try configure(database)
        if try readOwner(database) == owner { return .ours(database) }
        let isEmpty = try database.scalar("SELECT EXISTS (SELECT 1 FROM mailboxes) OR EXISTS (SELECT 1 FROM messages)")
        settle(database)
        return .anothers(isEmpty: isEmpty == 0)
    }

    private static func isOurKind(_ database: Database) throws(SQLiteError) -> Bool {
        guard try database.scalar("PRAGMA application_id") == Schema.applicationID else { return false }
        return try database.scalar("PRAGMA user_version") == Schema.version
    }

    /// How often to try to settle a file, 20 ms apart: others have it open for an instant only, or for long.
    private static let settlingAttempts = 50

    /// Moves the log into the file and ends its use, which SQLite does only while nobody else has the file open.
    ///
    /// So a file set aside without a log in its header is whole, and no process writes to it.
    private static func settle(_ database: Database) {
        for _ in 0..<settlingAttempts {
            try? database.run("PRAGMA journal_mode = DELETE")
            if (try? isLogged(database)) == false { return }
            usleep(20_000)
        }
    }

    private static func isLogged(_ database: Database) throws(SQLiteError) -> Bool {
        let statement = try database.statement("PRAGMA journal_mode")
        defer { statement.reset() }
        return try statement.step() && statement.text(0) == "wal"
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
        try database.run(SearchSchema.statements)
        try database.run("PRAGMA application_id = \(Schema.applicationID)")
        try database.run("PRAGMA user_version = \(Schema.version)")
        let statement = try database.statement("INSERT INTO meta(key, value) VALUES ('owner', ?1)")
        statement.bind(1, owner)
        try statement.run()
        try ListHorizon.mark(database, Environment.randomBytes(2))
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
