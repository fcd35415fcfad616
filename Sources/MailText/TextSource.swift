internal import DisplayText

/// A line of plain text without its quote marks.
struct SourceLine: Hashable {
    /// How deep the line is quoted.
    var level: Int
    var text: String

    init(level: Int, text: String) {
        self.level = level
        self.text = text
    }

    init(_ line: Substring) {
        guard line.utf8.first == 0x3E else {
            self.init(level: 0, text: String(line))
            return
        }
        var level = 0
        var rest = line[...]
        while rest.utf8.first == 0x3E {
            level += 1
            rest = rest.dropFirst()
            if rest.hasPrefix(" >") { rest = rest.dropFirst() }
        }
        if rest.utf8.first == 0x20 { rest = rest.dropFirst() }
        self.init(level: level, text: String(rest))
    }
}

/// The lines of a text as its writer meant them: soft line ends joined, divided addresses whole.
enum TextSource {
    /// More lines than this are not looked at.
    static let mostLines = 20_000
    /// A soft line end is believed where the next word would have passed this column.
    private static let flowedColumns = 60
    private static let longestLine = 100_000

    /// The lines of safe text.
    static func lines(of text: String) -> [SourceLine] {
        var lines: [SourceLine] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(mostLines) {
            lines.append(SourceLine(line))
        }
        for index in lines.indices where isStuffed(lines, at: index) {
            lines[index] = SourceLine(level: 0, text: lines[index].text)
        }
        if isFlowed(lines) { lines = flowed(lines) }
        return joinedAddresses(lines)
    }

    /// Programs that store mail write `>From` for a `From` that begins a line.
    private static func isStuffed(_ lines: [SourceLine], at index: Int) -> Bool {
        guard lines[index].level == 1, lines[index].text.hasPrefix("From ") else { return false }
        let before = index > 0 ? lines[index - 1].level : 0
        let after = index + 1 < lines.count ? lines[index + 1].level : 0
        return before == 0 && after == 0
    }

    private static func isSoft(_ lines: [SourceLine], at index: Int) -> Bool {
        guard index + 1 < lines.count, lines[index].text.utf8.last == 0x20, lines[index].text != "-- " else {
            return false
        }
        return !lines[index].text.isBlank && lines[index].level == lines[index + 1].level
            && !lines[index + 1].text.isBlank && lines[index + 1].text.utf8.first != 0x20
    }

    /// Whether blanks at the ends of lines are soft line ends (RFC 3676), which no header tells us.
    private static func isFlowed(_ lines: [SourceLine]) -> Bool {
        var soft = 0
        var full = 0
        for index in lines.indices where isSoft(lines, at: index) {
            soft += 1
            let next = lines[index + 1].text.prefix { $0 != " " }
            if LineWrapper.width(lines[index].text) + LineWrapper.width(next) > flowedColumns { full += 1 }
        }
        return soft > 1 && full * 10 >= soft * 8
    }

    private static func flowed(_ lines: [SourceLine]) -> [SourceLine] {
        var result: [SourceLine] = []
        for (index, line) in lines.enumerated() {
            if index > 0, isSoft(lines, at: index - 1), let last = result.last, last.text.utf8.count < longestLine {
                result[result.count - 1].text += line.text
            } else {
                result.append(line)
            }
        }
        return result
    }

    /// An address in angle brackets that goes on in the next line (RFC 3986, appendix C) in one piece.
    private static func joinedAddresses(_ lines: [SourceLine]) -> [SourceLine] {
        guard lines.contains(where: { hasOpenAddress($0.text) }) else { return lines }
        var result: [SourceLine] = []
        var joined = 0
        for line in lines {
            if joined < 8, let last = result.last, last.level == line.level, hasOpenAddress(last.text),
                let end = line.text.firstIndex(of: ">"), !line.text[..<end].contains(" "), end > line.text.startIndex
            {
                result[result.count - 1].text += line.text
                joined += 1
            } else {
                result.append(line)
                joined = 0
            }
        }
        return result
    }

    private static func hasOpenAddress(_ text: String) -> Bool {
        guard text.utf8.contains(0x3C), let bracket = text.lastIndex(of: "<") else { return false }
        let rest = text[text.index(after: bracket)...]
        let address = rest.hasPrefix("URL:") ? rest.dropFirst(4) : rest
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else { return false }
        return !rest.contains(">") && !rest.contains(" ") && LineWrapper.width(text) > flowedColumns
    }
}
