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

    private static let mostLines = 20_000

    let columns: Int
    private(set) var lines: [TextLine] = []
    private var prefixes: [Prefix] = []
    private var prefixWidth = 0
    private var paragraph: [TextRun] = []
    private var endsInSpace = true
    /// The number of prefixes before the blank line that is due; `nil` when none is.
    private var blankDue: Int?
    private var openLink: (number: Int, isMarked: Bool)?

    init(columns: Int) {
        self.columns = max(4, columns)
    }

    var isFull: Bool { lines.count >= BlockWriter.mostLines }

    /// The columns left beside the prefixes.
    var room: Int { columns - prefixWidth }

    /// Adds text whose white space collapses.
    mutating func addCollapsed(_ text: String, _ role: TextRole) {
        var piece = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
                guard !endsInSpace else { continue }
                endsInSpace = true
                piece.unicodeScalars.append(" ")
            case 0xA0:
                endsInSpace = false
                piece.unicodeScalars.append(" ")
            case 0xAD, 0x034F, 0x200B, 0x2060, 0xFEFF: continue
            default:
                endsInSpace = false
                piece.unicodeScalars.append(scalar)
            }
        }
        if !piece.isEmpty { paragraph.append(TextRun(piece, role)) }
    }

    /// Adds text whose white space stays.
    mutating func addPreformatted(_ text: String, _ role: TextRole) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { breakLine(keepsIndent: true) }
            let spaced = String(
                String.UnicodeScalarView(line.unicodeScalars.map { $0 == "\u{A0}" || $0 == "\t" ? " " : $0 }))
            if !spaced.isEmpty { paragraph.append(TextRun(spaced, role)) }
            endsInSpace = false
        }
    }

    /// Adds text as it is, such as a mark of the renderer.
    mutating func addLiteral(_ text: String, _ role: TextRole) {
        paragraph.append(TextRun(text, role))
        endsInSpace = false
    }

    /// Separates two pieces that share a line.
    mutating func addGap(_ role: TextRole) {
        guard !paragraph.isEmpty else { return }
        paragraph.append(TextRun(endsInSpace ? " " : "  ", role))
        endsInSpace = true
    }

    /// Ends a line inside a block; on an empty line asks for a blank one.
    mutating func breakLine(keepsIndent: Bool = false) {
        if !flush(keepsIndent: keepsIndent) { requestBlank() }
    }

    /// Ends a block.
    mutating func endBlock(margin: Bool, keepsIndent: Bool = false) {
        _ = flush(keepsIndent: keepsIndent)
        if margin { requestBlank() }
    }

    mutating func pushPrefix(first: String, rest: String, role: TextRole) {
        let width = LineWrapper.width(first)
        let fits = prefixWidth + width <= columns / 2
        prefixes.append(Prefix(first: fits ? first : "", rest: fits ? rest : "", width: fits ? width : 0, role: role))
        prefixWidth += fits ? width : 0
    }

    mutating func popPrefix() {
        guard let prefix = prefixes.popLast() else { return }
        prefixWidth -= prefix.width
        if let due = blankDue { blankDue = min(due, prefixes.count) }
    }

    mutating func beginLink(_ number: Int) {
        openLink = (number, false)
    }

    mutating func endLink(_ role: TextRole) {
        markLink(role)
        openLink = nil
    }

    /// Adds a line that is not wrapped; it must fit `room`.
    mutating func addLine(_ runs: [TextRun]) {
        guard !isFull else { return }
        if let depth = blankDue, !lines.isEmpty {
            lines.append(TextLine(bars(upTo: depth)))
        }
        blankDue = nil
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
        lines.append(TextLine(all + runs))
    }

    private mutating func flush(keepsIndent: Bool) -> Bool {
        defer {
            paragraph.removeAll(keepingCapacity: true)
            endsInSpace = true
        }
        guard paragraph.contains(where: { !$0.text.isBlank }) else { return false }
        if let role = paragraph.last?.role { markLink(role) }
        let wrapped = LineWrapper.wrap(paragraph, columns: room, keepsIndent: keepsIndent)
        for runs in wrapped { addLine(runs) }
        return !wrapped.isEmpty
    }

    private mutating func requestBlank() {
        blankDue = min(blankDue ?? prefixes.count, prefixes.count)
    }

    /// The number of the open link, once, behind its first text.
    private mutating func markLink(_ role: TextRole) {
        guard let link = openLink, !link.isMarked, let last = paragraph.last(where: { !$0.text.isBlank }),
            last.role.link == link.number
        else { return }
        openLink = (link.number, true)
        paragraph.append(TextRun(" ", TextRole(quoteLevel: role.quoteLevel)))
        paragraph.append(TextRun("[\(link.number)]", TextRole(.dim, quoteLevel: role.quoteLevel, link: link.number)))
        endsInSpace = false
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
            case 0x20, 0xAD, 0x034F, 0x115F, 0x1160, 0x200B...0x200D, 0x2060, 0x2800, 0x3164, 0xFEFF: true
            case 0x21..<0x80: false
            default: scalar.properties.isWhitespace
            }
        }
    }
}
