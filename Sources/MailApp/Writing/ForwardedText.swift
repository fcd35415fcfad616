internal import MailAPI
internal import MailCompose
internal import MailModel
internal import MailText

/// A message as it reads when it is passed on.
enum ForwardedText {
    /// How wide the text of a message is that has only HTML.
    private static let columns = 78

    /// Reads a message from the server and writes the block that stands below a note.
    ///
    /// - Throws: `MailAPIError`.
    static func read(_ id: MessageID, from api: HTTPMailAPIClient) async throws -> String {
        let message = try await api.message(id)
        var html: MessageHTML?
        if WebText.trimmed(message.textBody).isEmpty, message.htmlAvailable {
            html = try await api.html(of: id, loadRemoteImages: false)
        }
        return block(message, html: html)
    }

    /// The block of a message: its text, what a reader shows of its HTML, or its first words.
    static func block(_ message: MessageDetail, html: MessageHTML?) -> String {
        var text = message.textBody
        if WebText.trimmed(text).isEmpty, let html {
            let body = renderBody(detail: "", html: html, columns: columns, showQuotes: true, form: .html)
            text = body.lines.map(\.text).joined(separator: "\n")
        }
        if WebText.trimmed(text).isEmpty { text = message.summary.snippet }
        return Quotation.forwarded(message, text: text)
    }
}
