package import MailModel
package import Platform
internal import SQLite

/// The outbox's read-only side: what waits.
///
/// Has a connection and a thread of its own, and makes nothing: whoever only looks leaves no file behind.
package actor OutboxReader {
    package nonisolated let executor: ThreadExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let database: Database
    private let path: String

    /// Opens an existing outbox of `owner`; `nil` when there is none yet or it is another's.
    ///
    /// - Throws: `OutboxError` when the file cannot be read, is damaged or of a newer version.
    package init?(path: String, owner: String) throws(OutboxError) {
        guard let opened = try OutboxFile.openToRead(path) else { return nil }
        do {
            guard try Meta.value("owner", opened) == owner else { return nil }
        } catch {
            throw OutboxError(error, path: path)
        }
        (database, self.path) = (opened, path)
        executor = ThreadExecutor()
    }

    isolated deinit {
        executor.stop()
    }

    /// What waits, in its order; at most `limit`.
    ///
    /// - Throws: `OutboxError`.
    package func operations(limit: Int) throws(OutboxError) -> [Operation] {
        try read { try OperationRow.all("TRUE ORDER BY sequence LIMIT ?1", [Int64(limit)], in: $0) }
    }

    private func read<Result>(_ body: (Database) throws -> Result) throws(OutboxError) -> Result {
        do {
            return try body(database)
        } catch {
            throw OutboxError(error as? SQLiteError, path: path)
        }
    }
}
