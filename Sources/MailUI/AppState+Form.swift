internal import MailModel
package import MailText

/// Mail that has both a text and HTML.
extension AppState {
    /// Why the message has no other form to show; `nil` when it has one.
    var formReason: String? {
        guard let message = currentMessage, message.detail != nil, !message.awaitsBody else {
            return "There is no text of a message here."
        }
        guard let html = message.html, !html.isEmpty else { return "This message has no HTML." }
        return message.detail?.textBody.allSatisfy(\.isWhitespace) == true
            ? "This message has no text but its HTML." : nil
    }

    /// Shows another form of mail that has two from now on; what a key chose for a message stays.
    package mutating func setPreferredForm(_ form: BodyForm?) {
        presentation.preferredForm = form
        for id in reader?.messages.map(\.summary.id) ?? [] { reader?.forgetLayout(of: id) }
    }

    /// Shows the other form of the message acted on.
    mutating func toggleForm() {
        guard let id = currentMessage?.summary.id else { return }
        let shown = reader?.laidOut(id, columns: layout.readerColumns)?.form ?? reader?.forms[id] ?? .text
        reader?.forms[id] = shown == .html ? .text : .html
        reader?.folded.remove(id)
        reader?.forgetLayout(of: id)
        notice = shown == .html ? "The text of the message is shown." : "The HTML of the message is shown."
        showCurrentMessage()
    }
}

extension MessageHTML {
    /// Whether nothing at all is in it.
    var isEmpty: Bool { html.isEmpty && (quotedHTML ?? "").isEmpty && (afterQuotedHTML ?? "").isEmpty }
}
