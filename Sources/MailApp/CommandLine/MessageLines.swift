internal import DisplayText
internal import MailModel
internal import MailText

/// Messages as lines of a command's output.
struct MessageLines {
    private let now = WallClock.milliseconds() / 1_000
    private let zone = WallClock.zone()

    /// One message on one line.
    func line(_ message: MessageSummary, isUnread: Bool, suffix: String = "") -> String {
        let date = displayDate(message.activityAt, now: now, zone: zone)
        let who = TextDisplay.sanitizedLine(counterparty(of: message))
        let subject = TextDisplay.sanitizedLine(message.subject)
        let blanks = String(repeating: " ", count: max(0, 10 - TextDisplay.width(of: date)))
        return "\(isUnread ? "●" : " ") \(blanks)\(date)  \(TextDisplay.padded(who, columns: 30))  \(subject)\(suffix)"
    }
}
