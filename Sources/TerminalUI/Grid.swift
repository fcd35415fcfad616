internal import DisplayText

/// One cell of the screen: a grapheme and its style.
package struct Cell: Sendable, Hashable {
    /// The grapheme shown, already sanitised.
    ///
    /// Empty in the second half of a wide character.
    package var text: String
    package var style: Style
    /// The link the cell is a part of, by its number in the grid's `links`; 0 for none.
    package var link: UInt64 = 0

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
    /// The addresses of the links that cells are parts of.
    package private(set) var links: [UInt64: String] = [:]
    /// Pictures that the terminal draws itself, over cells that are blank here.
    package internal(set) var pictures: [GridPicture] = []
    /// Whether `write` puts text that runs from right to left in the order in which it is drawn.
    package var ordersText = false

    package init(size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
    }

    /// One cell; outside the grid a blank is read and nothing is written.
    package subscript(row: Int, column: Int) -> Cell {
        get { contains(row, column) ? cells[row * size.columns + column] : Cell() }
        set {
            guard contains(row, column) else { return }
            cells[row * size.columns + column] = newValue
        }
    }

    private func contains(_ row: Int, _ column: Int) -> Bool {
        row >= 0 && row < size.rows && column >= 0 && column < size.columns
    }

    /// Writes `text` from a position to the right, at most `columnsMax` cells; answers the cells written.
    ///
    /// Each call is one field: what runs from right to left in it never mixes with its neighbours. Text that
    /// `isOrdered` is drawn as it is. With `link` the cells are a link to an address, where the terminal has links.
    @discardableResult
    package mutating func write(
        _ text: String, row: Int, column: Int, style: Style = .plain, columnsMax: Int = .max, isOrdered: Bool = false,
        link: String? = nil
    ) -> Int {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns, columnsMax > 0 else { return 0 }
        let limit = column + min(size.columns - column, columnsMax)
        let number = link.map { register($0) } ?? 0
        var at = column
        var last: Int?
        let drawn = ordersText && !isOrdered ? TextDisplay.visualField(text) : text
        for scalar in drawn.unicodeScalars {
            let width = TextDisplay.width(of: scalar)
            if width == 0 {
                if let last, scalar.value >= 0x300 { self[row, last].text.unicodeScalars.append(scalar) }
                continue
            }
            guard at + width <= limit else { break }
            var cell = Cell(text: String(Character(scalar)), style: style)
            cell.link = number
            place(cell, width: width, row: row, column: at)
            last = at
            at += width
        }
        if !pictures.isEmpty { cover(Rect(row: row, column: column, columns: at - column, rows: 1)) }
        return at - column
    }

    /// Puts a cell down; a wide character cut in half by it becomes blanks.
    private mutating func place(_ cell: Cell, width: Int, row: Int, column: Int) {
        clearHalves(row: row, from: column, to: column + width)
        self[row, column] = cell
        guard width == 2 else { return }
        var half = cell
        half.text = ""
        self[row, column + 1] = half
    }

    /// The number of an address: the same in every grid, so that a cell that keeps its link compares equal.
    private mutating func register(_ address: String) -> UInt64 {
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in address.utf8 { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }
        guard number != 0, links[number].map({ $0 == address }) ?? true else { return 0 }
        links[number] = address
        return number
    }

    /// Whether a cell is the first half of a wide character.
    package func isWide(row: Int, column: Int) -> Bool {
        column + 1 < size.columns && self[row, column + 1].text.isEmpty
    }

    /// Whether a row is shown differently in another grid of the same size, or there is no other.
    package func rowDiffers(from other: Grid?, row: Int) -> Bool {
        guard let other, other.size == size else { return true }
        let range = row * size.columns..<(row + 1) * size.columns
        return cells[range] != other.cells[range]
    }

    /// Blanks the outer halves of wide characters that cross the ends of a range.
    private mutating func clearHalves(row: Int, from: Int, to: Int) {
        if from > 0, self[row, from].text.isEmpty { self[row, from - 1].text = " " }
        if to < size.columns, self[row, to].text.isEmpty { self[row, to].text = " " }
    }

    /// The columns and rows of a rectangle that lie in the grid.
    private func clip(_ rect: Rect) -> (rows: Range<Int>, columns: Range<Int>)? {
        let rows = max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.row + rect.rows))
        let columns = max(0, rect.column)..<max(0, rect.column, min(size.columns, rect.column + rect.columns))
        return rows.isEmpty || columns.isEmpty ? nil : (rows, columns)
    }

    /// Fills a rectangle with blanks of one style.
    package mutating func fill(_ rect: Rect, style: Style = .plain) {
        guard let (rows, columns) = clip(rect) else { return }
        if !pictures.isEmpty { cover(rect) }
        for row in rows {
            clearHalves(row: row, from: columns.lowerBound, to: columns.upperBound)
            for column in columns { self[row, column] = Cell(text: " ", style: style) }
        }
    }

    /// Changes the style of a rectangle and keeps its text, as for a selected row.
    package mutating func putStyle(_ rect: Rect, change: (inout Style) -> Void) {
        guard let (rows, columns) = clip(rect) else { return }
        for row in rows {
            for column in columns { change(&cells[row * size.columns + column].style) }
        }
    }

    /// The text of a row, wide characters once, trailing blanks kept.
    package func rowText(_ row: Int) -> String {
        guard row >= 0, row < size.rows else { return "" }
        return (0..<size.columns).map { self[row, $0].text }.joined()
    }
}
