internal import CSQLite

/// A failed SQLite call.
///
/// Carries no bound value, since those are the person's data.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The extended result code (https://sqlite.org/rescode.html).
    package let code: Int32
    /// SQLite's own words, for debugging only.
    package let detail: String

    package init(code: Int32, detail: String) {
        self.code = code
        self.detail = detail
    }

    private var primary: Int32 { code & 0xFF }

    /// The file is damaged or is no database at all.
    package var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    /// A statement that SQLite cannot run, for example since a table or column is missing.
    package var isStatement: Bool { primary == SQLITE_ERROR }
    /// The time it was given was over.
    package var isInterrupted: Bool { primary == SQLITE_INTERRUPT }
    /// A text or statement is longer than SQLite takes.
    package var isTooBig: Bool { primary == SQLITE_TOOBIG }
    /// The disk is full.
    package var isFull: Bool { primary == SQLITE_FULL }
    /// Another connection holds the lock.
    package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
    /// The file cannot be opened, read or written.
    package var isInputOutput: Bool {
        primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY || primary == SQLITE_PERM
            || primary == SQLITE_PROTOCOL
    }
}
