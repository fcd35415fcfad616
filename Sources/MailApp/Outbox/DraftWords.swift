internal import MailModel
internal import MailOutbox

/// What people read of drafts that are written on this machine.
enum DraftWords {
    /// How far a draft got, in a few words; empty for one that is as the server has it.
    static func state(_ mark: DraftMark) -> String {
        if let send = mark.send, let words = words(send) { return words }
        if mark.isChangedElsewhere {
            return mark.blocked == nil ? "changed elsewhere" : "changed here and elsewhere: choose one"
        }
        let failure = mark.failure.flatMap { words($0) }
        if mark.blocked != nil { return "not saved" + (failure.map { ": " + $0 } ?? "") }
        if mark.isUnsaved { return "not saved yet" + (failure.map { ": " + $0 } ?? "") }
        return mark.isCopy ? "your version of a draft that was changed elsewhere too" : ""
    }

    private static func words(_ send: SendStatus) -> String? {
        switch send {
        case .queued: "queued"
        case .inFlight: "being sent"
        case .unknown: "may have been sent"
        case .held: "held"
        case .refused, .sent: nil
        }
    }

    /// A failure in a few words; `nil` for a code of another version.
    static func words(_ code: String) -> String? {
        if let obstacle = DraftObstacle(rawValue: code) { return words(obstacle) }
        return FailureCode(rawValue: code).map { code in
            switch code {
            case .messageGone: "what it answers or passes on is gone"
            case .accessLost, .actionForbidden: "its sender may not be used any more"
            case .requestRefused: "the server did not take it"
            default: OutboxText.words(code)
            }
        }
    }

    private static func words(_ obstacle: DraftObstacle) -> String {
        switch obstacle {
        case .subjectTooLong: "the subject is longer than the server takes"
        case .textTooLong, .htmlTooLong: "the text is longer than the server takes"
        case .tooManyRecipients: "a field has more addresses than the server takes"
        case .changedElsewhere: "it was changed elsewhere too"
        case .onlyOnServer: "the file is not on this machine"
        case .copyGone: "the copy of the file is gone"
        case .tooLarge: "the file is larger than the server takes"
        }
    }
}
