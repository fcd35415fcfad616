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
    var quote: [SourceLine] = []
    /// The lines since the last blank one.
    var block: [String] = []

    init(columns: Int, showQuotes: Bool) {
        self.columns = max(4, columns)
        self.showQuotes = showQuotes
    }

    mutating func render(_ text: String) -> RenderedBody {
        let source = TextRegions(TextSource.lines(of: TextDisplay.sanitizedText(text)))
        for (line, region) in zip(source.lines, source.regions) {
            guard lines.count < PlainTextRenderer.mostLines else { break }
            guard line.level == 0 else {
                endBlock()
                quote.append(line)
                continue
            }
            endQuote()
            switch region {
            case .patch:
                endBlock()
                addPatchLine(line.text)
            case .signature:
                endBlock()
                addLine(line.text, level: 0, marks: .signature)
            case .words: addWords(line.text)
            }
        }
        endBlock()
        endQuote()
        while lines.last?.runs.isEmpty == true { lines.removeLast() }
        if lines.count >= PlainTextRenderer.mostLines { lines.append(TextLine([TextRun("[…]", .dim)])) }
        return RenderedBody(lines: lines, links: links.links)
    }

    mutating func addWords(_ text: String) {
        if text.isBlank {
            endBlock()
            addLine(text, level: 0, marks: [])
        } else {
            block.append(text)
            if block.count == PlainTextRenderer.longestBlock { endBlock() }
        }
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

    /// Adds a line of a patch: no link numbers in it, its blanks kept, divided only where the window ends.
    mutating func addPatchLine(_ text: String) {
        var marks: TextRole.Marks = .code
        if text.hasPrefix("@@") {
            marks.insert(.location)
        } else if text.hasPrefix("+++") || text.hasPrefix("---") || text.hasPrefix("diff ") {
            marks.insert(.strong)
        } else if text.hasPrefix("+") {
            marks.insert(.added)
        } else if text.hasPrefix("-") {
            marks.insert(.removed)
        }
        let pieces = TextDisplay.divided(text, columns: columns)
        for piece in pieces { lines.append(TextLine(piece.isBlank ? [] : [TextRun(piece, TextRole(marks))])) }
    }

    mutating func addLine(_ text: String, level: Int, marks: TextRole.Marks) {
        if text.isBlank, level == 0 {
            if lines.last?.runs.isEmpty == false { lines.append(TextLine()) }
            return
        }
        let role = TextRole(marks, quoteLevel: level)
        let bars = String(repeating: "│ ", count: barCount(level))
        let room = columns - bars.unicodeScalars.count
        let runs = runs(of: text.trimmedEnd, role: role, columns: room)
        let isFitting = runs.reduce(0) { $0 + LineWrapper.width($1.text) } <= room
        let wrapped =
            isFitting
            ? [runs]
            : LineWrapper.wrap(runs, columns: room, keepsIndent: true, hanging: HardBreaks.textStart(of: text))
        let runsLeft = TextDisplay.isRightToLeft(text)
        for runs in text.isBlank ? [[]] : wrapped {
            let prefix = bars.isEmpty ? [] : [TextRun(bars, role)]
            lines.append(TextLine(prefix + runs, prefixRuns: prefix.count, isRightToLeft: runsLeft))
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
            let mark = "[\(number)]"
            runs.append(TextRun(shortened(piece.text, columns: columns, mark: mark), linked))
            runs.append(TextRun(" ", role))
            runs += linkMark(number, isSuspect: links.check(number, text: piece.text), linked)
        }
        return runs
    }
}

/// An address cut to one line with the mark behind it; the links keep it whole.
func shortened(_ address: String, columns: Int, mark: String) -> String {
    guard LineWrapper.width(address) > columns else { return address }
    var kept = ""
    var width = 0
    let room = max(2, columns - LineWrapper.width(mark) - 1)
    for character in address {
        let more = LineWrapper.width(String(character))
        guard width + more < room else { break }
        kept.append(character)
        width += more
    }
    return kept + "…"
}

/// The line that stands for hidden quoted lines.
func foldLine(quotedLines count: Int) -> TextLine {
    TextLine([TextRun(count == 1 ? "[1 quoted line]" : "[\(count) quoted lines]", TextRole(.dim, quoteLevel: 1))])
}

/// The line that stands for hidden lines below a quote.
func foldLine(linesBelow count: Int) -> TextLine {
    let what = count == 1 ? "1 line" : "\(count) lines"
    return TextLine([TextRun("[\(what) below the quote]", TextRole(.dim, quoteLevel: 1))])
}
