/// A row of an editor's window, fit for a terminal.
package struct TextRow: Sendable, Hashable {
    /// The line of the text.
    package var line: Int
    package var text: String
    /// The columns that are selected.
    package var selected: Range<Int>
}

/// What is shown.
extension TextEditor {
    /// Moves the window so that the cursor is in it.
    mutating func keepInView() {
        top.line = min(top.line, lines.count - 1)
        let here = Row(line: cursor.line, row: row(of: cursor).row)
        let rows = max(1, size.rows)
        if (here.line, here.row) < (top.line, top.row) {
            top = here
        } else if !isInView(here, rows: rows) {
            top = walk(from: here, by: -(rows - 1)) ?? here
        }
    }

    private func isInView(_ row: Row, rows: Int) -> Bool {
        // A line takes a row at least, so a far one need not be laid out.
        if row.line - top.line >= rows { return false }
        if row.line == top.line { return row.row - top.row < rows }
        var used = max(1, lines[top.line].rowStarts(columns: columns).count - top.row)
        for line in (top.line + 1)..<max(top.line + 1, row.line) where used < rows {
            used += lines[line].rowStarts(columns: columns).count
        }
        return used + row.row < rows
    }

    /// The rows of the window, and the cursor's place in it; fewer rows where the text ends.
    package var window: (rows: [TextRow], cursor: Position) {
        var (rows, position) = ([TextRow](), Position(row: 0, column: 0))
        var line = top.line
        var first = top.row
        while line < lines.count, rows.count < size.rows {
            let starts = lines[line].rowStarts(columns: columns)
            for row in min(first, starts.count - 1)..<starts.count where rows.count < size.rows {
                let end = row + 1 < starts.count ? starts[row + 1] : lines[line].count
                if cursor.line == line, cursor.column >= starts[row], cursor.column < end || row + 1 == starts.count {
                    let column = lines[line].column(of: cursor.column, from: starts[row])
                    position = Position(row: rows.count, column: min(columns, column))
                }
                rows.append(shown(line, starts[row]..<end))
            }
            (line, first) = (line + 1, 0)
        }
        return (rows, position)
    }

    /// How many rows are above the window, so that it can be told that there are some.
    package var isAtStart: Bool { top == Row() }

    private func shown(_ line: Int, _ range: Range<Int>) -> TextRow {
        var (text, column, selected) = ("", 0, 0..<0)
        let (from, to) = (selection?.lowerBound ?? cursor, selection?.upperBound ?? cursor)
        // Blanks that have no room are at the end of a row, and there may be many of them.
        for place in range {
            if column > columns { break }
            let width = lines[line].width(place, at: column)
            let character = lines[line].characters[place]
            text += character == "\t" ? String(repeating: " ", count: width) : EditedLine.shown(character)
            let here = Place(line: line, column: place)
            if here >= from, here < to {
                selected = (selected.isEmpty ? column : selected.lowerBound)..<(column + width)
            }
            column += width
        }
        return TextRow(line: line, text: text, selected: selected)
    }

    /// The place that is shown at a place of the window.
    package func place(at position: Position) -> Place {
        guard let row = walk(from: top, by: max(0, position.row)) else { return cursor }
        let starts = lines[row.line].rowStarts(columns: columns)
        let isLast = row.row + 1 >= starts.count
        let end = isLast ? lines[row.line].count : starts[row.row + 1] - 1
        return Place(
            line: row.line,
            column: lines[row.line].place(
                at: max(0, position.column), from: starts[min(row.row, starts.count - 1)], to: end))
    }
}

extension TextEditor {
    /// Whether the cursor is on the first row of the text.
    package var isOnFirstRow: Bool { cursor.line == 0 && row(of: cursor).row == 0 }

    /// Ends the selection; the text stays as it is.
    package mutating func clearSelection() { endSelection() }
}
