internal import DisplayText

/// One cell of the screen: a grapheme and its style.
package struct Cell: Sendable, Hashable {
    /// The grapheme shown, already sanitised. Empty in the second half of a wide character.
    package var text: String
    package var style: Style

    package init(text: String = " ", style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// A screen of cells, drawn by views and painted by the terminal driver.
///
/// Drawing outside the grid is clipped; a wide character that does not fit leaves a blank.
package struct Grid: Sendable, Hashable {
    package private(set) var size: Size
    /// Row-major cells, `size.rows * size.columns` of them.
    package private(set) var cells: [Cell]
    /// Where the hardware cursor sits; `nil` hides it.
    package var cursor: Position?

    package init(size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
    }

    package subscript(row: Int, column: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }

    /// Writes `text` from a position to the right, at most `columnsMax` cells; answers the cells written.
    @discardableResult
    package mutating func write(
        _ text: String, row: Int, column: Int, style: Style = .plain, columnsMax: Int = .max
    ) -> Int {
        guard row >= 0, row < size.rows, column >= 0 else { return 0 }
        let limit = min(size.columns, columnsMax == .max ? size.columns : column + columnsMax)
        var at = column
        for character in text {
            let width = TextDisplay.width(of: String(character))
            guard at + width <= limit else { break }
            if width == 0 { continue }
            self[row, at] = Cell(text: String(character), style: style)
            if width == 2 { self[row, at + 1] = Cell(text: "", style: style) }
            at += width
        }
        return at - column
    }

    /// Fills a rectangle with blanks of one style.
    package mutating func fill(_ rect: Rect, style: Style = .plain) {
        for row in max(0, rect.row)..<max(0, min(size.rows, rect.row + rect.rows)) {
            for column in max(0, rect.column)..<max(0, min(size.columns, rect.column + rect.columns)) {
                self[row, column] = Cell(text: " ", style: style)
            }
        }
    }

    /// The text of a row, wide characters once, trailing blanks kept.
    package func rowText(_ row: Int) -> String {
        (0..<size.columns).map { self[row, $0].text }.joined()
    }
}
