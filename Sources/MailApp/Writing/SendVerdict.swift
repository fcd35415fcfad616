internal import MailModel
internal import MailOutbox

/// What became of a send, for people, scripts and exit codes.
enum SendVerdict {
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
        case .held(let reason): "Held: \(SendText.words(reason))."
        case .refused: "Refused by the server. The text is kept as a draft."
        case .sent: "Sent."
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
