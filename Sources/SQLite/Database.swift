/// A connection with a cache of its compiled statements.
///
/// Not `Sendable`: an actor owns it and nothing of it leaves that actor.
package final class Database {
    private let connection: Connection
    private var statements: [String: Statement] = [:]

    /// Opens a file; see `Connection`.
    ///
    /// - Throws: `SQLiteError`.
    package init(_ path: String, mode: Connection.Mode = .readWrite, busyMilliseconds: Int32 = 5_000)
        throws(SQLiteError)
    {
        connection = try Connection(path, mode: mode, busyMilliseconds: busyMilliseconds)
        if mode == .readOnly { try connection.run("PRAGMA query_only = 1") }
    }

    /// A statement ready to be bound, compiled at its first use.
    ///
    /// - Throws: `SQLiteError`.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements[sql] {
            statement.reset()
            return statement
        }
        let statement = try connection.prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// A statement that is compiled for one use, for those of which there are many kinds.
    ///
    /// - Throws: `SQLiteError`.
    package func singleStatement(_ sql: String) throws(SQLiteError) -> Statement { try connection.prepare(sql) }

    /// Runs statements without results or parameters.
    ///
    /// - Throws: `SQLiteError`.
    package func run(_ sql: String) throws(SQLiteError) { try connection.run(sql) }

    /// The first column of the first row as an integer; `nil` when there is no row.
    ///
    /// - Throws: `SQLiteError`.
    package func scalar(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : nil
    }

    /// The rowid of the last insert.
    package var lastInsertedRowID: Int64 { connection.lastInsertedRowID }

    /// The rows changed by the last statement.
    package var changes: Int { connection.changes }

    /// The pages written to the file or its log since the last call.
    package func takePagesWritten() -> Int { connection.takePagesWritten() }

    /// The rows changed since the file was opened, by triggers and cascades too.
    package var totalChanges: Int64 { connection.totalChanges }

    /// Runs `body` in one write transaction: all of it is kept, or none.
    ///
    /// - Throws: what `body` throws, after the rollback, or `SQLiteError`.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        // IMMEDIATE: a read that upgrades to a write could fail with SQLITE_BUSY_SNAPSHOT, which no wait cures.
        try connection.run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try connection.run("COMMIT")
            return result
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }
}
