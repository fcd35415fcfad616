internal import DisplayText

/// Collects inline text into paragraphs and lays them out as lines under nested prefixes.
struct BlockWriter {
    /// What stands before the lines of a block: once `first`, then `rest`, both equally wide.
    private struct Prefix {
        var first: String
        var rest: String
        var width: Int
        var role: TextRole
        var used = false
    }

    /// Lines that are laid out at most.
    static let mostLines = 20_000
    /// Blanks that do not break, such as fill the end of a preview text, count at most so often.
    private static let mostFixedBlanks = 8
    private static let longestParagraph = 100_000
    /// So many pixels between two blocks are shown as a blank line.
    private static let blankLinePixels = 14.0

    let columns: Int
    private(set) var lines: [TextLine] = []
    private var prefixes: [Prefix] = []
    private var prefixWidth = 0
    private var paragraph: [TextRun] = []
    private var endsInSpace = true
    private var paragraphBytes = 0
    /// Whether the next piece on the same line stands apart, as behind an image.
    var separatesNext = false
    private var fixedBlanks = 0
    /// The room asked for since the last line, and the number of prefixes at its outermost place.
    private var space: (pixels: Double, depth: Int)?
    /// The link that is open, and whether its number was shown.
    var openLink: (number: Int, isSuspect: Bool, isMarked: Bool)?
    /// The words of the last paragraph, and the lines it took when it was an image.
    private var lastWords = ""
    private var lastImage: Range<Int>?
    /// The direction that the document asks for; `nil` lets the first letter of a paragraph tell.
    var isRightToLeft: Bool?

    init(columns: Int) {
        self.columns = max(4, columns)
    }

    var isFull: Bool { lines.count >= BlockWriter.mostLines }

    /// The columns left beside the prefixes.
    var room: Int { columns - prefixWidth }

    /// Whether text waits for the end of its line.
    var hasText: Bool { paragraph.contains { !$0.text.isBlank } }

