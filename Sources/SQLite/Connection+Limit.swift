internal import CSQLite
internal import Platform

extension Connection {
    /// How many steps of SQLite's machine go between two looks at the clock.
    private static let steps: Int32 = 10_000

    /// Does something whose statements are interrupted once the monotonic clock has come to `end`, in milliseconds.
    package func limited<Result>(until end: Int64, _ body: () throws -> Result) rethrows -> Result {
        let limit = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
        limit.initialize(to: end)
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            limit.deallocate()
        }
        sqlite3_progress_handler(
            handle, Connection.steps,
            { limit in
                guard let limit else { return 0 }
                return Environment.monotonicMilliseconds < limit.load(as: Int64.self) ? 0 : 1
            }, limit)
        return try body()
    }

    /// The version of the library, as numbers with dots.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
