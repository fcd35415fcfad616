internal import DisplayText

/// Breaks runs into lines of at most `columns` cells, where UAX 14 allows.
///
/// Kept apart from where the text comes from: a paragraph in, lines out, the same characters but for the blanks
/// at the breaks.
struct LineWrapper {
    private struct Cell {
        var scalar: Unicode.Scalar
        var run: Int32
        var width: UInt8
        var kind: BreakClass
        /// What the place before it allows.
        var rule: LineBreak
    }

    private let columns: Int
    private let runs: [TextRun]
    private var cells: [Cell] = []

    /// The lines of one paragraph, without line feeds in it; none when there is nothing to see.
    ///
    /// With `keepsIndent` the blanks before the first word stay, and `hanging` cells stand before the other lines.
    static func wrap(_ runs: [TextRun], columns: Int, keepsIndent: Bool, hanging: Int = 0) -> [[TextRun]] {
        let wrapper = LineWrapper(runs, columns: max(2, columns))
        return wrapper.lines(keepsIndent: keepsIndent, hanging: hanging)
    }

    /// The cells of `text`.
    static func width(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return TextDisplay.width(of: text)
    }

    /// The cells of the widest piece that cannot be divided well.
    static func widestWord(_ runs: [TextRun]) -> Int {
        let wrapper = LineWrapper(runs, columns: 2)
        var (widest, current) = (0, 0)
        for cell in wrapper.cells {
            if cell.rule == .allowed || cell.kind == .space { current = 0 }
            if cell.kind != .space { current += Int(cell.width) }
            widest = max(widest, current)
        }
        return widest
    }

    private init(_ runs: [TextRun], columns: Int) {
        self.columns = columns
        self.runs = runs
        cells.reserveCapacity(runs.reduce(0) { $0 + $1.text.utf8.count })
        var before = BreakClass.glue
        var isSpaced = false
        for (index, run) in runs.enumerated() {
            for scalar in run.text.unicodeScalars {
                let width = scalar.value == 0x200B ? 0 : TextDisplay.width(of: scalar)
                let kind = BreakClass.of(scalar, width: width)
                let rule =
                    cells.isEmpty ? LineBreak.never : LineBreak.between(before, kind, spaced: isSpaced)
                cells.append(
                    Cell(scalar: scalar, run: Int32(index), width: UInt8(width), kind: kind, rule: rule))
                if kind == .space {
                    isSpaced = true
                } else if kind != .mark {
                    before = kind
                    isSpaced = false
                }
            }
        }
        settleHyphens()
        settleAddresses()
    }

    /// An address is divided only where a line cannot hold it, and then behind the signs that part it.
    private mutating func settleAddresses() {
        var start = 0
        while start < cells.count {
            let end = cells[start...].firstIndex { $0.kind == .space } ?? cells.count
            if isAddress(start..<end) {
                for index in start + 1..<end where cells[index].scalar.isASCII && cells[index - 1].scalar.isASCII {
                    let isParted =
                        LineWrapper.parting.contains(cells[index - 1].scalar)
                        && (cells[index].kind == .alphabetic || cells[index].kind == .numeric)
                    if isParted || cells[index].rule == .allowed { cells[index].rule = .inLongWords }
                }
            }
            start = end + 1
        }
    }

    private static let parting = Set("/?&=#-_.@%+,;:".unicodeScalars)

    /// Whether a word holds an address of the web or of mail.
    private func isAddress(_ word: Range<Int>) -> Bool {
        guard word.count > 4 else { return false }
        for index in word.dropFirst().dropLast() {
            switch cells[index].scalar {
            case "@": if cells[index - 1].scalar.value > 0x2C, cells[index + 1].scalar.value > 0x2C { return true }
            case "/": if cells[index - 1].scalar == ":", cells[index + 1].scalar == "/" { return true }
            default: break
            }
        }
        return false
    }

