internal import DisplayText

/// Shows plain text: lines wrapped at `columns`, long quotes folded, links numbered, the signature marked.
package func renderText(_ text: String, columns: Int, showQuotes: Bool) -> RenderedBody {
    var renderer = PlainTextRenderer(columns: columns, showQuotes: showQuotes)
    return renderer.render(text)
}

private struct PlainTextRenderer {
    /// Quotes of more lines than this fold.
    static let longestQuote = 3
    static let mostLines = 20_000
    /// A block of more lines is laid out in parts.
    static let longestBlock = 1_000

    let columns: Int
    let showQuotes: Bool
    var lines: [TextLine] = []
    var links = LinkCollector()
    var quote: [(level: Int, text: String)] = []
    /// The lines since the last blank one.
    var block: [String] = []

    init(columns: Int, showQuotes: Bool) {
        self.columns = max(4, columns)
        self.showQuotes = showQuotes
    }

    mutating func render(_ text: String) -> RenderedBody {
        var inSignature = false
        for source in TextDisplay.sanitizedText(text).split(separator: "\n", omittingEmptySubsequences: false) {
            guard lines.count < PlainTextRenderer.mostLines else { break }
            let line = PlainTextRenderer.withoutTabs(source)
            let (level, content) = PlainTextRenderer.quoteLevel(of: line)
            if level > 0 {
                endBlock()
                quote.append((level, content))
                continue
            }
            endQuote()
            if line == "-- " { inSignature = true }
            if inSignature || line.isBlank {
                endBlock()
                addLine(line, level: 0, marks: inSignature ? .signature : [])
            } else {
                block.append(line)
                if block.count == PlainTextRenderer.longestBlock { endBlock() }
            }
        }
        endBlock()
        endQuote()
        while lines.last?.runs.isEmpty == true { lines.removeLast() }
        if lines.count >= PlainTextRenderer.mostLines { lines.append(TextLine([TextRun("[…]", .dim)])) }
        return RenderedBody(lines: lines, links: links.links)
    }

    mutating func endBlock() {
        for line in HardBreaks.joined(block, columns: columns) { addLine(line, level: 0, marks: []) }
        block = []
    }

    mutating func endQuote() {
        guard !quote.isEmpty else { return }
        if !showQuotes, quote.count > PlainTextRenderer.longestQuote {
            lines.append(foldLine(quotedLines: quote.count))
        } else {
            addQuote()
        }
        quote = []
    }

    /// Adds the lines of the quote, in blocks of one level between blank lines.
    mutating func addQuote() {
        var start = 0
        while start < quote.count {
            let level = quote[start].level
            var end = start + 1
            if !quote[start].text.isBlank {
                while end < quote.count, quote[end].level == level, !quote[end].text.isBlank { end += 1 }
            }
            let room = columns - 2 * barCount(level)
            for line in HardBreaks.joined(quote[start..<end].map(\.text), columns: room) {
                addLine(line, level: level, marks: [])
            }
            start = end
        }
    }

    /// How many bars stand before a quoted line; deep quotes keep room for their text.
    func barCount(_ level: Int) -> Int { min(level, columns / 8, 10) }

    mutating func addLine(_ text: String, level: Int, marks: TextRole.Marks) {
        if text.isBlank, level == 0 {
            if lines.last?.runs.isEmpty == false { lines.append(TextLine()) }
            return
        }
        let role = TextRole(marks, quoteLevel: level)
        let bars = String(repeating: "│ ", count: barCount(level))
        let room = columns - bars.unicodeScalars.count
        let wrapped = LineWrapper.wrap(runs(of: text, role: role, columns: room), columns: room, keepsIndent: true)
        for runs in wrapped.isEmpty ? [[]] : wrapped {
            lines.append(TextLine(bars.isEmpty ? runs : [TextRun(bars, role)] + runs))
        }
    }

    mutating func runs(of text: String, role: TextRole, columns: Int) -> [TextRun] {
        var runs: [TextRun] = []
        for piece in LinkScanner.pieces(of: text) {
            guard let url = piece.url, let number = links.number(for: url, text: piece.text) else {
                runs.append(TextRun(piece.text, role))
                continue
            }
            if LineWrapper.width(piece.text) <= columns { links.markSpelledOut(number) }
            let linked = TextRole(role.marks, quoteLevel: role.quoteLevel, link: number)
            runs.append(TextRun(shortened(piece.text, columns: columns), linked))
            runs.append(TextRun(" ", role))
            runs.append(TextRun("[\(number)]", linked.adding(.dim)))
        }
        return runs
    }

    /// How deep a line is quoted, and the line without its marks.
    static func quoteLevel(of line: String) -> (Int, String) {
        guard line.utf8.first == 0x3E else { return (0, line) }
        var level = 0
        var rest = line[...]
        while rest.utf8.first == 0x3E {
            level += 1
            rest = rest.dropFirst()
            if rest.hasPrefix(" >") { rest = rest.dropFirst() }
        }
        if rest.utf8.first == 0x20 { rest = rest.dropFirst() }
        return (level, String(rest))
    }

    static func withoutTabs(_ line: Substring) -> String {
        guard line.utf8.contains(where: { $0 == 0x09 || $0 == 0xC2 }) else { return String(line) }
        var result = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\t": result += String(repeating: " ", count: 4)
            case "\u{A0}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// An address cut to one line; the links keep it whole.
func shortened(_ address: String, columns: Int) -> String {
    guard LineWrapper.width(address) > columns else { return address }
    var kept = ""
    var width = 0
    for character in address {
        let more = LineWrapper.width(String(character))
        guard width + more < columns else { break }
        kept.append(character)
        width += more
    }
    return kept + "…"
}

/// The line that stands for hidden quoted lines.
func foldLine(quotedLines count: Int) -> TextLine {
    TextLine([TextRun(count == 1 ? "[1 quoted line]" : "[\(count) quoted lines]", TextRole(.dim, quoteLevel: 1))])
}
