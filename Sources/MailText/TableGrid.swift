internal import HTML

/// The cells of a table, in rows and columns.
struct TableGrid {
    /// A cell; one that another cell reaches over has no element.
    struct Cell {
        var element: HTMLElement?
        var isHeader = false
    }

    private static let mostRows = 500
    private static let mostColumns = 12
    private static let mostNodes = 6_000
    /// Elements that show that a table puts a page in order and not data.
    private static let pageElements: Set<String> = [
        "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote", "pre", "form",
    ]

    private(set) var rows: [[Cell]] = []
    private(set) var columns = 0
    private(set) var caption: HTMLElement?
    /// Whether the author drew lines around the cells.
    private(set) var hasBorders = false
    private var hasHead = false
    /// Rows that a cell still reaches down, by column.
    private var reaching: [Int] = []

    /// `nil` when the table cannot hold data.
    init?(_ table: HTMLElement) {
        guard table.hasNodes(atMost: TableGrid.mostNodes), !table.contains(anyOf: TableGrid.pageElements) else {
            return nil
        }
        hasBorders = (table.attribute("border").flatMap { Int($0) } ?? 0) > 0
        guard take(table), rows.count > 1, columns > 1 else { return nil }
        for index in rows.indices {
            while rows[index].count < columns { rows[index].append(Cell()) }
        }
    }

    /// Whether the first row names the columns.
    var hasHeader: Bool {
        guard let first = rows.first else { return false }
        return hasHead
            || first.allSatisfy { $0.isHeader || $0.element?.textContent.isBlank != false }
                && first.contains { $0.isHeader }
    }

    private mutating func take(_ element: HTMLElement) -> Bool {
        for child in element.children {
            guard let part = child.element else {
                if case .text(let text) = child, !text.isBlank { return false }
                continue
            }
            let style = ElementStyle(part)
            if style.display == ElementStyle.Display.none || style.isInvisible { continue }
            switch part.name {
            case "colgroup", "col": continue
            case "caption": caption = part
            case "thead", "tbody", "tfoot":
                if part.name == "thead", rows.isEmpty { hasHead = true }
                guard take(part) else { return false }
            case "tr": guard takeRow(part) else { return false }
            default: return false
            }
        }
        return true
    }

    private mutating func takeRow(_ row: HTMLElement) -> Bool {
        var cells: [Cell] = []
        func addReached() {
            while cells.count < reaching.count, reaching[cells.count] > 0 {
                reaching[cells.count] -= 1
                cells.append(Cell())
            }
        }
        for child in row.children {
            guard let cell = child.element else {
                if case .text(let text) = child, !text.isBlank { return false }
                continue
            }
            guard ["td", "th"].contains(cell.name) else { return false }
            let style = ElementStyle(cell)
            if style.display == ElementStyle.Display.none || style.isInvisible { continue }
            if style.hasBorder { hasBorders = true }
            addReached()
            let span = max(1, min(TableGrid.mostColumns, Int(cell.attribute("colspan") ?? "") ?? 1))
            let height = max(1, min(TableGrid.mostRows, Int(cell.attribute("rowspan") ?? "") ?? 1))
            for index in 0..<span {
                while reaching.count <= cells.count { reaching.append(0) }
                reaching[cells.count] = height - 1
                cells.append(index == 0 ? Cell(element: cell, isHeader: cell.name == "th") : Cell())
            }
        }
        addReached()
        if cells.isEmpty { return true }
        rows.append(cells)
        columns = max(columns, cells.count)
        return columns <= TableGrid.mostColumns && rows.count <= TableGrid.mostRows
    }
}

extension HTMLElement {
    /// Whether no more than so many nodes are below.
    func hasNodes(atMost limit: Int) -> Bool {
        var left = limit
        return takeNodes(&left)
    }

    private func takeNodes(_ left: inout Int) -> Bool {
        for child in children {
            left -= 1
            if left < 0 { return false }
            if let element = child.element, !element.takeNodes(&left) { return false }
        }
        return true
    }
}
