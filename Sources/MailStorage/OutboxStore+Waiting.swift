internal import Platform
internal import SQLite

extension OutboxStore {
    /// How many operations wait in the outbox at a path, whoever they are of; nothing is made or changed.
    ///
    /// For who removes an account, whose identity need not be known any more.
    /// - Throws: `OutboxError`.
    package static func waiting(at path: String) throws(OutboxError) -> Int {
        guard !Files.isMissing(path) else { return 0 }
        guard Files.isRegular(path) else { throw .inTheWay(path: path) }
        do {
            let database = try Database(path, mode: .readOnly)
            // One that was being made when its process died holds nothing.
            guard try database.scalar("SELECT count(*) FROM sqlite_schema") != 0 else { return 0 }
            return Int(try database.scalar("SELECT count(*) FROM operations") ?? 0)
        } catch {
            throw OutboxError(error, path: path)
        }
    }
}
