internal import Glibc
internal import Platform
internal import SQLite

/// Why the outbox could not be read or written.
///
/// The failed transaction left nothing behind, and the file is never removed or replaced.
package enum OutboxError: Error, Hashable, Sendable {
    /// The disk is full; the change was not made.
    case full
    /// The disk is full; nothing of what was to be queued is.
    case notQueued
    /// The file of this path is damaged, or is not an outbox.
    case damaged(path: String)
    /// The file of this path holds what another person queued.
    case anothers(path: String)
    /// The file of this path is of another server.
    case foreign(path: String)
    /// Another file has the path now than the one that was opened.
    case replaced
    /// A newer version of Herald wrote the file of this path.
    case newer(path: String)
    /// The file cannot be opened, read or written.
    case cannotAccess
    /// A file cannot be made where the outbox is.
    case cannotCreate
    /// A directory, a pipe or the like has the outbox's name.
    case inTheWay(path: String)
    /// Another process kept the file locked for too long.
    case busy
    /// SQLite refused a statement, by its result code.
    case statement(Int32)

    /// The case of an SQLite failure.
    init(_ error: SQLiteError, path: String) {
        if error.isFull {
            self = .full
        } else if error.isCorrupt || error.isStatement {
            self = .damaged(path: path)
        } else if error.isBusy {
            self = .busy
        } else if error.isInputOutput {
            self = .cannotAccess
        } else {
            self = .statement(error.code)
        }
    }

    /// The case of an SQLite failure, or of something else.
    init(_ error: SQLiteError?, path: String) {
        if let error { self.init(error, path: path) } else { self = .cannotAccess }
    }

    /// The case of a failed system call.
    init(_ error: SystemError) {
        if error.isOutOfSpace {
            self = .full
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
        case .full: "The disk is full, so the outbox could not be changed. What waits in it is safe."
        case .notQueued: "The disk is full. This was not queued; what was queued before is safe."
        case .damaged(let path):
            "The outbox “\(path)” is damaged. It is kept as it is; move it away to go on without what it holds."
        case .anothers(let path):
            "The outbox “\(path)” holds what was queued with another sign-in. Nothing of it is sent until "
                + "\(OutboxError.adoption(path: path)) says that this one may."
        case .foreign(let path):
            "The outbox “\(path)” was made for another server, and nothing of it is sent to this one. Move it back to "
                + "where it came from."
        case .replaced: "The outbox was exchanged for another file while it was in use. Try again."
        case .newer(let path): "The outbox “\(path)” was written by a newer Herald. Use that version."
        case .cannotAccess:
            "The outbox cannot be opened or written. Check the rights and the space of its directory."
        case .cannotCreate: "No file can be made where the outbox is. Check the rights of its directory."
        case .inTheWay(let path): "“\(path)” has the name of the outbox and is not a file. Move it away."
        case .busy: "Another program kept the outbox locked. Try again."
        case .statement: "The outbox could not be used. It is kept as it is."
        }
    }

    /// What to type to send with this sign-in what another one queued in the outbox at a path.
    ///
    /// The directory of the outbox has the account's name.
    package static func adoption(path: String) -> String {
        let label = path.split(separator: "/").dropLast().last.map { " --account \($0)" } ?? ""
        return "“herald outbox adopt\(label)”"
    }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        switch self {
        case .full, .notQueued, .damaged, .cannotAccess: 74
        case .cannotCreate, .inTheWay: 73
        case .anothers, .foreign, .newer: 78
        case .busy, .replaced: 75
        case .statement: 70
        }
    }

    /// A word of ours for the log.
    package var logCode: StaticString {
        switch self {
        case .full: "outbox-disk-full"
        case .damaged: "outbox-damaged"
        case .notQueued: "outbox-not-queued"
        case .anothers: "outbox-anothers"
        case .foreign: "outbox-foreign"
        case .replaced: "outbox-replaced"
        case .newer: "outbox-newer"
        case .cannotAccess: "outbox-cannot-access"
        case .cannotCreate: "outbox-cannot-create"
        case .inTheWay: "outbox-in-the-way"
        case .busy: "outbox-busy"
        case .statement: "outbox-statement"
        }
    }

    /// Whether the same work may succeed later without anyone doing anything.
    package var isRetryable: Bool { self == .busy || self == .replaced }
}
