internal import DisplayText

extension LineEditor {
    /// The part of the line that is shown, and the cursor's column in it.
    ///
    /// A line wider than the window moves on by half windows, so that it stands still while one types. Wide letters
    /// are never cut, and what no terminal may get is left out.
    package func window(columns: Int) -> (text: String, cursor: Int) {
        let room = max(2, columns)
        let cells = characters.map { character in
            let shown = TextDisplay.sanitizedLine(String(character))
            return (text: shown, width: TextDisplay.width(of: shown))
        }
        let before = cells[..<cursor].reduce(0) { $0 + $1.width }
        let step = max(1, room / 2)
        // The cursor needs a cell of its own behind the last letter.
        let first = before < room ? 0 : (before - room) / step * step + step
        var text = ""
        var place = 0
        var shownFrom: Int?
        for cell in cells {
            let start = place
            place += cell.width
            guard start >= first else { continue }
            if shownFrom == nil { shownFrom = start }
            guard place - (shownFrom ?? first) <= room else { break }
            text += cell.text
        }
        return (text, min(room - 1, max(0, before - (shownFrom ?? first))))
    }

    /// The column of a character in the window; `nil` when it is out of sight.
    ///
    /// Behind the last character is a place, too.
    package func column(of place: Int, columns: Int) -> Int? {
        let width = { (characters: ArraySlice<Character>) in
            characters.reduce(0) { $0 + TextDisplay.width(of: TextDisplay.sanitizedLine(String($1))) }
        }
        guard (0...characters.count).contains(place) else { return nil }
        let (shown, atCursor) = window(columns: columns)
        let column =
            place < cursor
            ? atCursor - width(characters[place..<cursor]) : atCursor + width(characters[cursor..<place])
        return (0...TextDisplay.width(of: shown)).contains(column) && column < max(2, columns) ? column : nil
    }
}
