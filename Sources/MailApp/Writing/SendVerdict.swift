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
        case .inFlight:
            "Unknown: it may have been sent. It is looked for in Sent and never sent again by itself."
        case .unknown:
            "Unknown: the answer was lost. It is looked for in Sent and never sent again by itself."
        case .held(let reason): "Held: \(SendText.words(reason))."
        case .refused: "Refused by the server. The text is kept as a draft."
        case .sent: "Sent."
        }
    }

    /// Ends a command that was to send; what kept this machine from the rest of its work is told with the verdict.
    ///
    /// - Throws: `CommandFailure` unless the Sent copy is known.
    static func end(_ send: Send, after failure: CommandFailure? = nil) throws(CommandFailure) {
        switch send.status {
        case .sent:
            // Whoever reads another code sends it a second time.
            if let failure { Output.failure("The mail was sent. " + failure.message) }
        case .refused:
            throw CommandFailure("The server refused the mail. “herald outbox show” tells why.", .refused)
        case .queued, .inFlight, .unknown, .held:
            let cause = failure.map { $0.message + " " } ?? ""
            throw CommandFailure(
                cause + "The mail waits; do not send it anew. “herald outbox list” tells for what.", .operationsRemain)
        }
    }
}
