/// Finds the line breaks that a program made and not the writer, so that text can be laid out again.
///
/// Most mail is broken at about 72 columns. In a narrower window each of its lines would become a full and a
/// very short one. Only lines that do not fit are touched, and only where the next word would not have fitted
/// on the line in the writer's own window; lists, tables, code and indented text stay as they are.
enum HardBreaks {
    /// Wider lines were not broken by a program.
    private static let widest = 100
    private static let deepestIndent = 3
    private static let deepestItem = 6

    /// The lines of one block, those that belong together joined, unless all of them fit.
    static func joined(_ lines: [String], columns: Int) -> [String] {
        let widths = lines.map { LineWrapper.width($0.trimmedEnd) }
        let width = zip(lines, widths).filter { $0.0.hasInnerBlank }.map(\.1).max() ?? 0
        guard lines.count > 1, width > columns, width <= widest else { return lines }
        var result: [String] = []
        for (index, line) in lines.enumerated() {
            if index > 0, isBroken(lines[index - 1], widths[index - 1], before: line, at: width) {
                let text = line.drop { $0 == " " }
                result[result.count - 1] = result[result.count - 1].trimmedEnd + " " + text
            } else {
                result.append(line)
            }
        }
        return result
    }

    private static func isBroken(_ line: String, _ lineWidth: Int, before next: String, at width: Int) -> Bool {
        guard lineWidth * 3 > width * 2, isProse(line), isProse(next) else { return false }
        let indent = textStart(of: line)
        let isItem = indent > line.prefix { $0 == " " }.count
        guard indent <= (isItem ? deepestItem : deepestIndent), indent == next.prefix(while: { $0 == " " }).count else {
            return false
        }
        guard let last = line.trimmedEnd.last, !"{};|\\".contains(last) else { return false }
        let word = next.drop { $0 == " " }.prefix { $0 != " " }
        guard !beginsItem(word) else { return false }
        return lineWidth + 1 + LineWrapper.width(word) > width
    }

    /// The column at which the words of a line begin: behind its indent and, in a list, behind its bullet.
    static func textStart(of line: String) -> Int {
        let indent = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(indent)
        let word = rest.prefix { $0 != " " }
        let gap = rest.dropFirst(word.count).prefix { $0 == " " }.count
        let isBullet = ["-", "*", "+", "•", "·", "–", "o"].contains(word)
        let isNumber =
            word.count <= 4 && (word.hasSuffix(".") || word.hasSuffix(")")) && word.first?.isNumber == true
            && word.dropLast().allSatisfy(\.isNumber)
        guard isBullet || isNumber, (1...3).contains(gap) else { return indent }
        return indent + word.count + gap
    }

    /// Whether a line reads like a sentence: it has letters, and no columns made of blanks.
    private static func isProse(_ line: String) -> Bool {
        guard line.contains(where: \.isLetter), !line.contains("|") else { return false }
        var before: Character = "."
        var blanks = 0
        for character in line.trimmedEnd.drop(while: { $0 == " " }) {
            if character == " " {
                blanks += 1
                continue
            }
            // Two blanks end a sentence on a typewriter.
            if blanks > 1, blanks > 2 || !".?!:;,)\"".contains(before) { return false }
            blanks = 0
            before = character
        }
        return true
    }

    /// Whether a word begins an item of a list, a header field, a rule or a quotation.
    private static func beginsItem(_ word: Substring) -> Bool {
        guard let first = word.first, let last = word.last else { return true }
        if "-*+•·–—>#|=_~".contains(first) { return true }
        if last == ":" { return true }
        return word.count <= 4 && (last == "." || last == ")")
            && (word.dropLast().allSatisfy(\.isNumber) || word.count == 2)
    }
}

extension String {
    /// The text without the blanks at its end.
    var trimmedEnd: String {
        guard utf8.last == 0x20 else { return self }
        var end = utf8.endIndex
        while end > utf8.startIndex, utf8[utf8.index(before: end)] == 0x20 { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    fileprivate var hasInnerBlank: Bool { trimmedEnd.drop { $0 == " " }.contains(" ") }
}
