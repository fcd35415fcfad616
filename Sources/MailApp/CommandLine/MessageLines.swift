internal import DisplayText
internal import MailModel
internal import MailText

/// Messages as lines of a command's output.
struct MessageLines {
    private let now = WallClock.milliseconds() / 1_000
    private let zone = WallClock.zone()

    /// One message on one line; with its id and two blanks before, which scripts may cut off, when that is wanted.
    func line(_ message: MessageSummary, isUnread: Bool, suffix: String = "", hasID: Bool = false) -> String {
        if hasID {
            return TextDisplay.sanitizedLine(message.id.rawValue) + "  "
                + line(message, isUnread: isUnread, suffix: suffix)
        }
        let date = displayDate(message.activityAt, now: now, zone: zone)
        let who = TextDisplay.sanitizedLine(counterparty(of: message))
        let subject = TextDisplay.sanitizedLine(message.subject)
        let blanks = String(repeating: " ", count: max(0, 10 - TextDisplay.width(of: date)))
        return "\(isUnread ? "●" : " ") \(blanks)\(date)  \(TextDisplay.padded(who, columns: 30))  \(subject)\(suffix)"
    }
}
