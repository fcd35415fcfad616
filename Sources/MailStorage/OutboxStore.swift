package import MailModel
package import Platform
internal import SQLite

/// Everything that waits for the server, on the disk before anyone is told that it is queued.
///
/// Has a connection and a thread of its own, so that queueing never waits for a page of the sync. The file is never
/// removed or replaced by the program.
package actor OutboxStore {
    package nonisolated let executor: ThreadExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let database: Database
    /// Where the file is.
    package nonisolated let path: String
    /// Whose it is.
    private let owner: String
    /// The file that was opened; another one may have its path by now.
    private nonisolated let inode: UInt64?

    /// Batches that can be undone.
    static let batchesMax = 20
    /// Verdicts kept; older ones go.
    static let journalMax = 10_000

    /// Opens or creates the outbox at `path`, whose directory exists.
    ///
    /// `owner` names origin and credential. An outbox of the same origin and another credential is taken over when
    /// nothing waits in it. Reads the file whole, to be sure that it is sound.
    ///
    /// - Throws: `OutboxError`; the file is then as it was.
    package init(path: String, owner: String) throws(OutboxError) {
        self.path = path
        self.owner = owner
        database = try OutboxFile.open(path, owner: owner)
        inode = Files.inode(path)
        executor = ThreadExecutor()
    }

    isolated deinit {
        executor.stop()
    }

    /// Whether the file that was opened still has its path; one stat(2).
    package nonisolated var isCurrent: Bool { inode != nil && Files.inode(path) == inode }

    /// Runs one transaction; SQLite's failures become `OutboxError`.
    ///
    /// Nothing is written to a file that was moved away: nobody would find it there. Nor for somebody who was here
    /// before another sign-in took the file over.
    func commit<Result>(_ body: (Database) throws -> Result) throws(OutboxError) -> Result {
        do {
            return try database.transaction {
                guard isCurrent else { throw OutboxError.replaced }
                guard try Meta.value("owner", database) == owner else { throw OutboxError.anothers(path: path) }
                return try body(database)
            }
        } catch {
            throw known(error)
        }
    }

    /// Runs reads outside a transaction.
    func read<Result>(_ body: (Database) throws -> Result) throws(OutboxError) -> Result {
        do {
            return try body(database)
        } catch {
            throw known(error)
        }
    }

    private func known(_ error: any Error) -> OutboxError {
        (error as? OutboxError) ?? OutboxError(error as? SQLiteError, path: path)
    }

    /// A number that grows whenever operations come or go.
    ///
    /// - Throws: `OutboxError`.
    package func revision() throws(OutboxError) -> Int64 {
        try read { try OutboxRevision.current(in: $0) }
    }

    /// How much waits.
    ///
    /// - Throws: `OutboxError`.
    package func counts() throws(OutboxError) -> OutboxCounts {
        try read { try OutboxFile.counts(in: $0) }
    }

    /// What waits, in its order; at most `limit`, or all for `nil`.
    ///
    /// - Throws: `OutboxError`.
    package func operations(limit: Int? = nil) throws(OutboxError) -> [Operation] {
        try read { try OperationRow.all("TRUE ORDER BY sequence LIMIT ?1", [Int64(limit ?? -1)], in: $0) }
    }

    /// One operation; `nil` when it does not wait, or not any more.
    ///
    /// - Throws: `OutboxError`.
    package func operation(_ id: OperationID) throws(OutboxError) -> Operation? {
        try read { database in
            let row = try database.statement(OperationRow.sql("id = ?1"))
            row.bind(1, id.rawValue)
            defer { row.reset() }
            return try row.step() ? OperationRow.operation(row) : nil
        }
    }

    /// The last batches, newest first.
    ///
    /// - Throws: `OutboxError`.
    package func batches(limit: Int = batchesMax) throws(OutboxError) -> [OperationBatch] {
        try read { database in
            let row = try database.statement(
                "SELECT id, name, count, created_at, is_undone FROM batches ORDER BY pk DESC LIMIT ?1")
            row.bind(1, limit)
            defer { row.reset() }
            var batches: [OperationBatch] = []
            while try row.step() { batches.append(BatchRow.batch(row)) }
            return batches
        }
    }

    /// What of a batch ended without being done, in the order it ended.
    ///
    /// - Throws: `OutboxError`.
    package func journal(of batch: BatchID) throws(OutboxError) -> [JournalEntry] {
        try read { try JournalRow.all(of: batch, in: $0) }
    }

    /// What ended without being done, newest first.
    ///
    /// - Throws: `OutboxError`.
    package func journal(limit: Int) throws(OutboxError) -> [JournalEntry] {
        try read { try JournalRow.newest(limit, in: $0) }
    }
}
