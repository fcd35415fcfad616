internal import DisplayText
internal import HTML

/// A table of short texts whose columns fit side by side.
///
/// Tables with links, images, blocks or spanning cells, and those that are too wide, are laid out as blocks.
struct AlignedTable {
    private struct Cell {
        var text: String
        var isStrong: Bool
        var width: Int
    }

    private static let mostRows = 500
    private static let mostColumns = 12
    private static let gap = 2

    private var rows: [[Cell]] = []
    private var widths: [Int] = []
    /// Columns of numbers are aligned at their right.
    private var isNumeric: [Bool] = []

    /// The table of an element; `nil` when its columns do not fit `room` side by side.
    init?(_ table: HTMLElement, room: Int) {
        guard let found = AlignedTable.rows(of: table), found.count > 1, found.count <= AlignedTable.mostRows,
            let columns = found.first?.count, (2...AlignedTable.mostColumns).contains(columns),
            found.allSatisfy({ $0.count == columns })
        else { return nil }
        rows = found
        widths = (0..<columns).map { column in found.map { $0[column].width }.max() ?? 0 }
        guard widths.reduce(0, +) + AlignedTable.gap * (columns - 1) <= room else { return nil }
        isNumeric = (0..<columns).map { column in
            column > 0 && found.dropFirst().allSatisfy { AlignedTable.isNumber($0[column].text) }
        }
    }

    /// The lines of the table.
    func lines(_ role: TextRole) -> [[TextRun]] {
        rows.filter { $0.contains { $0.width > 0 } }.map { cells in
            var runs: [TextRun] = []
            var blanks = 0
            for (column, cell) in cells.enumerated() {
                let free = widths[column] - cell.width
                if isNumeric[column] { blanks += free }
                if !cell.text.isEmpty {
                    if blanks > 0 { runs.append(TextRun(String(repeating: " ", count: blanks), role)) }
                    runs.append(TextRun(cell.text, cell.isStrong ? role.adding(.strong) : role))
                    blanks = 0
                }
                if !isNumeric[column] { blanks += free }
                blanks += AlignedTable.gap
            }
            return runs
        }
    }

    private static func rows(of element: HTMLElement) -> [[Cell]]? {
        var rows: [[Cell]] = []
        for child in element.children {
            guard let part = child.element else {
                if case .text(let text) = child, !text.allSatisfy(\.isWhitespace) { return nil }
                continue
            }
            if part.isHidden || ["colgroup", "col"].contains(part.name) { continue }
            switch part.name {
            case "thead", "tbody", "tfoot":
                guard let inner = self.rows(of: part) else { return nil }
                rows += inner
            case "tr":
                guard let cells = cells(of: part) else { return nil }
                if !cells.isEmpty { rows.append(cells) }
            default: return nil
            }
            guard rows.count <= mostRows else { return nil }
        }
        return rows
    }

    private static func cells(of row: HTMLElement) -> [Cell]? {
        var budget = 100
        var cells: [Cell] = []
        for child in row.children {
            guard let cell = child.element else { continue }
            if cell.isHidden { continue }
            guard ["td", "th"].contains(cell.name), cell.attribute("colspan") == nil, cell.attribute("rowspan") == nil,
                cells.count < mostColumns, cell.isInlineOnly(budget: &budget), isText(cell)
            else { return nil }
            let words = cell.textContent.split { $0.isWhitespace }.joined(separator: " ")
            let text = TextDisplay.sanitizedLine(words)
            let isStrong = cell.name == "th" || cell.isStyledStrong
            cells.append(Cell(text: text, isStrong: isStrong, width: TextDisplay.width(of: text)))
        }
        return cells
    }

    /// Whether an element holds nothing but plain text in plain dress.
    private static func isText(_ element: HTMLElement) -> Bool {
        element.children.compactMap(\.element).allSatisfy { child in
            ["b", "strong", "i", "em", "span", "font", "small", "code", "u"].contains(child.name) && !child.isHidden
                && isText(child)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.isEmpty || (text.contains { $0.isNumber } && text.allSatisfy { $0.isNumber || "+-−.,: %€$£".contains($0) })
    }
}
