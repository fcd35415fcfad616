internal import DisplayText
internal import MailModel
internal import MailOutbox

/// What people read of mail that is sent, and of what became of it.
enum SendText {
    /// How far a send got, in a few words.
    static func state(_ send: Send, now: Int64) -> String {
        switch send.status {
        case .queued: queued(send, now: now)
        case .inFlight: "being sent"
        case .unknown: "unknown" + reason(send) + "; it may have been sent or not"
        case .held(let reason): "held: " + words(reason)
        case .refused(let code): "refused: " + words(code)
        case .sent(let copy): copy.rawValue.isEmpty ? "sent, as you said" : "sent"
        }
    }

    private static func queued(_ send: Send, now: Int64) -> String {
        if send.notBefore > now { return "queued until \(Timestamp(millisecondsSinceEpoch: send.notBefore).text)" }
        return "queued" + reason(send)
    }

    private static func reason(_ send: Send) -> String { send.lastFailure.map { ": " + words($0) } ?? "" }

    /// Why a send waits for the person, in a few words.
    static func words(_ reason: HoldReason) -> String {
        switch reason {
        case .changedElsewhere: "the draft was changed since"
        case .answeredMeanwhile: "somebody wrote in the conversation since"
        case .interrupted: "Herald ended before its time was over"
        case .credentialRefused: "waits for a sign-in"
        case .notSaved: "the draft or a file of it cannot be brought to the server"
        case .gone: "the draft, or the message it belongs to, is gone from the server; another device may have sent it"
        case .asked: "as you wanted"
        }
    }

    /// A failure of a send in a few words; a code that this version does not know as it is.
    static func words(_ code: String) -> String {
        guard let code = SendCode(rawValue: code) else { return TextDisplay.sanitizedLine(code) }
        return switch code {
        case .offline: "the server cannot be reached"
        case .rateLimited: "the server asks to wait"
        case .signedOut: "the sign-in is not accepted any more"
        case .scopeMissing: "the sign-in does not cover sending"
        case .accessLost: "the access to the mailbox is gone"
        case .actionForbidden: "the access does not reach so far"
        case .senderGone: "the address may not send any more"
        case .draftGone: "the draft is gone from the server"
        case .messageGone: "the message is gone"
        case .fileGone: "a file is gone from the server"
        case .requestRefused: "the server did not take the mail"
        case .unclassified: "the server refused it for a reason unknown here"
        case .answerLost: "the answer was lost"
        case .serverFailed: "the server failed"
        case .notTheServer: "something other than the mail server answered"
        case .unreadableAnswer: "the answer cannot be read"
        case .interrupted: "it was interrupted"
        }
    }

    /// What the person can do about it; `nil` where there is nothing to be done.
    static func advice(_ send: Send) -> String? {
        let (again, keep) = (
            "“herald outbox send-again \(send.id)” sends it", "“herald outbox keep \(send.id)” makes it a draft"
        )
        return switch send.status {
        case .unknown:
            "Its copy is looked for. \(again) once more, \(keep), “herald outbox sent \(send.id)” says that it was sent."
        case .held: "\(again), \(keep)."
        case .refused: "The text is a draft. Change it, and send it again."
        case .queued: "“herald outbox keep \(send.id)” takes it back."
        case .inFlight, .sent: nil
        }
    }
}
