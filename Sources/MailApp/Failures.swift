internal import Glibc
internal import HTTP
internal import MailAPI
internal import MailSignIn
internal import MailStorage
internal import MailSync
internal import Platform

/// What the person reads of any error, and how the program ends with it.
enum Failures {
    /// A file or directory that cannot be made; a disk that is full or broken is told as such.
    static func cannotMake(_ what: String, _ error: SystemError) -> CommandFailure {
        switch error.code {
        case ENOSPC, EDQUOT: CommandFailure(StoreError.diskFull.message, .inputOutput)
        case EIO: CommandFailure("\(what) cannot be made: \(error.message).", .inputOutput)
        default: CommandFailure("\(what) cannot be made: \(error.message).", .cannotCreate)
        }
    }

    static func failure(_ error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as SyncError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .unexpected)
        case let error as MailAPIError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .unexpected)
        case let error as SignInError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .signInNeeded)
        case let error as TokenStoreError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .inputOutput)
        case let error as StoreError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .inputOutput)
        case let error as OutboxError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .inputOutput)
        case let error as AccountChange: CommandFailure(error.message, error.exitCode)
        case let error as HTTPError: CommandFailure(error.message, .unreachable)
        case is CancellationError: CommandFailure("The work was ended before it was done.", .tryLater)
        default: CommandFailure("Something unexpected happened. Nothing was lost.", .unexpected)
        }
    }

    /// The word of ours for an error (docs/errors.md); `nil` for a command's own sentence.
    static func code(_ error: any Error) -> StaticString? {
        switch error {
        case let error as SyncError: error.logCode
        case let error as MailAPIError: error.logCode
        case let error as StoreError: error.logCode
        case let error as OutboxError: error.logCode
        case let error as SignInError: error.code
        case let error as TokenStoreError: error.code
        case is HTTPError: "transport"
        case is CommandFailure: nil
        default: "unexpected"
        }
    }
}
