internal import DisplayText
internal import MailModel
internal import MailStorage

/// What is told of new mail: a title and a line, safe on every way out.
struct NewMailText: Hashable, Sendable {
    /// How much is told.
    enum Detail: String, CaseIterable, Sendable {
        /// Who wrote and the subject.
        case subject
        /// Who wrote.
        case sender
        /// How many messages came.
        case number
    }

    let title: String
    let text: String

    /// Senders that are named of several messages.
    private static let sendersMax = 3
    /// Notifications are small; what is longer would be cut by whoever shows it, or refused.
    private static let columnsMax = 160

    /// The words for messages that have come; `nil` for none.
    ///
    /// The account is named when there are several.
    ///
    /// Neither begins with a sign that a program could take for an option, whatever a sender wrote.
    init?(_ arrivals: [Arrival], _ detail: Detail, account: String?) {
        guard let first = arrivals.first else { return nil }
        let mailboxes = Set(arrivals.map(\.mailboxAddress))
        let mailbox = mailboxes.count == 1 ? first.mailboxAddress : nil
        title = NewMailText.line(
            "New mail" + (mailbox.map { " for \($0)" } ?? "") + (account.map { " (\($0))" } ?? ""))
        text = NewMailText.line(
            arrivals.count == 1
                ? NewMailText.one(first, detail)
                : "\(arrivals.count) new messages" + (detail == .number ? "" : NewMailText.senders(arrivals)))
    }

    private static func one(_ arrival: Arrival, _ detail: Detail) -> String {
        let (sender, subject) = (arrival.message.fromAddress, arrival.message.subject)
        switch detail {
        case .number: return "1 new message"
        case .sender: return "From \(sender)"
        case .subject:
            let isEmpty = subject.allSatisfy(\.isWhitespace)
            return "From \(sender)" + (isEmpty ? ", without a subject" : ": \(subject)")
        }
    }

    /// Who wrote, the last first.
    private static func senders(_ arrivals: [Arrival]) -> String {
        var names: [String] = []
        for arrival in arrivals.reversed() where !names.contains(arrival.message.fromAddress) {
            names.append(arrival.message.fromAddress)
        }
        let others = names.count - sendersMax
        guard others > 0 else {
            let last = names.count > 1 ? " and " + (names.last ?? "") : names.last ?? ""
            return ", from " + names.dropLast().joined(separator: ", ") + last
        }
        let more = others == 1 ? "1 other" : "\(others) others"
        return ", from " + names.prefix(sendersMax).joined(separator: ", ") + " and " + more
    }

    private static func line(_ text: String) -> String {
        TextDisplay.truncated(TextDisplay.sanitizedLine(text), columns: columnsMax)
    }
}
