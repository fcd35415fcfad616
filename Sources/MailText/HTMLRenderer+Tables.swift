internal import HTML

extension HTMLRenderer {
    private static let mostNodesOfRow = 80
    private static let widestAlignedRow = 72
    /// A first cell as narrow as this is the bullet of the second.
    private static let widestBullet = 4
    private static let widestTab = 30

    /// Data is drawn as a table; a table that puts a page in order is read cell by cell.
    mutating func visitTable(_ element: HTMLElement, _ context: Context) {
        guard !isCollecting, let grid = TableGrid(element) else { return walkChildren(element, context) }
        let knownLinks = links
        let openLink = writer.openLink
        let rows = grid.rows.enumerated().map { index, row in
            row.map { collectCell($0, isHeader: $0.isHeader || index == 0 && grid.hasHeader, context) }
        }
        guard let table = DataTable(rows: rows, hasHeader: grid.hasHeader, hasBorders: grid.hasBorders) else {
            links = knownLinks
            writer.openLink = openLink
            return walkChildren(element, context)
        }
        writer.addSpace(16)
        if let caption = grid.caption {
            walkChildren(caption, context)
            writer.endBlock()
        }
        addTable(table, context)
        writer.addSpace(16)
    }

    private mutating func collectCell(_ cell: TableGrid.Cell, isHeader: Bool, _ context: Context) -> DataTable.Cell {
        guard let element = cell.element else { return DataTable.Cell(lines: []) }
        let style = ElementStyle(element)
        var inner = context.inside(element, style)
        if isHeader { inner.role.marks.insert(.strong) }
        let lines = collect(element, inner).map(\.runs).filter { !$0.isEmpty }
        return DataTable.Cell(lines: lines, isHeader: isHeader, isAlignedRight: style.isAlignedRight)
    }

    private mutating func addTable(_ table: DataTable, _ context: Context) {
        if let lines = table.drawn(room: writer.room, role: context.role) {
            for line in lines { writer.addLine(line) }
            return
        }
        for (index, row) in table.rows.enumerated() where index > 0 || !table.hasHeader {
            addRecord(row, names: table.hasHeader ? table.rows[0] : nil, context)
            if table.hasHeader || row.count > 2 { writer.addSpace(16) }
        }
    }

    /// A row that does not fit: each cell after the name of its column, or all of them after the first.
    private mutating func addRecord(_ row: [DataTable.Cell], names: [DataTable.Cell]?, _ context: Context) {
        writer.pushPrefix(first: "", rest: "", role: context.role)
        for (column, cell) in row.enumerated() where !cell.isEmpty {
            if let name = names?[column], !name.isEmpty {
                writer.addRuns(Array(name.lines.joined()))
                writer.addLiteral(name.text.hasSuffix(":") ? " " : ": ", context.role)
            } else if names == nil, column == 0, row.count == 2, !cell.text.hasSuffix(":"), !row[1].isEmpty {
                writer.addRuns(Array(cell.lines.joined()))
                writer.addLiteral(": ", context.role)
                continue
            }
            for (index, line) in cell.lines.enumerated() {
                if index > 0 { writer.addLiteral(" ", context.role) }
                writer.addRuns(line)
            }
            if names == nil, column == 0, row.count == 2 {
                writer.addLiteral(" ", context.role)
            } else {
                writer.endBlock()
            }
        }
        writer.endBlock()
        writer.popPrefix()
    }

    /// Short cells share a line; others are blocks of their own.
    mutating func visitRow(_ element: HTMLElement, _ context: Context) {
        let cells = element.children.compactMap(\.element).filter { cell in
            guard ["td", "th"].contains(cell.name) else { return false }
            let style = ElementStyle(cell)
            return style.display != ElementStyle.Display.none && !style.isInvisible
        }
        guard cells.count > 1 else { return walkChildren(element, context) }
        guard !isCollecting else {
            for cell in cells {
                writer.addGap(context.role)
                walkChildren(cell, context.inside(cell, ElementStyle(cell)))
            }
            return
        }
        guard cells.allSatisfy({ $0.hasNodes(atMost: HTMLRenderer.mostNodesOfRow) }) else {
            return walkChildren(element, context)
        }
        let knownLinks = links
        let openLink = writer.openLink
        var shown: [(cell: HTMLElement, lines: [TextLine], isAlignedRight: Bool)] = []
        for cell in cells {
            let style = ElementStyle(cell)
            let lines = collect(cell, context.inside(cell, style))
            if !lines.isEmpty { shown.append((cell, lines, style.isAlignedRight)) }
        }
        if shown.allSatisfy({ $0.lines.count == 1 }) {
            return addRow(shown.map { ($0.lines[0].runs, $0.isAlignedRight) }, context)
        }
        links = knownLinks
        writer.openLink = openLink
        if shown.count == 2, isBullet(shown[0].lines) {
            return visitBulletRow(shown[0].lines[0].text, shown[1].cell, context)
        }
        walkChildren(element, context)
    }

    private func isBullet(_ lines: [TextLine]) -> Bool {
        lines.count == 1 && isBullet(lines[0].runs)
    }

    private func isBullet(_ runs: [TextRun]) -> Bool {
        (1...HTMLRenderer.widestBullet).contains(DataTable.width(runs))
            && !runs.contains { $0.role.link != nil || $0.text.contains(where: \.isLetter) }
    }

    private mutating func visitBulletRow(_ text: String, _ cell: HTMLElement, _ context: Context) {
        let rest = String(repeating: " ", count: LineWrapper.width(text) + 1)
        visitPrefixed(cell, context.inside(cell, ElementStyle(cell)), first: text + " ", rest: rest)
    }

    /// Lays cells of one line each out beside each other, or below where they are too wide for that.
    private mutating func addRow(_ cells: [(runs: [TextRun], isAlignedRight: Bool)], _ context: Context) {
        let widths = cells.map { DataTable.width($0.runs) }
        let total = widths.reduce(0, +) + 2 * max(0, cells.count - 1)
        let edge = min(writer.room, HTMLRenderer.widestAlignedRow)
        if cells.count == 2, total <= edge, cells[1].isAlignedRight {
            let blanks = String(repeating: "\u{A0}", count: edge - total + 2)
            writer.addRuns(cells[0].runs + [TextRun(blanks, TextRole(quoteLevel: context.role.quoteLevel))])
            writer.addRuns(cells[1].runs)
            return writer.endBlock()
        }
        if cells.count == 2, isBullet(cells[0].runs), widths[1] > HTMLRenderer.widestTab {
            let text = cells[0].runs.reduce(into: "") { $0 += $1.text }
            let rest = String(repeating: " ", count: widths[0] + 1)
            writer.pushPrefix(first: text + " ", rest: rest, role: cells[0].runs[0].role)
            writer.addRuns(cells[1].runs)
            writer.endBlock()
            return writer.popPrefix()
        }
        let isFlowing = total <= writer.room || widths.dropLast().allSatisfy { $0 <= HTMLRenderer.widestTab }
        for cell in cells {
            if isFlowing { writer.addGap(context.role) } else { writer.endBlock() }
            writer.addRuns(cell.runs)
        }
        writer.endBlock()
    }
}
