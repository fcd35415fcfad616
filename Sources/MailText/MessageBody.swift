package import MailModel

/// Shows a message: its plain text or, when that is empty, its HTML.
package func renderBody(detail text: String, html: MessageHTML?, columns: Int, showQuotes: Bool) -> RenderedBody {
    if let html, text.allSatisfy(\.isWhitespace) {
        return renderHTML(html, columns: columns, showQuotes: showQuotes)
    }
    return renderText(text, columns: columns, showQuotes: showQuotes)
}

/// Shows the HTML of a message; the quote the server split off is one line unless `showQuotes`.
package func renderHTML(_ html: MessageHTML, columns: Int, showQuotes: Bool) -> RenderedBody {
    var body = renderHTML(html.html, columns: columns)
    if let quoted = html.quotedHTML, !quoted.isEmpty {
        appendQuote(quoted, to: &body, columns: columns, showQuotes: showQuotes)
    }
    if let after = html.afterQuotedHTML, !after.isEmpty {
        append(after, quoteLevel: 0, to: &body, columns: columns)
    }
    return body
}

/// Shows HTML that is not split.
package func renderHTML(_ html: String, columns: Int) -> RenderedBody {
    var body = RenderedBody()
    append(html, quoteLevel: 0, to: &body, columns: columns)
    return body
}

private func appendQuote(_ html: String, to body: inout RenderedBody, columns: Int, showQuotes: Bool) {
    guard !showQuotes else { return append(html, quoteLevel: 1, to: &body, columns: columns) }
    var hidden = RenderedBody()
    append(html, quoteLevel: 1, to: &hidden, columns: columns)
    let count = hidden.lines.count { !$0.runs.isEmpty }
    guard count > 0 else { return }
    addSeparator(to: &body)
    body.lines.append(foldLine(quotedLines: count))
}

private func append(_ html: String, quoteLevel: Int, to body: inout RenderedBody, columns: Int) {
    var renderer = HTMLRenderer(columns: columns, links: LinkCollector(continuing: body.links))
    let lines = renderer.render(html, quoteLevel: quoteLevel)
    body.links = renderer.links.links
    guard !lines.isEmpty else { return }
    addSeparator(to: &body)
    body.lines += lines
}

private func addSeparator(to body: inout RenderedBody) {
    if let last = body.lines.last, !last.runs.isEmpty { body.lines.append(TextLine()) }
}
