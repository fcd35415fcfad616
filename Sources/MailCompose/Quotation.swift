package import MailModel

/// The original below an answer, or inside of mail that is passed on, as the server writes it (contract §3.13, §3.14).
package enum Quotation {
    /// The line that leads a quote: the instant of the message, to the minute, in UTC.
    package static func attribution(of message: MessageSummary) -> String {
        let instant = message.activityAt.text
        return "On \(instant.prefix(10)) at \(instant.dropFirst(11).prefix(5)) UTC, \(message.fromAddress) wrote:"
    }

    /// What the server appends to an answer: the leading line and every line of the original behind `> `.
    ///
    /// `text` is the original's text, or its snippet when there is none. The server adds it by itself, so this is to be
    /// shown and never to be sent.
    package static func quote(of message: MessageSummary, text: String) -> String {
        let source = WebText.trimmed(WebText.plainLines(text))
        return attribution(of: message) + "\n" + quoted(source)
    }

    /// The line above a message that is passed on.
    package static let forwardMark = "---------- Forwarded message ---------"

    /// Lines as a quote.
    package static func quoted(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? ">" : "> " + $0 }
            .joined(separator: "\n")
    }

    /// A message as it is passed on: its head and its text, below a line that says so.
    ///
    /// `text` is the original's text; where it has only HTML, what a reader shows of it.
    package static func forwarded(_ message: MessageDetail, text: String) -> String {
        let summary = message.summary
        var lines = [
            Quotation.forwardMark, "From: \(summary.fromAddress)",
            "Date: \(date(summary.activityAt))", "Subject: \(summary.subject)",
            "To: \(summary.to.joined(separator: ", "))",
        ]
        if !message.cc.isEmpty { lines.append("Cc: \(message.cc.joined(separator: ", "))") }
        return lines.joined(separator: "\n") + "\n\n" + WebText.plainLines(text)
    }

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// An instant as `Fri, 21 Aug 2026 09:14:03 GMT`; one that is none as it is.
    private static func date(_ instant: Timestamp) -> String {
        let text = instant.text
        guard let seconds = instant.secondsSinceEpoch, let month = Int(text.dropFirst(5).prefix(2)) else { return text }
        let number = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let day = days[Int((number % 7 + 7) % 7)]
        return
            "\(day), \(text.dropFirst(8).prefix(2)) \(months[month - 1]) \(text.prefix(4)) "
            + "\(text.dropFirst(11).prefix(8)) GMT"
    }
}