    /// A hyphen that begins a word belongs to it.
    private mutating func settleHyphens() {
        for index in cells.indices.dropFirst() where cells[index].rule == .allowed {
            guard cells[index - 1].kind == .hyphen else { continue }
            let isInside = index > 1 && [.alphabetic, .numeric, .ideographic].contains(cells[index - 2].kind)
            if !isInside || cells[index].kind != .alphabetic { cells[index].rule = .inLongWords }
        }
    }

    private func lines(keepsIndent: Bool, hanging: Int) -> [[TextRun]] {
        guard cells.contains(where: { $0.width > 0 && !$0.scalar.isBlank }) else { return [] }
        var lines: [[TextRun]] = []
        var start = cells.firstIndex { $0.kind != .space } ?? 0
        // A wide character needs two cells beside the indent.
        let indentMax = columns < 4 ? 0 : columns / 2
        var indent = keepsIndent ? min(start, indentMax) : 0
        while start < cells.count {
            let end = lineEnd(from: start, room: columns - indent)
            let line = text(of: start..<end, indent: indent)
            if !line.isEmpty { lines.append(line) }
            start = end
            while start < cells.count, cells[start].kind == .space || cells[start].scalar == "\u{A0}" { start += 1 }
            indent = min(hanging, indentMax)
        }
        return lines
    }

    /// Where the line that begins at `start` ends: after its last place that allows a break.
    private func lineEnd(from start: Int, room: Int) -> Int {
        var used = 0
        var index = start
        var best = 0
        var good = 0
        while index < cells.count {
            let cell = cells[index]
            if index > start {
                if cell.rule == .allowed { best = index }
                if cell.rule == .inLongWords, used * 2 >= room { good = index }
            }
            // Blanks at the end of a line need no room.
            if cell.kind != .space, used + Int(cell.width) > room { break }
            used += Int(cell.width)
            index += 1
        }
        guard index < cells.count else { return index }
        if best > 0 { return best }
        if let space = cells[start..<index].lastIndex(where: { $0.kind == .space }), space > start { return space }
        if good > 0 { return good }
        while index > start + 1, cells[index].kind == .mark { index -= 1 }
        return max(index, start + 1)
    }

    private func text(of range: Range<Int>, indent: Int) -> [TextRun] {
        var end = range.upperBound
        while end > range.lowerBound, cells[end - 1].scalar.isBlank { end -= 1 }
        var line = LineAssembler(blanks: indent)
        for cell in cells[range.lowerBound..<end] where cell.kind != .zeroWidthSpace {
            if cell.kind == .space || cell.scalar == "\u{A0}" {
                line.blanks += 1
            } else {
                line.add(cell.scalar, runs[Int(cell.run)].role)
            }
        }
        return line.finish()
    }
}

/// Puts the characters of a line together to as few runs as their roles need.
private struct LineAssembler {
    /// Blanks that are due before the next character.
    var blanks: Int
    private var runs: [TextRun] = []
    private var text = String.UnicodeScalarView()
    private var role = TextRole.plain

    init(blanks: Int) {
        self.blanks = blanks
    }

    mutating func add(_ scalar: Unicode.Scalar, _ role: TextRole) {
        let isSame = !text.isEmpty && role == self.role
        if blanks > 0, !isSame {
            // Blanks between two roles belong to neither, so that no line is drawn under them.
            close()
            self.role = TextRole(quoteLevel: role.quoteLevel)
        }
        for _ in 0..<blanks { text.append(" ") }
        blanks = 0
        if role != self.role {
            close()
            self.role = role
        }
        text.append(scalar)
    }

    mutating func finish() -> [TextRun] {
        close()
        return runs
    }

    private mutating func close() {
        guard !text.isEmpty else { return }
        if let last = runs.indices.last, runs[last].role == role {
            runs[last].text += String(text)
        } else {
            runs.append(TextRun(String(text), role))
        }
        text = String.UnicodeScalarView()
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool {
        value == 0x20 || value == 0xA0 || value == 0x200B || (value > 0x7F && String(self).isBlank)
    }
}
