package import MailModel

/// The two forms that a message may have.
package enum BodyForm: Sendable, Hashable {
    case text, html
}

/// Shows a message: its plain text or, where that says less than the HTML, its HTML.
///
/// With `prefers` it is that one, where it says anything; with `form` it is that one, where the message has it.
package func renderBody(
    detail text: String, html: MessageHTML?, columns: Int, showQuotes: Bool, form: BodyForm? = nil,
    prefers: BodyForm? = nil
) -> RenderedBody {
    let isHTML =
        switch form ?? prefers {
        case .html: true
        case .text: form == nil && text.isBlank
        case nil: !TextPart(text).isWorthReading
        }
    if let html, isHTML {
        var body = renderHTML(html, columns: columns, showQuotes: showQuotes)
        body.form = .html
        // HTML of pictures only may say less than the poorest text.
        if form == .html || !body.lines.isEmpty || text.isBlank { return body }
    }
    return renderText(text, columns: columns, showQuotes: showQuotes)
}

/// Shows the HTML of a message; the quote the server split off is one line unless `showQuotes`.
///
/// What follows the quote folds with it when the writer's own words come first. When they do not, it may be the
/// answer itself, written below the quote, and stays. A message that is nothing but a quote is shown whole.
package func renderHTML(_ html: MessageHTML, columns: Int, showQuotes: Bool) -> RenderedBody {
    var body = renderHTML(html.html, columns: columns)
    let hasOwnWords = hasOwnWords(body)
    let after = html.afterQuotedHTML ?? ""
    let afterHasText = !after.isEmpty && !renderHTML(after, columns: columns).lines.isEmpty
    if let quoted = html.quotedHTML, !quoted.isEmpty {
        let isAll = body.lines.isEmpty && !afterHasText
        append(quoted, level: isAll ? 0 : 1, to: &body, columns: columns, folds: !showQuotes && !isAll)
    }
    if afterHasText {
        append(after, level: 0, to: &body, columns: columns, folds: !showQuotes && hasOwnWords)
    }
    return body
}

/// Shows HTML that is not split.
package func renderHTML(_ html: String, columns: Int) -> RenderedBody {
    var body = RenderedBody()
    append(html, level: 0, to: &body, columns: columns, folds: false)
    return body
}

/// Whether a text is more than the line that announces a quote.
private func hasOwnWords(_ body: RenderedBody) -> Bool {
    let lines = body.lines.filter { !$0.runs.isEmpty }
    guard let last = lines.last else { return false }
    guard lines.count <= 2, last.text.hasSuffix(":") else { return true }
    return !lines.joinedText.contains(where: \.isNumber) && !lines.joinedText.contains("@")
}

private func append(_ html: String, level: Int, to body: inout RenderedBody, columns: Int, folds: Bool) {
    var renderer = HTMLRenderer(
        columns: columns, links: LinkCollector(continuing: body.links),
        images: ImageCollector(continuing: body.images))
    let lines = renderer.render(html, quoteLevel: level)
    guard !lines.isEmpty else { return }
    if let last = body.lines.last, !last.runs.isEmpty { body.lines.append(TextLine()) }
    if folds {
        let count = lines.count { $0.runs.count > $0.prefixRuns }
        body.lines.append(level > 0 ? foldLine(quotedLines: count) : foldLine(linesBelow: count))
    } else {
        body.links = renderer.links.links
        body.images = renderer.images.images
        body.lines += lines
    }
}

extension [TextLine] {
    fileprivate var joinedText: String { map(\.text).joined(separator: " ") }
}
