internal import Platform
internal import SQLite

/// A look at a database file as a whole, for who asks how it stands.
package enum DatabaseCheck: Hashable, Sendable {
    /// There is none.
    case missing
    case sound
    /// What was looked at in time is sound.
    case tooLarge
    case damaged
    /// The file cannot be opened or read.
    case unreadable

    /// The version of SQLite.
    package static var libraryVersion: String { Connection.libraryVersion }

    /// Has SQLite check a file until the monotonic clock comes to `end`; writes nothing.
    package static func quick(_ path: String, until end: Int64) -> DatabaseCheck {
        guard Files.exists(path) else { return .missing }
        do {
            let connection = try Connection(path, mode: .readOnly, busyMilliseconds: 500)
            return try connection.limited(until: end) {
                let statement = try connection.prepare("PRAGMA quick_check(1)")
                return try statement.step() && statement.text(0) == "ok" ? .sound : .damaged
            }
        } catch let error as SQLiteError {
            if error.isInterrupted { return .tooLarge }
            return error.isCorrupt ? .damaged : .unreadable
        } catch {
            return .unreadable
        }
    }
}
