internal import MailModel
internal import MailOutbox

/// What people read of operations and of what became of them.
enum OutboxText {
    static func action(_ kind: OperationKind) -> String {
        switch kind {
        case .triage(let action): action.title
        }
    }

    /// How far an operation got, in a few words.
    static func state(_ operation: Operation) -> String {
        let failure = operation.lastFailure.flatMap { FailureCode(rawValue: $0) }.map { ": " + words($0) } ?? ""
        let tries = operation.attempts == 1 ? "tried once" : "tried \(operation.attempts) times"
        switch operation.status {
        case .pending: return "queued"
        case .inFlight: return "being sent"
        case .retrying: return tries + failure
        case .blocked(.credentialRefused): return "waits for a sign-in"
        case .blocked(.retriesExhausted): return "waits for you" + failure
        }
    }

    /// A failure in a few words; `nil` would not help anybody.
    static func words(_ code: FailureCode) -> String {
        switch code {
        case .offline: "the server cannot be reached"
        case .answerLost: "the answer was lost"
        case .notTheServer: "something other than the mail server answered"
        case .rateLimited: "the server asks to wait"
        case .serverFailed: "the server could not answer"
        case .signedOut: "the sign-in is not accepted any more"
        case .scopeMissing: "the sign-in does not cover this"
        case .accessLost: "the access to the mailbox is gone"
        case .actionForbidden: "the access does not reach so far"
        case .requestRefused: "the server did not take the request"
        case .messageGone: "the message is gone"
        case .unclassified: "the server refused it for a reason unknown here"
        case .unreadableAnswer: "the answer cannot be read"
        case .noEffect: "the message was elsewhere"
        case .notAsDemanded: "the message was not as it should be"
        case .interrupted: "it was interrupted"
        case .anotherPerson: "another person has signed in"
        case .busy: "another process is at it"
        case .local: "this machine could not do it"
        }
    }

    /// Why an operation ended without being done.
    static func reason(_ reason: Verdict.Reason) -> String {
        switch reason {
        case .rlsDenied: "refused: the mailbox cannot be used any more, or not for this"
        case .columnDenied: "refused: the access does not reach so far"
        case .constraint: "refused: the server did not take the request"
        case .deleteWins: "pointless: the message is gone"
        case .precondition: "not done: the message was no longer as it should be"
        case .superseded: "pointless: somebody had moved the message elsewhere"
        case .permanentTransport: "given up: the server refused it again and again for a reason unknown here"
        case .discarded: "given up by you"
        }
    }
}

/// One sentence for a person on what became of an operation.
extension Verdict {
    var sentence: String {
        switch reason {
        case .rlsDenied: "The server refused that: the mailbox cannot be used any more, or not for this."
        case .columnDenied: "The server refused that: the access does not reach so far."
        case .constraint: "The server did not take that request."
        case .deleteWins: "That message is gone from the server."
        case .precondition: "That message was no longer as it should be. Nothing was done."
        case .superseded: "Somebody had moved that message elsewhere."
        case .permanentTransport: "The server refused that again and again. It was given up."
        case .discarded: "That was given up."
        }
    }
}
