/// Rows of a picture that the terminal draws itself, and where they are on the screen.
package struct GridPicture: Sendable, Hashable {
    /// The number that the terminal knows the picture by.
    package var image: UInt32
    /// The whole picture in cells.
    package var whole: Size
    /// The picture's first row that is shown.
    package var firstRow: Int
    /// The cells it is shown in.
    package var place: Rect

    package init(image: UInt32, whole: Size, firstRow: Int, place: Rect) {
        self.image = image
        self.whole = whole
        self.firstRow = firstRow
        self.place = place
    }
}

extension Grid {
    /// Shows one row of a picture, clipped to the grid and to `columnsMax` cells.
    ///
    /// Rows that follow each other become one part. What is written over a row later takes it away.
    package mutating func showPicture(
        _ image: UInt32, of whole: Size, pictureRow: Int, row: Int, column: Int, columnsMax: Int
    ) {
        let columns = min(whole.columns, columnsMax, size.columns - column)
        guard row >= 0, row < size.rows, column >= 0, columns > 0, pictureRow >= 0, pictureRow < whole.rows else {
            return
        }
        if let last = pictures.last, last.image == image, last.place.column == column, last.place.columns == columns,
            last.place.row + last.place.rows == row, last.firstRow + last.place.rows == pictureRow
        {
            pictures[pictures.count - 1].place.rows += 1
            return
        }
        let place = Rect(row: row, column: column, columns: columns, rows: 1)
        pictures.append(GridPicture(image: image, whole: whole, firstRow: pictureRow, place: place))
    }

    /// Takes away the rows of pictures that something else was drawn over.
    mutating func cover(_ rect: Rect) {
        pictures = pictures.flatMap { picture -> [GridPicture] in
            let place = picture.place
            let isBeside = rect.column >= place.column + place.columns || rect.column + rect.columns <= place.column
            let first = max(rect.row, place.row)
            let end = min(rect.row + rect.rows, place.row + place.rows)
            guard !isBeside, first < end else { return [picture] }
            return [picture.rows(from: place.row, to: first), picture.rows(from: end, to: place.row + place.rows)]
                .compactMap(\.self)
        }
    }
}

extension GridPicture {
    /// The part between two rows of the screen; `nil` when that is none.
    fileprivate func rows(from first: Int, to end: Int) -> GridPicture? {
        guard first < end else { return nil }
        var part = self
        part.firstRow += first - place.row
        part.place.row = first
        part.place.rows = end - first
        return part
    }
}