    /// Adds text whose white space collapses.
    mutating func addCollapsed(_ text: String, _ role: TextRole) {
        var piece = String.UnicodeScalarView()
        var count = 0
        if separatesNext { separate(from: text) }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
                guard !endsInSpace else { continue }
                endsInSpace = true
                piece.append(" ")
            case 0xA0:
                fixedBlanks += 1
                guard fixedBlanks <= BlockWriter.mostFixedBlanks else { continue }
                endsInSpace = false
                piece.append(scalar)
            case 0xAD, 0x034F, 0x2060, 0xFEFF: continue
            default:
                endsInSpace = false
                fixedBlanks = 0
                piece.append(scalar)
            }
            count += 1
            if count > BlockWriter.longestParagraph {
                append(TextRun(String(piece), role))
                if isFull { return }
                piece = String.UnicodeScalarView()
                count = 0
            }
        }
        if !piece.isEmpty { append(TextRun(String(piece), role)) }
    }

    /// Puts a blank between an image and words; punctuation stays where it is.
    private mutating func separate(from text: String) {
        guard let first = text.unicodeScalars.first(where: { !String($0).isBlank }) else { return }
        let attached: [BreakClass] = [.closing, .closingParenthesis, .exclamation, .infix]
        if !attached.contains(BreakClass.of(first, width: 1)) { addSeparator() }
    }

    private mutating func append(_ run: TextRun) {
        paragraph.append(run)
        paragraphBytes += run.text.utf8.count
        // What is longer than a book's page is no paragraph; laid out at once it would need much memory.
        if paragraphBytes > BlockWriter.longestParagraph { _ = flush(keepsIndent: false) }
    }

    /// Puts a blank behind what is on the line, if there is none.
    mutating func addSeparator() {
        separatesNext = false
        guard !paragraph.isEmpty, !endsInSpace else { return }
        paragraph.append(TextRun(" ", TextRole(quoteLevel: paragraph[paragraph.count - 1].role.quoteLevel)))
        endsInSpace = true
    }

    /// Adds text whose lines stay and, with `keepsBlanks`, its blanks too.
    mutating func addPreformatted(_ text: String, _ role: TextRole, keepsBlanks: Bool) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { breakLine(keepsIndent: keepsBlanks) }
            if isFull { return }
            guard keepsBlanks else {
                addCollapsed(String(line), role)
                continue
            }
            let spaced = String(
                String.UnicodeScalarView(line.unicodeScalars.map { $0 == "\u{A0}" || $0 == "\t" ? " " : $0 }))
            if !spaced.isEmpty { append(TextRun(spaced, role)) }
            endsInSpace = false
        }
    }

    /// Adds text as it is, such as a mark of the renderer.
    mutating func addLiteral(_ text: String, _ role: TextRole) {
        addRuns([TextRun(text, role)])
    }

    /// Adds text that was laid out before.
    mutating func addRuns(_ runs: [TextRun]) {
        guard !runs.isEmpty else { return }
        paragraph += runs
        endsInSpace = false
        fixedBlanks = 0
    }

    /// Separates two pieces that share a line.
    mutating func addGap(_ role: TextRole) {
        guard let last = paragraph.last, !last.text.hasSuffix("  ") else { return }
        paragraph.append(TextRun(endsInSpace ? " " : "  ", TextRole(quoteLevel: role.quoteLevel)))
        endsInSpace = true
    }

    /// Ends a line inside a block; on an empty line asks for a blank one.
    mutating func breakLine(keepsIndent: Bool = false) {
        if !flush(keepsIndent: keepsIndent) { addSpace(BlockWriter.blankLinePixels) }
    }

    /// Ends a block.
    mutating func endBlock(keepsIndent: Bool = false) {
        _ = flush(keepsIndent: keepsIndent)
    }

    /// Asks for room before the next line.
    mutating func addSpace(_ pixels: Double) {
        guard pixels > 0 else { return }
        space = ((space?.pixels ?? 0) + pixels, min(space?.depth ?? prefixes.count, prefixes.count))
    }

    /// Puts text before the lines to come, where that leaves them room.
    mutating func pushPrefix(first: String, rest: String, role: TextRole) {
        let width = LineWrapper.width(first)
        let fits = prefixWidth + width <= columns / 2
        // A number or bullet without a place of its own begins the text.
        if !fits, !first.isBlank, first != "│ " { addLiteral(first, role) }
        prefixes.append(Prefix(first: fits ? first : "", rest: fits ? rest : "", width: fits ? width : 0, role: role))
        prefixWidth += fits ? width : 0
    }

    mutating func popPrefix() {
        guard let prefix = prefixes.popLast() else { return }
        prefixWidth -= prefix.width
        if let due = space { space = (due.pixels, min(due.depth, prefixes.count)) }
    }

    mutating func beginLink(_ number: Int, isSuspect: Bool) {
        openLink = (number, isSuspect, false)
    }

    mutating func endLink() {
        markLink()
        openLink = nil
    }

    /// Adds a line that is not wrapped; it must fit `room`.
    mutating func addLine(_ runs: [TextRun], isRightToLeft: Bool = false) {
        guard !isFull else { return }
        if let due = space, due.pixels >= BlockWriter.blankLinePixels, !lines.isEmpty {
            let bars = bars(upTo: due.depth)
            lines.append(TextLine(bars, prefixRuns: bars.count))
        }
        space = nil
        var all: [TextRun] = []
        for index in prefixes.indices {
            let prefix = prefixes[index]
            let text = prefix.used ? prefix.rest : prefix.first
            prefixes[index].used = true
            guard !text.isEmpty else { continue }
            if let last = all.indices.last, all[last].role == prefix.role {
                all[last].text += text
            } else {
                all.append(TextRun(text, prefix.role))
            }
        }
        lines.append(TextLine(all + runs, prefixRuns: all.count, isRightToLeft: isRightToLeft))
    }

    private mutating func flush(keepsIndent: Bool) -> Bool {
        defer {
            paragraph.removeAll(keepingCapacity: true)
            endsInSpace = true
            fixedBlanks = 0
            paragraphBytes = 0
            separatesNext = false
        }
        guard hasText else { return false }
        markLink()
        if !keepsIndent { dropSmallIndent() }
        let text = paragraph.reduce(into: "") { $0 += $1.text }
        if isRepeated(text) { return true }
        let wrapped = LineWrapper.wrap(paragraph, columns: room, keepsIndent: keepsIndent)
        let runsLeft = isRightToLeft ?? TextDisplay.isRightToLeft(text)
        let first = lines.count + (space.map { $0.pixels >= BlockWriter.blankLinePixels } == true ? 1 : 0)
        for runs in wrapped { addLine(runs, isRightToLeft: runsLeft) }
        lastImage = BlockWriter.imageWords(text) == nil ? nil : first..<max(first, lines.count)
        lastWords = BlockWriter.imageWords(text) ?? text
        return !wrapped.isEmpty
    }

    /// Whether a paragraph is an image whose words were just said; takes an image away whose words now follow.
    private mutating func isRepeated(_ text: String) -> Bool {
        if let words = BlockWriter.imageWords(text) { return lastWords.hasPrefix(words) }
        guard let image = lastImage, text.hasPrefix(lastWords), image.upperBound == lines.count else { return false }
        lines.removeSubrange(image)
        while let last = lines.last, last.runs.count <= last.prefixRuns { lines.removeLast() }
        addSpace(BlockWriter.blankLinePixels)
        return false
    }

    /// The words of a paragraph that is an image and nothing else.
    private static func imageWords(_ text: String) -> String? {
        guard text.hasPrefix("[image: "), text.hasSuffix("]") else { return nil }
        return String(text.dropFirst(8).dropLast())
    }

    /// One or two blanks before a paragraph are an oversight; more are an indent.
    private mutating func dropSmallIndent() {
        guard let first = paragraph.firstIndex(where: { !$0.text.isBlank }) else { return }
        let lead = paragraph[first].text.unicodeScalars.prefix { $0 == " " || $0 == "\u{A0}" }.count
        guard first == 0, (1...2).contains(lead) else { return }
        paragraph[first].text.unicodeScalars.removeFirst(lead)
    }

    /// The number of the open link, once, behind its first text.
    private mutating func markLink() {
        guard let link = openLink, !link.isMarked, let index = paragraph.lastIndex(where: { !$0.text.isBlank }),
            paragraph[index].role.link == link.number
        else { return }
        openLink?.isMarked = true
        let level = paragraph[index].role.quoteLevel
        let isSpaced = endsInSpace
        paragraph.removeSubrange((index + 1)...)
        while let last = paragraph[index].text.unicodeScalars.last, last == " " || last == "\u{A0}" {
            paragraph[index].text.unicodeScalars.removeLast()
        }
        paragraph.append(TextRun("\u{A0}", TextRole(quoteLevel: level)))
        paragraph += linkMark(
            link.number, isSuspect: link.isSuspect, TextRole(quoteLevel: level, link: link.number))
        if isSpaced { paragraph.append(TextRun(" ", TextRole(quoteLevel: level))) }
    }

    private func bars(upTo depth: Int) -> [TextRun] {
        let visible = prefixes[..<min(depth, prefixes.count)].filter { !$0.rest.isBlank }
        return visible.map { TextRun($0.rest, $0.role) }
    }
}

extension String {
    /// Whether there is nothing to see: spaces and invisible letters only.
    var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x20, 0xA0, 0xAD, 0x034F, 0x115F, 0x1160, 0x200B...0x200D, 0x2060, 0x2800, 0x3164, 0xFEFF: true
            case 0x21..<0x80: false
            default: scalar.properties.isWhitespace
            }
        }
    }
}
