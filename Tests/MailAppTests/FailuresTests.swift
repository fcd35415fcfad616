import Glibc
import HTTP
import MailAPI
import MailStorage
import MailSync
import Platform
import Testing

@testable import MailApp

private struct Surprise: Error {}

/// Fails when what nobody thought of ends with a code that scripts act on.
@Test func `an error of no known kind ends with 1 and a sentence`() {
    let failure = Failures.failure(Surprise())
    #expect(failure.exitCode == .unexpected)
    #expect(failure.message == "Something unexpected happened. Nothing was lost.")
}

@Test func `every known failure has its code`() {
    let table: [(any Error, ExitCode)] = [
        (SyncError.server(.transport(.unreachable)), .unreachable), (SyncError.server(.rateLimited), .tryLater),
        (SyncError.server(.tooOld), .contractBroken), (SyncError.server(.signInNeeded("")), .signInNeeded),
        (SyncError.alreadyRunning, .tryLater), (StoreError.diskFull, .inputOutput), (StoreError.damaged, .inputOutput),
        (HTTPError.unreachable, .unreachable), (CancellationError(), .tryLater),
        (Failures.cannotMake("It", SystemError(call: "mkdir", code: EACCES)), .cannotCreate),
        (Failures.cannotMake("It", SystemError(call: "mkdir", code: ENOSPC)), .inputOutput),
        (CommandFailure("No.", .refused), .refused),
    ]
    for (error, code) in table { #expect(Failures.failure(error).exitCode == code, "\(error)") }
}
