/// The room that a picture is drawn into, and how.
package struct PictureRoom: Sendable, Hashable {
    /// How a picture gets onto the screen.
    package enum Form: Sendable, Hashable {
        /// As letters in so many colours of the palette: 256, 16, 8, or 2 for none.
        case cells(colors: Int)
        /// As pixels, of which a cell has so many.
        case pixels(cellWidth: Int, cellHeight: Int)
    }

    package var columns: Int
    package var rows: Int
    package var form: Form

    package init(columns: Int, rows: Int, form: Form) {
        self.columns = max(1, min(PictureRoom.columnsMax, columns))
        self.rows = max(1, min(PictureRoom.rowsMax, rows))
        self.form = form
    }

    package static let columnsMax = 200
    package static let rowsMax = 60

    /// The words that the process which draws is told.
    var words: [String] {
        switch form {
        case .cells(let colors): ["cells", String(columns), String(rows), String(colors)]
        case .pixels(let width, let height):
            ["pixels", String(columns), String(rows), String(width), String(height)]
        }
    }

    /// Reads the words.
    init?(words: [String]) {
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard numbers.count == words.count - 1, numbers.allSatisfy({ (1...1_000).contains($0) }) else { return nil }
        switch (words.first, numbers.count) {
        case ("cells", 3):
            self.init(columns: numbers[0], rows: numbers[1], form: .cells(colors: numbers[2]))
        case ("pixels", 4) where numbers[2] <= 64 && numbers[3] <= 64:
            self.init(
                columns: numbers[0], rows: numbers[1], form: .pixels(cellWidth: numbers[2], cellHeight: numbers[3]))
        default: return nil
        }
    }
}

/// A picture as it was drawn for a room.
package struct DrawnPicture: Sendable, Hashable {
    /// One cell: a letter and its colours, numbers of the palette; `nil` for the terminal's own.
    package struct Cell: Sendable, Hashable {
        package var symbol: Unicode.Scalar
        package var foreground: UInt8?
        package var background: UInt8?
    }

    /// What was drawn.
    package enum Content: Sendable, Hashable {
        /// Row by row.
        case cells([Cell])
        /// Red, green, blue and alpha of each pixel.
        case pixels([UInt8], width: Int, height: Int)
    }

    /// The picture's own size in pixels.
    package var width: Int
    package var height: Int
    package var columns: Int
    package var rows: Int
    package var content: Content

    package init(width: Int, height: Int, columns: Int, rows: Int, content: Content) {
        self.width = width
        self.height = height
        self.columns = columns
        self.rows = rows
        self.content = content
    }
}

/// Why a picture was not drawn.
package enum PictureFailure: Error, Sendable, Hashable {
    case noLibrary, noFormat, broken, tooLarge
    /// Drawing took too long or too much memory, and was ended.
    case ended

    /// What to tell the person.
    package var sentence: String {
        switch self {
        case .noLibrary: "Pictures need libchafa and GdkPixbuf, which are not installed here."
        case .noFormat: "This kind of picture cannot be drawn here."
        case .broken: "This picture is damaged."
        case .tooLarge: "This picture is too large to be drawn."
        case .ended: "This picture took too long to be drawn."
        }
    }
}
