internal import HTTP
internal import MailStorage
internal import MailSync

/// What the person reads of any error, and how the program ends with it.
enum Failures {
    static func failure(_ error: any Error) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as SyncError:
            CommandFailure(error.message, ExitCode(rawValue: error.exitCode) ?? .unexpected)
        case let error as StoreError: CommandFailure(error.message, .inputOutput)
        case let error as HTTPError: CommandFailure(error.message, .unreachable)
        case is CancellationError: CommandFailure("The work was ended before it was done.", .tryLater)
        default: CommandFailure("Something unexpected happened. Nothing was lost.", .unexpected)
        }
    }
}
