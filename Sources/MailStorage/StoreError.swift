package import SQLite

/// Why the cache could not be read or written.
///
/// The failed transaction left nothing behind.
package enum StoreError: Error, Hashable, Sendable {
    /// The disk is full.
    case diskFull
    /// The file cannot be opened, read or written.
    case cannotAccess
    /// The file is damaged; it is set aside at the next start.
    case damaged
    /// Another process kept the file locked for too long.
    case busy
    /// SQLite refused a statement, by its result code.
    case statement(Int32)

    /// The case of an SQLite failure.
    package init(_ error: SQLiteError) {
        if error.isFull {
            self = .diskFull
        } else if error.isCorrupt {
            self = .damaged
        } else if error.isBusy {
            self = .busy
        } else if error.isInputOutput {
            self = .cannotAccess
        } else {
            self = .statement(error.code)
        }
    }

    /// What the person reads.
    package var message: String {
        switch self {
        case .diskFull: "The disk is full. Mail already here is safe; make room and try again."
        case .cannotAccess: "The mail cache cannot be opened or written. Check the rights of its directory."
        case .damaged: "The mail cache is damaged. It is set aside and fetched again at the next start."
        case .busy: "Another program kept the mail cache locked. Try again."
        case .statement: "The mail cache could not be used. Run “herald --rebuild-cache”."
        }
    }
}
