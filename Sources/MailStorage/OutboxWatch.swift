package import MailModel
package import Platform
internal import SQLite

/// What happens in an outbox.
package enum OutboxNews: Sendable, Hashable {
    /// So many operations wait, which is not what it was.
    case counts(OutboxCounts)
    /// A request of an operation failed, or its answer could not be read; the code is a word of ours.
    case failed(OperationID, code: String)
    /// An operation ended without being done.
    case ended(JournalEntry)
}

/// An outbox as it changes, by this process or another: what failed, what ended without being done, and how much waits.
///
/// The kernel tells of writes to the file; the outbox's own records say what they were, each once and in order. Many may
/// subscribe, and nobody hears what was before. The file need not exist yet; while it cannot be read, nothing is told.
package actor OutboxWatch {
    package nonisolated let executor = ThreadExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private let owner: String
    private let bursts: OutboxBursts
    private var database: Database?
    private var inode: UInt64?
    private var place = OutboxPlace()
    private var subscribers: [Int: AsyncStream<OutboxNews>.Continuation] = [:]
    private var lastSubscriber = 0
    private var listener: Task<Void, Never>?

    /// News kept for a subscriber who is slow; the oldest go.
    private static let newsMax = 10_000

    /// Watches the outbox at `path` as far as it is `owner`'s.
    package init(path: String, owner: String) {
        self.path = path
        self.owner = owner
        bursts = OutboxBursts(path: path)
    }

    isolated deinit {
        bursts.stop()
        listener?.cancel()
        for subscriber in subscribers.values { subscriber.finish() }
        executor.stop()
    }

    /// What happens from now on, in order; ends with the watch.
    package func news() -> AsyncStream<OutboxNews> {
        // What was before is told to those who were there.
        look()
        lastSubscriber += 1
        let key = lastSubscriber
        let (stream, continuation) = AsyncStream.makeStream(
            of: OutboxNews.self, bufferingPolicy: .bufferingNewest(OutboxWatch.newsMax))
        subscribers[key] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.leave(key) } }
        listen()
        return stream
    }

    private func leave(_ key: Int) { subscribers[key] = nil }

    private func listen() {
        guard listener == nil else { return }
        listener = bursts.listen { [weak self] in await self?.look() }
    }

    /// Finds out what happened and tells.
    private func look() {
        do {
            guard try open(), let database else { return }
            try database.run("BEGIN")
            defer { try? database.run("ROLLBACK") }
            let (news, next) = try place.news(in: database)
            guard try Meta.value("owner", database) == owner else { return place = next.ofAnother }
            place = next
            for one in news { for subscriber in subscribers.values { subscriber.yield(one) } }
        } catch {
            // A file that cannot be read now is met again at its next write.
            database = nil
        }
    }

    /// Opens the file that has the path; `false` when there is none, or an empty one that is being made.
    private func open() throws -> Bool {
        let present = Files.inode(path)
        if let present, present == inode, database != nil { return true }
        database = nil
        guard let present else {
            // All of a new file is news to those who were there before it.
            (inode, place) = (nil, OutboxPlace(isKnown: true))
            return false
        }
        // Of a file that took another's place nobody knows what is news.
        if let inode, inode != present { place = OutboxPlace() }
        let opened = try Database(path, mode: .readOnly)
        guard try opened.scalar("PRAGMA application_id") == OutboxMigrations.applicationID,
            try opened.scalar("PRAGMA user_version") == OutboxMigrations.version
        else { return false }
        (database, inode) = (opened, present)
        return true
    }
}

/// How far somebody has read an outbox's records.
private struct OutboxPlace {
    /// Whether anything was read; what was before the first look is no news.
    var isKnown = false
    private var journal: Int64 = 0
    private var failures: Int64 = 0
    private var counts = OutboxCounts()

    init(isKnown: Bool = false) { self.isKnown = isKnown }

    /// The place behind what another person did, of whose operations none is counted.
    var ofAnother: OutboxPlace {
        var place = self
        place.counts = OutboxCounts()
        return place
    }

    /// What came since, and the place behind it.
    func news(in database: Database) throws(SQLiteError) -> (news: [OutboxNews], next: OutboxPlace) {
        var next = OutboxPlace(isKnown: true)
        next.journal = try database.scalar("SELECT max(pk) FROM journal") ?? 0
        next.failures = try database.scalar("SELECT max(pk) FROM failures") ?? 0
        next.counts = try OutboxFile.counts(in: database)
        guard isKnown else { return ([], next) }
        var news: [OutboxNews] = []
        for failure in try FailureRow.all(after: failures, in: database) {
            news.append(.failed(failure.id, code: failure.code))
        }
        for entry in try JournalRow.all(after: journal, in: database) { news.append(.ended(entry)) }
        if next.counts != counts { news.append(.counts(next.counts)) }
        return (news, next)
    }
}

/// Rows of `failures`: the last requests that failed, for those who watch.
enum FailureRow {
    /// Failures kept; one who missed more has missed them.
    static let rowsMax: Int64 = 1_000

    static func add(_ id: OperationID, _ code: String, in database: Database) throws(SQLiteError) {
        let statement = try database.statement("INSERT INTO failures(operation_id, code) VALUES (?1, ?2)")
        statement.bind(1, id.rawValue)
        statement.bind(2, code)
        try statement.run()
    }

    /// Forgets the oldest.
    static func trim(_ database: Database) throws(SQLiteError) {
        let statement = try database.statement("DELETE FROM failures WHERE pk <= (SELECT max(pk) FROM failures) - ?1")
        statement.bind(1, rowsMax)
        try statement.run()
    }

    static func all(
        after place: Int64, in database: Database
    ) throws(SQLiteError) -> [(id: OperationID, code: String)] {
        let row = try database.statement("SELECT operation_id, code FROM failures WHERE pk > ?1 ORDER BY pk")
        row.bind(1, place)
        defer { row.reset() }
        var failures: [(id: OperationID, code: String)] = []
        while try row.step() { failures.append((OperationID(row.text(0)), row.text(1))) }
        return failures
    }
}
