internal import DisplayText
internal import TerminalUI

/// Lines above the status line: what a typed line could become, and what may follow the keys typed.
extension AppState {
    /// How many lines of a menu fit without hiding what it is about.
    var menuRows: Int { max(1, min(12, layout.body.rows * 2 / 3)) }

    func drawMenu(of prompt: Prompt, in grid: inout Grid, body: Rect) {
        let menu = prompt.menu
        guard !menu.items.isEmpty, body.rows > 1 else { return }
        let rows = min(menu.items.count, menuRows, body.rows - 1)
        let selected = menu.selected ?? 0
        let first = max(0, min(selected - rows / 2, menu.items.count - rows))
        let shown = Array(menu.items[first..<first + rows])
        let box = clear(rows: rows, of: body, in: &grid)
        if menu.items.count > rows {
            let place = " \((menu.selected ?? 0) + 1) of \(menu.items.count) "
            let column = max(box.column, box.column + box.columns - TextDisplay.width(of: place) - 1)
            grid.write(place, row: box.row - 1, column: column, style: Style(dim: true))
        }
        let titles = shown.map { TextDisplay.width(of: $0.title) }.max() ?? 0
        let keys = shown.map { TextDisplay.width(of: $0.keys) }.max() ?? 0
        let titleColumns = min(titles, max(8, body.columns / 2))
        // Where there is little room the palette tells the keys, and the command line what the command does.
        let keysMost = body.columns >= 50 ? body.columns / 5 : prompt.kind == .palette ? 8 : 0
        let keyColumns = min(keys, keysMost)
        for (index, item) in shown.enumerated() {
            let isSelected = menu.selected == first + index
            let isDim = item.reason != nil
            var line = TextDisplay.padded((isSelected ? ">" : " ") + item.title, columns: titleColumns + 2)
            if keyColumns > 0 { line += TextDisplay.padded(" " + item.keys, columns: keyColumns + 2) }
            let style = Style(dim: isDim, reverse: isSelected)
            let row = Rect(row: box.row + index, column: box.column, columns: box.columns, rows: 1)
            grid.fill(row, style: style)
            let used = grid.write(line, row: row.row, column: row.column, style: style, columnsMax: row.columns)
            let room = row.columns - used - 2
            guard room > 8 else { continue }
            let detail = TextDisplay.truncated(item.reason ?? item.detail, columns: room)
            let detailStyle = Style(dim: true, italic: isDim, reverse: isSelected)
            grid.write(detail, row: row.row, column: row.column + used + 1, style: detailStyle)
        }
    }

    /// Takes rows off the bottom of the body, below a line that sets them apart.
    private func clear(rows: Int, of body: Rect, in grid: inout Grid) -> Rect {
        let box = Rect(row: body.row + body.rows - rows, column: body.column, columns: body.columns, rows: rows)
        grid.write(rule(columns: body.columns), row: box.row - 1, column: body.column, style: Style(dim: true))
        grid.fill(box)
        return box
    }

    /// What may follow the keys typed so far, each with what it does.
    var whichKeys: [String] {
        guard !pendingKeys.isEmpty else { return [] }
        return keyMap.continuations(of: KeySequence(keys: pendingKeys), in: context).map { binding in
            let invocation = binding.invocation
            let name = ActionTable.action(invocation.id, in: context)?.name ?? invocation.id.command
            return binding.keys.text + " " + (invocation.argument.isEmpty ? name : invocation.text)
        }
    }

    /// Whether everything that may follow the keys fits on a line of this width.
    func fitsOneLine(_ keys: [String], columns: Int) -> Bool {
        keys.reduce(-2) { $0 + 2 + TextDisplay.width(of: $1) } <= columns
    }

    /// What may follow the keys typed so far, in columns, where one line is too short for it.
    func drawWhichKeys(in grid: inout Grid, body: Rect) {
        let keys = whichKeys
        guard !keys.isEmpty, body.rows > 1 else { return }
        if layout.hints != nil, fitsOneLine(keys, columns: body.columns - 2) { return }
        let width = min(body.columns - 1, (keys.map { TextDisplay.width(of: $0) }.max() ?? 1) + 2)
        let columns = max(1, (body.columns - 1) / width)
        let rows = min((keys.count + columns - 1) / columns, body.rows - 1)
        let box = clear(rows: rows, of: body, in: &grid)
        for (index, text) in keys.prefix(rows * columns).enumerated() {
            grid.write(
                TextDisplay.truncated(text, columns: width), row: box.row + index % rows,
                column: box.column + 1 + index / rows * width)
        }
    }
}
