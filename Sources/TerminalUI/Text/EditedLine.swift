internal import DisplayText

/// A line of a text being typed, with what its layout needs to know of each character.
package struct EditedLine: Sendable, Hashable {
    package private(set) var characters: [Character]
    /// One a character: how many cells it takes, `blank` added where a row may end behind it, or `tab`.
    private(set) var cells: [UInt8]

    static let blank: UInt8 = 0x80
    static let tab: UInt8 = 0xFF
    /// The distance of the places that a tab goes to.
    static let tabColumns = 8
    /// The most characters of a row up to its last one that is not blank.
    private static let rowMax = 1_000

    package var text: String { String(characters) }
    package var count: Int { characters.count }
    var isEmpty: Bool { characters.isEmpty }

    /// An empty line.
    package init() { (characters, cells) = ([], []) }

    /// A line of a text without line ends.
    package init(_ text: some StringProtocol) {
        characters = Array(text)
        cells = characters.map(EditedLine.cell)
    }

    /// A piece of the line.
    subscript(range: Range<Int>) -> EditedLine {
        var piece = EditedLine()
        piece.characters = Array(characters[range])
        piece.cells = Array(cells[range])
        return piece
    }

    /// Puts another piece in the place of one.
    mutating func replace(_ range: Range<Int>, with piece: EditedLine) {
        characters.replaceSubrange(range, with: piece.characters)
        cells.replaceSubrange(range, with: piece.cells)
    }

    mutating func append(_ piece: EditedLine) {
        characters += piece.characters
        cells += piece.cells
    }

    /// How many columns a character takes at a column of its row.
    func width(_ place: Int, at column: Int) -> Int {
        let cell = cells[place]
        if cell == EditedLine.tab { return EditedLine.tabColumns - column % EditedLine.tabColumns }
        return Int(cell & ~EditedLine.blank)
    }

    func isBlank(_ place: Int) -> Bool { cells[place] & EditedLine.blank != 0 }

    /// Where the rows begin on which the line is shown; the first begins at 0.
    ///
    /// Rows end behind blanks, and words longer than a row are cut. Blanks that have no room stay at the end of their
    /// row, out of sight. Signs without width fill a row as well, so that none is endless. The cost is that of one look at
    /// each character.
    func rowStarts(columns: Int) -> [Int] {
        var (starts, breakable, column, place) = ([0], 0, 0, 0)
        while place < cells.count {
            let width = width(place, at: column)
            if isBlank(place) {
                column += width
                place += 1
                breakable = place
                continue
            }
            let start = starts[starts.count - 1]
            if column + width > columns || place - start >= EditedLine.rowMax, place > start {
                place = breakable > start ? breakable : place
                starts.append(place)
                column = 0
                continue
            }
            column += width
            place += 1
        }
        return starts
    }

    /// The column of a place in a row that begins at `start`.
    func column(of place: Int, from start: Int) -> Int {
        (start..<max(start, place)).reduce(0) { $0 + width($1, at: $0) }
    }

    /// The place of a row at a column, or the last left of it; before signs without width, so that column 0 is the start.
    func place(at column: Int, from start: Int, to end: Int) -> Int {
        var (place, used) = (start, 0)
        while place < end, used < column {
            let width = width(place, at: used)
            if used + width > column { break }
            used += width
            place += 1
        }
        return place
    }

    /// A character fit for a terminal, with as many marks as any script puts on a letter (UAX #15, stream-safe text).
    static func shown(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: scalarsMax, limitedBy: scalars.endIndex) else {
            return TextDisplay.sanitizedLine(String(character))
        }
        return TextDisplay.sanitizedLine(String(scalars[..<end]))
    }

    private static let scalarsMax = 32

    private static func cell(_ character: Character) -> UInt8 {
        if let code = character.asciiValue {
            switch code {
            case 0x09: return tab
            case 0x20: return blank | 1
            case 0x21..<0x7F: return 1
            default: break
            }
        }
        let width = TextDisplay.width(of: shown(character))
        let isBreak = character.isWhitespace && character != "\u{A0}" && character != "\u{202F}"
        return UInt8(min(width, 0x7E)) | (isBreak ? blank : 0)
    }
}
