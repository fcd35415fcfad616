internal import MailModel
internal import MailOutbox

/// What became of a send, for people, scripts and exit codes.
enum SendVerdict {
    /// The word that scripts know a status by.
    static func name(_ status: SendStatus) -> String {
        switch status {
        case .queued: "queued"
        case .inFlight: "inFlight"
        case .unknown: "unknown"
        case .held: "held"
        case .refused: "refused"
        case .sent: "sent"
        }
    }

    /// The word for the reason; `nil` where none is needed.
    static func reason(_ status: SendStatus) -> String? {
        switch status {
        case .held(let reason): reason.rawValue
        case .refused(let code): code
        default: nil
        }
    }

    /// The Sent copy; `nil` while none is known.
    static func sentID(_ status: SendStatus) -> String? {
        if case .sent(let message) = status { message.rawValue } else { nil }
    }

    /// One sentence for the person.
    static func words(_ send: Send) -> String {
        switch send.status {
        case .queued: "Queued: it is sent with the next pass."
        case .inFlight, .unknown:
            "Unknown: the answer was lost. It is looked for in Sent and never sent again by itself."
        case .held(let reason): "Held: " + words(reason)
        case .refused: "Refused by the server. The text is kept as a draft."
        case .sent: "Sent."
        }
    }

    private static func words(_ reason: HoldReason) -> String {
        switch reason {
        case .changedElsewhere: "the draft was changed elsewhere."
        case .answeredMeanwhile: "somebody else wrote in the conversation meanwhile."
        case .interrupted: "Herald ended before the time to take it back was over."
        case .credentialRefused: "the server does not take the sign-in. Sign in again."
        case .notSaved: "the draft or a file of it cannot be brought to the server."
        case .gone: "the draft, or the message it belongs to, is gone."
        case .asked: "you chose to wait."
        }
    }

    /// Why a command that was to send does not end with 0; `nil` when the Sent copy is known.
    static func failure(_ send: Send) -> CommandFailure? {
        switch send.status {
        case .sent: nil
        case .refused: CommandFailure("The server refused the mail. “herald outbox show” tells why.", .refused)
        case .queued, .inFlight, .unknown, .held:
            CommandFailure("The mail waits. “herald outbox list” tells for what.", .operationsRemain)
        }
    }
}
