internal import CSQLite

/// One open database file, for one thread at a time.
package struct Connection: ~Copyable {
    let handle: OpaquePointer

    /// The library is set up once in a process, before its first use.
    private static let isLibraryReady = herald_sqlite3_quiet_memory() == SQLITE_OK

    /// How a file is opened.
    package enum Mode: Sendable {
        /// Creates the file when it is missing.
        case readWrite
        /// Refuses writes; the file must exist.
        case readOnly
    }

    /// Opens a file.
    ///
    /// A damaged file is noticed by the first statement, not here. Waits up to `busyMilliseconds` for
    /// another writer.
    /// - Throws: `SQLiteError` when the file cannot be opened.
    package init(_ path: String, mode: Mode = .readWrite, busyMilliseconds: Int32 = 5_000) throws(SQLiteError) {
        _ = Connection.isLibraryReady
        var pointer: OpaquePointer?
        let create = mode == .readWrite ? SQLITE_OPEN_CREATE : 0
        let flags = SQLITE_OPEN_READWRITE | create | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &pointer, flags, nil)
        guard code == SQLITE_OK, let pointer else {
            sqlite3_close_v2(pointer)
            throw SQLiteError(code: code, detail: "open")
        }
        handle = pointer
        sqlite3_busy_timeout(handle, busyMilliseconds)
        // A cache may be replaced by another file of its name while this process has it open; closing must
        // then not remove the newcomer's write-ahead log.
        var keep: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
        // One who only reads changes no byte, also not on leaving.
        if mode == .readOnly { _ = herald_sqlite3_keep_log(handle) }
        #if DEBUG
            if mode == .readWrite { CrashPoint.watch(handle) }
        #endif
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Runs statements without results.
    ///
    /// - Throws: `SQLiteError`.
    package func run(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Compiles one statement, kept for reuse by the caller.
    ///
    /// - Throws: `SQLiteError` when the text is wrong or the schema is not as expected.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var pointer: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK, let pointer else { throw failure(code) }
        return Statement(pointer)
    }

    /// The rowid of the last insert of this connection.
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The rows changed by the last statement.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The pages written to the file or its log since the last call.
    package func takePagesWritten() -> Int {
        var now: Int32 = 0
        var peak: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &now, &peak, 1)
        return Int(now)
    }

    /// The rows changed since the connection was opened, by triggers and cascades too.
    package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func failure(_ code: Int32) -> SQLiteError {
        let extended = sqlite3_extended_errcode(handle)
        return SQLiteError(code: extended == 0 ? code : extended, detail: String(cString: sqlite3_errmsg(handle)))
    }
}
