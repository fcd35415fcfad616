internal import Glibc
internal import Platform
package import SQLite

/// Why the cache could not be read or written.
///
/// The failed transaction left nothing behind.
package enum StoreError: Error, Hashable, Sendable {
    /// The disk is full.
    case diskFull
    /// The file cannot be opened, read or written.
    case cannotAccess
    /// A file cannot be made where the cache is.
    case cannotCreate
    /// A directory, a pipe or the like has the cache's name.
    case inTheWay
    /// The file is damaged; it is set aside when the cache is next opened for writing.
    case damaged
    /// Another process kept the file locked for too long.
    case busy
    /// SQLite refused a statement, by its result code.
    case statement(Int32)
    /// A filter asks for more than SQLite can compare.
    case question
    /// The outbox, which rows are to show, cannot be read.
    case outbox(OutboxError)

    /// The case of an SQLite failure.
    package init(_ error: SQLiteError) {
        if error.isFull {
            self = .diskFull
        } else if error.isCorrupt || error.isStatement {
            self = .damaged
        } else if error.isBusy {
            self = .busy
        } else if error.isInputOutput {
            self = .cannotAccess
        } else {
            self = .statement(error.code)
        }
    }

    /// The case of a failed system call.
    init(_ error: SystemError) {
        if error.isOutOfSpace {
            self = .diskFull
            return
        }
        switch error.code {
        case EIO, EMFILE, ENFILE, ENOLCK: self = .cannotAccess
        default: self = .cannotCreate
        }
    }

    /// What the person reads.
    package var message: String {
        switch self {
        case .diskFull: "The disk is full. Mail already here is safe; make room and try again."
        case .cannotAccess:
            "The mail cache cannot be opened or written. Check the rights and the space of its directory."
        case .cannotCreate: "No file can be made where the mail cache is. Check the rights of its directory."
        case .inTheWay: "Something that is not a file has the name of the mail cache. Move it away."
        case .damaged: "The mail cache is damaged. The next sync sets it aside and fetches the mail again."
        case .busy: "Another program kept the mail cache locked. Try again."
        case .statement: "The mail cache could not be used. Run “herald --rebuild-cache”."
        case .question: "This filter is too much to search for at once. Use fewer words."
        case .outbox(let error): error.message
        }
    }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        switch self {
        case .diskFull, .cannotAccess, .damaged: 74
        case .cannotCreate, .inTheWay: 73
        case .busy: 75
        case .statement: 70
        case .question: 65
        case .outbox(let error): error.exitCode
        }
    }

    /// Whether the same work may succeed later without anyone doing anything.
    package var isRetryable: Bool {
        switch self {
        case .busy, .damaged: true
        case .diskFull, .cannotAccess, .cannotCreate, .inTheWay, .statement, .question: false
        case .outbox(let error): error.isRetryable
        }
    }
}
