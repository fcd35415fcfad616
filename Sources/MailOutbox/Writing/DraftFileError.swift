internal import MailCompose
package import Platform

/// Why a file did not become part of a draft; the draft and its files are as they were.
package enum DraftFileError: Error, Hashable, Sendable {
    case missing(name: String)
    case directory(name: String)
    /// A pipe, a socket or a device.
    case notAFile(name: String)
    case unreadable(name: String, SystemError)
    /// Larger than the server takes.
    case tooLarge(name: String, bytes: Int)
    /// Larger than what the draft has room for.
    case noRoom(name: String, bytes: Int, taken: Int)
    case tooMany(name: String)
    /// The copy could not be written, for want of room for example.
    case cannotCopy(name: String, SystemError)

    /// What the person reads.
    package var message: String {
        switch self {
        case .missing(let name): "There is no file “\(name)”."
        case .directory(let name): "“\(name)” is a directory. Only files can be attached."
        case .notAFile(let name): "“\(name)” is not a regular file. It was not attached."
        case .unreadable(let name, let error): "“\(name)” cannot be read: \(error.message)."
        case .tooLarge(let name, let bytes):
            "“\(name)” is \(ByteCount.words(bytes)); the server accepts \(ByteCount.words(DraftLimits.bytesMax))."
        case .noRoom(let name, let bytes, let taken):
            """
            “\(name)” is \(ByteCount.words(bytes)); with the \(ByteCount.words(taken)) already attached that is more than \
            the \(ByteCount.words(DraftLimits.bytesMax)) that the server accepts.
            """
        case .tooMany(let name):
            "“\(name)” was not attached. A mail can have \(DraftLimits.filesMax) files."
        case .cannotCopy(let name, let error):
            error.isOutOfSpace
                ? "“\(name)” was not attached. The disk is full." : "“\(name)” was not attached: \(error.message)."
        }
    }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        if case .cannotCopy = self { 74 } else { 65 }
    }

    /// The word for the log.
    package var logCode: StaticString {
        switch self {
        case .missing: "file-missing"
        case .directory: "file-is-directory"
        case .notAFile: "file-not-regular"
        case .unreadable: "file-unreadable"
        case .tooLarge: "file-too-large"
        case .noRoom: "draft-too-large"
        case .tooMany: "too-many-files"
        case .cannotCopy: "file-not-copied"
        }
    }
}
