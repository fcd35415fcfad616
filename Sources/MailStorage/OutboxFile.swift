internal import MailModel
internal import Platform
internal import SQLite

/// Opens the outbox, and refuses one that is damaged, of another account or of a newer version.
enum OutboxFile {
    /// How long to wait for another process that opens the file, which takes milliseconds.
    private static let lockMilliseconds: Int64 = 5_000

    /// What the person queued must be on the disk when they are told so.
    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        """

    /// Opens for writing; a missing file is made.
    static func open(_ path: String, owner: String) throws(OutboxError) -> Database {
        // Two processes that turn a new file to a log at once would lock each other out.
        let lock = try lock(path)
        guard Files.isMissing(path) || Files.isRegular(path) else { throw .inTheWay(path: path) }
        let database: Database
        do {
            database = try Database(path)
            try database.run(settings)
            try settle(database, path, owner: owner)
        } catch let error as SQLiteError {
            throw OutboxError(error, path: path)
        } catch let error as OutboxError {
            throw error
        } catch {
            throw .cannotAccess
        }
        _ = consume lock
        return database
    }

    private static func lock(_ path: String) throws(OutboxError) -> FileLock {
        do {
            if let lock = try FileLock.take(path + ".lock", waitMilliseconds: lockMilliseconds) { return lock }
        } catch {
            throw OutboxError(error)
        }
        throw .busy
    }

    /// Makes the tables, or checks that they are whole and ours.
    private static func settle(_ database: Database, _ path: String, owner: String) throws {
        let version = try database.scalar("PRAGMA user_version") ?? 0
        let isNew = try database.scalar("SELECT count(*) FROM sqlite_schema") == 0 && version == 0
        if isNew {
            return try database.transaction { try create(database, owner: owner) }
        }
        guard try database.scalar("PRAGMA application_id") == OutboxMigrations.applicationID else {
            throw OutboxError.damaged(path: path)
        }
        guard version <= OutboxMigrations.version else { throw OutboxError.newer(path: path) }
        try check(database, path)
        if version < OutboxMigrations.version {
            try database.transaction { try OutboxMigrations.run(from: version, in: database) }
        }
        if try Meta.value("owner", database) != owner {
            try database.transaction { try adopt(database, path, owner: owner) }
        }
    }

    private static func create(_ database: Database, owner: String) throws {
        try OutboxMigrations.run(from: 0, in: database)
        try database.run("PRAGMA application_id = \(OutboxMigrations.applicationID)")
        try Meta.set("owner", owner, database)
        try Meta.set("identity", Environment.uuid(), database)
        try Meta.set("revision", "1", database)
    }

    /// A damaged file shows itself when it is read whole; it is small.
    private static func check(_ database: Database, _ path: String) throws {
        let check = try database.statement("PRAGMA quick_check(1)")
        defer { check.reset() }
        guard try check.step(), check.text(0) == "ok" else { throw OutboxError.damaged(path: path) }
    }

    /// Takes over a file of the same server and another sign-in when nothing waits in it.
    ///
    /// What the other one did cannot be undone by this one. Its journal stays.
    private static func adopt(_ database: Database, _ path: String, owner: String) throws {
        let former = try Meta.value("owner", database) ?? ""
        guard origin(former) == origin(owner) else { throw OutboxError.foreign(path: path) }
        guard try counts(in: database).isEmpty, try OutboxDrafts.hasWork(in: database) == false else {
            throw OutboxError.anothers(path: path)
        }
        // Drafts are private to their author, whose server has all of these.
        try database.run("DELETE FROM effects; DELETE FROM batches; DELETE FROM drafts; DELETE FROM draft_files")
        try database.run("DELETE FROM sends")
        try Meta.set("owner", owner, database)
    }

    /// Opens for reading; `nil` when there is no file, or one that is just being made.
    static func openToRead(_ path: String) throws(OutboxError) -> Database? {
        guard Files.exists(path) else {
            guard Files.isMissing(path) else { throw .cannotAccess }
            return nil
        }
        guard Files.isRegular(path) else { throw .inTheWay(path: path) }
        return try known(path) {
            let database = try Database(path, mode: .readOnly)
            let version = try database.scalar("PRAGMA user_version") ?? 0
            if version == 0, try database.scalar("SELECT count(*) FROM sqlite_schema") == 0 { return nil }
            guard try database.scalar("PRAGMA application_id") == OutboxMigrations.applicationID else {
                throw OutboxError.damaged(path: path)
            }
            guard version <= OutboxMigrations.version else { throw OutboxError.newer(path: path) }
            return database
        }
    }

    /// How much waits in a file, which is only read.
    static func counts(_ path: String) throws(OutboxError) -> OutboxCounts {
        try reading(path) { try counts(in: $0) }
    }

    /// How much waits in a file, which is only read, apart by whether `owner` queued it.
    static func counts(
        _ path: String, owner: String
    ) throws(OutboxError) -> (own: OutboxCounts, anothers: OutboxCounts) {
        try reading(path) { database in
            let (counts, former) = (try counts(in: database), try Meta.value("owner", database) ?? "")
            if former == owner { return (counts, OutboxCounts()) }
            guard origin(former) == origin(owner) else { throw OutboxError.foreign(path: path) }
            return (OutboxCounts(), counts)
        }
    }

    /// One send of a file, which is only read.
    static func send(_ id: SendID, _ path: String) throws(OutboxError) -> Send? {
        try reading(path) { try SendRow.all("id = ?1", id.rawValue, in: $0).first }
    }

    private static func reading<Result>(
        _ path: String, _ body: (Database) throws -> Result
    ) throws(OutboxError) -> Result {
        try known(path) {
            let database = try Database(path, mode: .readOnly)
            guard try database.scalar("PRAGMA application_id") == OutboxMigrations.applicationID else {
                throw OutboxError.damaged(path: path)
            }
            guard try database.scalar("PRAGMA user_version") ?? 0 <= OutboxMigrations.version else {
                throw OutboxError.newer(path: path)
            }
            return try body(database)
        }
    }

    /// How much waits; also in a file that an older version wrote, where there are only operations.
    static func counts(in database: Database) throws(SQLiteError) -> OutboxCounts {
        func count(_ sql: String) throws(SQLiteError) -> Int {
            Int(try database.scalar("SELECT count(*) FROM \(sql)") ?? 0)
        }
        let all = try count("operations")
        let blocked = try count("operations WHERE status = 'blocked'")
        var counts = OutboxCounts(queued: all - blocked, blocked: blocked)
        guard try count("sqlite_schema WHERE name = 'kept_drafts'") > 0 else { return counts }
        let (queued, held) = (
            try count("sends WHERE status IN ('queued', 'inFlight')"), try count("sends WHERE status = 'held'")
        )
        counts.unknown = try count("sends WHERE status = 'unknown'")
        counts.mails = queued + held + counts.unknown
        (counts.queued, counts.blocked) = (counts.queued + queued, counts.blocked + held)
        counts.unsavedDrafts = try OutboxDrafts.unsavedCount(in: database)
        return counts
    }

    /// How much waits in a whole file of another sign-in of the same server.
    static func inspect(_ path: String, owner: String) throws(OutboxError) -> OutboxCounts {
        try known(path) {
            let database = try Database(path)
            guard origin(try Meta.value("owner", database) ?? "") == origin(owner) else {
                throw OutboxError.foreign(path: path)
            }
            return try counts(in: database)
        }
    }

    /// Makes a whole file of another sign-in of the same server that of `owner`.
    static func takeOver(_ path: String, owner: String) throws(OutboxError) {
        let lock = try lock(path)
        try known(path) {
            let database = try Database(path)
            try database.run(settings)
            guard try database.scalar("PRAGMA application_id") == OutboxMigrations.applicationID,
                origin(try Meta.value("owner", database) ?? "") == origin(owner)
            else { throw OutboxError.foreign(path: path) }
            try database.transaction {
                try database.run("DELETE FROM effects; DELETE FROM batches")
                try Meta.set("owner", owner, database)
            }
        }
        _ = consume lock
    }

    private static func known<Result>(_ path: String, _ body: () throws -> Result) throws(OutboxError) -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw OutboxError(error, path: path)
        } catch let error as OutboxError {
            throw error
        } catch {
            throw .cannotAccess
        }
    }

    /// The server of an owner, which comes before what tells people apart.
    private static func origin(_ owner: String) -> Substring { owner.prefix { $0 != " " } }
}
