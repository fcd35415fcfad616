/// A table of short texts, laid out with its columns below each other where they fit, else as labels and values.
struct DataTable {
    /// A cell's paragraphs, each one line of any width.
    struct Cell {
        var lines: [[TextRun]]
        var isHeader = false
        var isAlignedRight = false

        var text: String { lines.joined().reduce(into: "") { $0 += $1.text } }
        var isEmpty: Bool { lines.isEmpty }
        var width: Int { lines.map(DataTable.width).max() ?? 0 }
    }

    private static let longestCell = 300
    private static let longestMean = 60
    private static let shortCell = 40
    private static let gap = 2
    private static let mostLinesOfCell = 6

    private(set) var rows: [[Cell]]
    let hasHeader: Bool
    private let isNumeric: [Bool]

    /// `nil` when the cells do not look like data: long, mostly alone in their row, or without any sign of order.
    init?(rows all: [[Cell]], hasHeader: Bool, hasBorders: Bool) {
        let kept = DataTable.withoutEmptyColumns(all.filter { $0.contains { !$0.isEmpty } })
        guard kept.count > 1, let columns = kept.first?.count, columns > 1 else { return nil }
        rows = kept
        self.hasHeader = hasHeader && all.first?.contains { !$0.isEmpty } == true
        let body = kept.dropFirst(self.hasHeader ? 1 : 0)
        isNumeric = (0..<columns).map { column in
            let cells = body.map { $0[column] }.filter { !$0.isEmpty }
            let figures = cells.count { DataTable.isFigure($0.text, withWords: false) }
            let aligned = cells.count(where: \.isAlignedRight)
            return !cells.isEmpty && (column > 0 && figures == cells.count || aligned * 2 > cells.count)
        }
        guard DataTable.isData(Array(body), hasHeader: self.hasHeader, hasBorders: hasBorders) else { return nil }
    }

    /// The cells that a line of text takes.
    static func width(_ runs: [TextRun]) -> Int { runs.reduce(0) { $0 + LineWrapper.width($1.text) } }

    private static func withoutEmptyColumns(_ rows: [[Cell]]) -> [[Cell]] {
        guard let count = rows.first?.count else { return [] }
        let kept = (0..<count).filter { column in rows.contains { !$0[column].isEmpty } }
        return rows.map { row in kept.map { row[$0] } }
    }

    private static func isData(_ body: [[Cell]], hasHeader: Bool, hasBorders: Bool) -> Bool {
        let filled = body.joined().filter { !$0.isEmpty }
        let lengths = filled.map { $0.text.utf8.count }
        guard !filled.isEmpty, lengths.max() ?? 0 <= longestCell,
            lengths.reduce(0, +) <= longestMean * filled.count
        else { return false }
        let full = body.count { row in row.count { !$0.isEmpty } > 1 }
        guard full * 10 >= body.count * 6 else { return false }
        if hasHeader || hasBorders { return true }
        guard body.count > 1, let columns = body.first?.count else { return false }
        let isLabelled = body.count { $0[0].text.hasSuffix(":") } * 2 > body.count
        let hasFigures = (1..<columns).contains { column in
            let cells = body.map { $0[column] }.filter { !$0.isEmpty }
            return cells.count > 1 && cells.count { isFigure($0.text) } * 10 >= cells.count * 6
        }
        return isLabelled || hasFigures && (lengths.max() ?? 0) <= shortCell * 2
    }

    /// Whether a text is a number, a sum or a share; `withWords`, also a date or a measure.
    private static func isFigure(_ text: String, withWords: Bool = true) -> Bool {
        guard text.utf8.count <= 24, text.contains(where: \.isNumber) else { return false }
        var letters = 0
        for character in text {
            if character.isNumber || "+-−–.,: %€$£¥/()×x'’\u{A0}".contains(character) { continue }
            guard character.isLetter, withWords || character.isUppercase else { return false }
            letters += 1
        }
        return letters <= 3
    }
}

extension DataTable {
    /// The lines of the table with its columns side by side; `nil` when they do not fit `room`.
    func drawn(room: Int, role: TextRole) -> [[TextRun]]? {
        guard let widths = columnWidths(room: room) else { return nil }
        var lines: [[TextRun]] = []
        for (index, row) in rows.enumerated() {
            guard let drawn = drawnRow(row, widths, role) else { return nil }
            lines += drawn
            if index == 0, hasHeader { lines.append(rule(widths, role)) }
        }
        return lines
    }

    private func columnWidths(room: Int) -> [Int]? {
        let columns = 0..<(rows.first?.count ?? 0)
        let available = room - DataTable.gap * (columns.count - 1)
        let natural = columns.map { column in rows.map { $0[column].width }.max() ?? 0 }
        let total = natural.reduce(0, +)
        if total <= available { return natural }
        // Numbers stay whole, and so do the labels of pairs.
        let least = columns.map { column in
            if isNumeric[column] || column == 0 && columns.count == 2 && !hasHeader { return natural[column] }
            return rows.map { row in row[column].lines.map(LineWrapper.widestWord).max() ?? 0 }.max() ?? 0
        }
        let leastTotal = least.reduce(0, +)
        guard leastTotal <= available, available > 0 else { return nil }
        // What is left beyond the longest words goes to the columns that need it, in proportion.
        let wish = total - leastTotal
        var widths = columns.map { least[$0] + (natural[$0] - least[$0]) * (available - leastTotal) / max(1, wish) }
        var left = available - widths.reduce(0, +)
        for column in columns where left > 0 && widths[column] < natural[column] {
            widths[column] += 1
            left -= 1
        }
        return widths
    }

    private func drawnRow(_ row: [Cell], _ widths: [Int], _ role: TextRole) -> [[TextRun]]? {
        let cells = row.indices.map { column in
            row[column].lines.flatMap { LineWrapper.wrap($0, columns: widths[column], keepsIndent: false) }
        }
        let height = cells.map(\.count).max() ?? 0
        guard height <= DataTable.mostLinesOfCell || widths.count == 1 else { return nil }
        return (0..<height).map { line in
            var runs: [TextRun] = []
            var blanks = 0
            for column in cells.indices {
                let piece = line < cells[column].count ? cells[column][line] : []
                let free = widths[column] - DataTable.width(piece)
                if isNumeric[column] { blanks += free }
                if !piece.isEmpty {
                    if blanks > 0 { runs.append(TextRun(String(repeating: " ", count: blanks), role)) }
                    runs += piece
                    blanks = 0
                }
                if !isNumeric[column] { blanks += free }
                blanks += DataTable.gap
            }
            return runs
        }
    }

    private func rule(_ widths: [Int], _ role: TextRole) -> [TextRun] {
        let parts = widths.map { String(repeating: "─", count: $0) }
        return [TextRun(parts.joined(separator: String(repeating: " ", count: DataTable.gap)), role.adding(.dim))]
    }
}
