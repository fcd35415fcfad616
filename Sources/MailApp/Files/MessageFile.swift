internal import DisplayText
internal import MailModel
internal import MailText

/// A message as a file: its text, or its HTML.
enum MessageFile {
    /// The width that HTML is laid out for where it becomes text.
    private static let columns = 80

    /// Header and text; lines of a text message are as long as its sender made them.
    ///
    /// What would act on a terminal is taken out, since files are shown with `cat` and `less` too.
    static func text(_ message: ConversationMessage) -> [UInt8] {
        guard let detail = message.detail else { return [] }
        let summary = message.summary
        var lines = field("From", [summary.fromAddress]) + field("To", summary.to)
        lines += field("Cc", detail.cc) + field("Bcc", detail.bcc)
        lines += field("Date", [summary.activityAt.text]) + field("Subject", [summary.subject])
        lines += field("Message-ID", [detail.internetMessageID ?? ""])
        for file in detail.attachments { lines += field("File", [file.filename]) }
        lines.append("")
        if detail.textBody.allSatisfy(\.isWhitespace) {
            let body = renderBody(detail: "", html: message.html, columns: columns, showQuotes: true)
            lines += body.lines.map(\.text)
            for link in body.hiddenLinks { lines.append(TextDisplay.sanitizedLine("[\(link.number)] \(link.url)")) }
        } else {
            lines.append(TextDisplay.sanitizedText(detail.textBody))
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// A page that a browser shows without fetching anything; `nil` for mail without HTML.
    static func html(_ message: ConversationMessage) -> [UInt8]? {
        guard let html = message.html else { return nil }
        let body = html.html + (html.quotedHTML ?? "") + (html.afterQuotedHTML ?? "")
        let title = escaped(TextDisplay.sanitizedLine(message.summary.subject))
        let page = """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><title>\(title)</title>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            </head><body>
            \(body)
            </body></html>

            """
        return Array(page.utf8)
    }

    private static func field(_ name: String, _ values: [String]) -> [String] {
        let value = TextDisplay.sanitizedLine(values.joined(separator: ", "))
        return value.isEmpty ? [] : ["\(name): \(value)"]
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
