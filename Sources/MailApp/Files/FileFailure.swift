internal import Glibc
internal import HTTP
internal import MailAPI
internal import MailSync
internal import Platform

/// Why there is no file, for the person who wanted one.
enum FileFailure: Error, Hashable {
    /// Something has the name already.
    case exists
    /// Anything else, as a sentence.
    case refused(String)

    /// What the system's refusal means for a file that was to be written.
    static func writing(_ error: SystemError, in directory: String) -> FileFailure {
        switch error.code {
        case ENOSPC, EDQUOT: .refused("The disk is full. Nothing was saved.")
        case EFBIG: .refused("The file is too large for this disk. Nothing was saved.")
        case ENOENT, ENOTDIR: .refused("There is no directory \(directory). Nothing was saved.")
        case EACCES, EPERM: .refused("Nothing may be written in \(directory).")
        case EROFS: .refused("Nothing can be written in \(directory), which is read-only.")
        case ENAMETOOLONG: .refused("The name is too long. Nothing was saved.")
        default: .refused("The file could not be written: \(error.message).")
        }
    }

    /// The sentence for any error that ends the work on a file.
    static func sentence(_ error: any Error) -> String {
        switch error {
        case FileFailure.exists: "A file of this name is there already."
        case FileFailure.refused(let sentence): sentence
        case let error as SystemError: "The file could not be written: \(error.message)."
        case is CancellationError: "Ended. Nothing was saved."
        case MailAPIError.notFound: "The server no longer has this file."
        case MailAPIError.transport(.tooLarge): "The file is larger than the server said. Nothing was saved."
        case let error as MailAPIError where error.isConnectionLoss:
            "The server cannot be reached, and attachments are not kept here. Nothing was saved."
        case let error as MailAPIError: error.message
        default: Failures.failure(error).message
        }
    }
}

extension MailAPIError {
    /// Whether there was no way to the server, or none any more.
    fileprivate var isConnectionLoss: Bool {
        switch self {
        case .transport(.unreachable), .transport(.unknownHost), .transport(.transportFailed): true
        default: false
        }
    }
}
