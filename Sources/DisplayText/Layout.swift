extension TextDisplay {
    /// One or two cells of text: a base and the marks on it.
    struct Piece {
        var text: String.UnicodeScalarView
        var width: Int
        var isBlank: Bool { text.first == " " }
    }

    /// `text` in pieces that cannot be divided.
    static func pieces(of text: some StringProtocol) -> [Piece] {
        var result: [Piece] = []
        for scalar in text.unicodeScalars {
            let width = width(of: scalar)
            if width > 0 {
                result.append(Piece(text: String.UnicodeScalarView([scalar]), width: width))
            } else if !result.isEmpty {
                result[result.count - 1].text.append(scalar)
            }
        }
        return result
    }

    /// `text` when it fits, otherwise its beginning and “…”; never wider than `columns`.
    package static func truncated(_ text: some StringProtocol, columns: Int) -> String {
        guard columns > 0 else { return "" }
        if text.utf8.count <= columns || width(of: text) <= columns { return String(text) }
        var kept = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            let width = width(of: scalar)
            guard used + width < columns else { break }
            kept.append(scalar)
            used += width
        }
        return String(kept) + "…"
    }

    /// `text` truncated or followed by blanks, exactly `columns` wide.
    package static func padded(_ text: some StringProtocol, columns: Int) -> String {
        let fitting = truncated(text, columns: columns)
        return fitting + String(repeating: " ", count: max(0, columns - width(of: fitting)))
    }

    /// `text` in lines no wider than `columns`, broken at blanks and between wide characters.
    ///
    /// A word longer than a line is divided. Line feeds begin a new line.
    package static func wrapped(_ text: some StringProtocol, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { wrappedLine($0, columns: max(1, columns)) }
    }

    /// `text` in lines no wider than `columns`, divided where a line is full, its blanks kept.
    package static func divided(_ text: some StringProtocol, columns: Int) -> [String] {
        if text.utf8.count <= columns { return [String(text)] }
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var used = 0
        for piece in pieces(of: text) {
            if used + piece.width > columns, !line.isEmpty {
                lines.append(String(line))
                line = String.UnicodeScalarView()
                used = 0
            }
            line.append(contentsOf: piece.text)
            used += piece.width
        }
        return lines + [String(line)]
    }

    private static func wrappedLine(_ text: some StringProtocol, columns: Int) -> [String] {
        if text.utf8.count <= columns { return [String(text)] }
        let pieces = pieces(of: text).map {
            $0.width <= columns ? $0 : Piece(text: "\u{FFFD}".unicodeScalars, width: 1)
        }
        var lines: [String] = []
        var start = 0
        while start < pieces.count {
            let end = lineEnd(pieces, from: start, columns: columns)
            lines.append(joined(pieces[start..<trimmed(pieces, from: start, to: end)]))
            start = end
            while start < pieces.count, pieces[start].isBlank { start += 1 }
        }
        return lines.isEmpty ? [""] : lines
    }

    /// Where the line that starts at an index ends: all that fits, back to the last place to break.
    private static func lineEnd(_ pieces: [Piece], from start: Int, columns: Int) -> Int {
        var end = start
        var used = 0
        while end < pieces.count, used + pieces[end].width <= columns {
            used += pieces[end].width
            end += 1
        }
        guard end < pieces.count else { return end }
        var place = end
        while place > start, !canBreak(pieces, before: place) { place -= 1 }
        // A line of blanks alone would show nothing: then the word is divided.
        return trimmed(pieces, from: start, to: place) > start ? place : end
    }

    private static func canBreak(_ pieces: [Piece], before index: Int) -> Bool {
        let next = pieces[index]
        let previous = pieces[index - 1]
        return next.isBlank || previous.isBlank || next.width == 2 || previous.width == 2
    }

    private static func trimmed(_ pieces: [Piece], from start: Int, to end: Int) -> Int {
        var end = end
        while end > start, pieces[end - 1].isBlank { end -= 1 }
        return end
    }

    private static func joined(_ pieces: ArraySlice<Piece>) -> String {
        var result = String.UnicodeScalarView()
        for piece in pieces { result.append(contentsOf: piece.text) }
        return String(result)
    }
}
