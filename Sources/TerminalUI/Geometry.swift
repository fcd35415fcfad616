/// A size in terminal cells.
package struct Size: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A cell position; row 0, column 0 is the top left corner.
package struct Position: Sendable, Hashable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A rectangle of cells.
package struct Rect: Sendable, Hashable {
    package var row: Int
    package var column: Int
    package var columns: Int
    package var rows: Int

    /// Whether a cell lies in it.
    package func contains(_ place: Position) -> Bool {
        (row..<row + rows).contains(place.row) && (column..<column + columns).contains(place.column)
    }

    package init(row: Int, column: Int, columns: Int, rows: Int) {
        self.row = row
        self.column = column
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}
