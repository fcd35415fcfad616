internal import DisplayText

/// Breaks runs into lines of at most `columns` cells, between words where it can.
struct LineWrapper {
    private let columns: Int
    private let keepsIndent: Bool
    private var lines: [[TextRun]] = []
    private var line: [TextRun] = []
    private var lineWidth = 0
    private var word: [TextRun] = []
    private var wordWidth = 0
    private var gap = 0

    /// The lines of one paragraph, without line feeds in it; at least one, unless there is no text.
    static func wrap(_ runs: [TextRun], columns: Int, keepsIndent: Bool) -> [[TextRun]] {
        var wrapper = LineWrapper(columns: max(2, columns), keepsIndent: keepsIndent)
        for run in runs { wrapper.add(run) }
        wrapper.commitWord()
        if !wrapper.line.isEmpty { wrapper.breakLine() }
        return wrapper.lines
    }

    /// The cells of `text`.
    static func width(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return TextDisplay.width(of: text)
    }

    private init(columns: Int, keepsIndent: Bool) {
        self.columns = columns
        self.keepsIndent = keepsIndent
    }

    private mutating func add(_ run: TextRun) {
        let bytes = run.text.utf8
        var start = bytes.startIndex
        while start < bytes.endIndex {
            if bytes[start] == 0x20 {
                commitWord()
                gap += 1
                start = bytes.index(after: start)
                continue
            }
            let end = bytes[start...].firstIndex(of: 0x20) ?? bytes.endIndex
            let piece = String(run.text[start..<end])
            word.append(TextRun(piece, run.role))
            wordWidth += LineWrapper.width(piece)
            start = end
        }
    }

    private mutating func commitWord() {
        guard let first = word.first else { return }
        defer {
            word.removeAll(keepingCapacity: true)
            wordWidth = 0
        }
        guard wordWidth > 0, word.contains(where: { !$0.text.isBlank }) else {
            gap += wordWidth
            return
        }
        let lead = line.isEmpty ? (lines.isEmpty && keepsIndent ? min(gap, columns / 2) : 0) : gap
        gap = 0
        if lineWidth + lead + wordWidth <= columns {
            if lead > 0 { appendSpaces(lead, before: first.role) }
            for piece in word { append(piece.text, piece.role) }
            lineWidth += wordWidth
            return
        }
        if !line.isEmpty { breakLine() }
        if wordWidth <= columns {
            for piece in word { append(piece.text, piece.role) }
            lineWidth = wordWidth
        } else {
            for piece in word { appendBroken(piece) }
        }
    }

    private mutating func appendSpaces(_ count: Int, before role: TextRole) {
        let same = line.last?.role == role
        append(
            String(repeating: " ", count: count), same ? role : TextRole(quoteLevel: role.quoteLevel))
        lineWidth += count
    }

    private mutating func append(_ text: String, _ role: TextRole) {
        if let last = line.indices.last, line[last].role == role {
            line[last].text += text
        } else {
            line.append(TextRun(text, role))
        }
    }

    private mutating func appendBroken(_ run: TextRun) {
        for character in run.text {
            let text = String(character)
            let width = LineWrapper.width(text)
            if width > columns {
                for scalar in text.unicodeScalars { place(String(scalar), TextDisplay.width(of: scalar), run.role) }
            } else {
                place(text, width, run.role)
            }
        }
    }

    private mutating func place(_ text: String, _ width: Int, _ role: TextRole) {
        if lineWidth + width > columns, !line.isEmpty { breakLine() }
        append(text, role)
        lineWidth += width
    }

    private mutating func breakLine() {
        lines.append(line)
        line = []
        lineWidth = 0
    }
}
