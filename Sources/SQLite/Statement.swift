internal import CSQLite

/// A compiled statement.
///
/// Parameters count from 1, columns from 0.
///
/// A class, so that a cache can hold it; used by the one thread that owns its connection.
package final class Statement {
    private let handle: OpaquePointer

    /// SQLite's mark that it must copy the bound bytes.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds an integer.
    package func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    /// Binds an integer.
    package func bind(_ index: Int32, _ value: Int) {
        sqlite3_bind_int64(handle, index, Int64(value))
    }

    /// Binds a truth value as 0 or 1.
    package func bind(_ index: Int32, _ value: Bool) {
        sqlite3_bind_int64(handle, index, value ? 1 : 0)
    }

    /// Binds text; a NUL inside is kept.
    package func bind(_ index: Int32, _ value: String) {
        var copy = value
        copy.withUTF8 { bytes in
            if let base = bytes.baseAddress {
                base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    _ = sqlite3_bind_text(handle, index, $0, Int32(clamping: bytes.count), Statement.transient)
                }
            } else {
                sqlite3_bind_text(handle, index, "", 0, Statement.transient)
            }
        }
    }

    /// Binds text, or NULL for `nil`.
    package func bind(_ index: Int32, _ value: String?) {
        if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    }

    /// Binds an integer, or NULL for `nil`.
    package func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    }

    /// Binds bytes.
    package func bind(_ index: Int32, _ value: [UInt8]) {
        value.withUnsafeBytes { bytes in
            if bytes.count == 0 {
                _ = sqlite3_bind_zeroblob(handle, index, 0)
            } else {
                _ = sqlite3_bind_blob(
                    handle, index, bytes.baseAddress, Int32(clamping: bytes.count), Statement.transient)
            }
        }
    }

    /// Runs to the end with what was bound and with the texts of a row, and resets; the row is then empty.
    ///
    /// - Throws: `SQLiteError`.
    package func run(_ row: inout RowTexts) throws(SQLiteError) {
        let code = row.withTexts { parameter, text, count in
            // The buffer outlives the run, so SQLite need not copy it.
            sqlite3_bind_text(handle, parameter, text, count, nil)
        } then: {
            var code = sqlite3_step(handle)
            while code == SQLITE_ROW { code = sqlite3_step(handle) }
            return code
        }
        row.removeAll()
        let failure = code == SQLITE_DONE ? nil : lastError()
        reset()
        if let failure { throw failure }
    }

    private func lastError() -> SQLiteError {
        let database = sqlite3_db_handle(handle)
        return SQLiteError(
            code: sqlite3_extended_errcode(database), detail: String(cString: sqlite3_errmsg(database)))
    }

    /// Advances to the next row; `false` when there is none.
    ///
    /// - Throws: `SQLiteError`; the statement is then reset.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let failure = lastError()
            sqlite3_reset(handle)
            throw failure
        }
    }

    /// Runs to the end and resets, for statements without rows.
    ///
    /// - Throws: `SQLiteError`.
    package func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Makes the statement ready for another run with what is bound.
    package func rewind() { sqlite3_reset(handle) }

    /// Makes the statement ready for another run; bindings are cleared.
    package func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// An integer column; NULL reads as 0.
    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A truth column.
    package func bool(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

    /// Whether a column is NULL.
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A text column; NULL reads as empty.
    package func text(_ column: Int32) -> String {
        guard let pointer = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
    }

    /// A text column, `nil` for NULL.
    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// An integer column, `nil` for NULL.
    package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    /// The bytes of a column; NULL reads as empty.
    package func bytes(_ column: Int32) -> [UInt8] {
        guard let pointer = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: pointer, count: count))
    }
}
