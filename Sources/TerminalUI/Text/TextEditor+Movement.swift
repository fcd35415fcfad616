/// Where keys take the cursor.
extension TextEditor {
    /// Where a key of movement goes, and the column that further ones keep to; `nil` for other keys.
    func target(_ key: InputEvent.Key, _ modifiers: InputEvent.Modifiers) -> (place: Place, goal: Int?)? {
        let page = max(1, size.rows - 1)
        let isWord = modifiers.contains(.control) || modifiers.contains(.alt)
        switch key {
        case .left: return (isWord ? wordStart : before(cursor), nil)
        case .right: return (isWord ? wordEnd : after(cursor), nil)
        case .up: return vertical(-1)
        case .down: return vertical(1)
        case .pageUp: return vertical(-page)
        case .pageDown: return vertical(page)
        case .home: return (isWord ? Place() : rowStart, nil)
        case .end: return (isWord ? textEnd : rowEnd, nil)
        case .character(let letter) where modifiers.contains(.alt): return alt(letter, page: page)
        case .character(let letter) where modifiers.contains(.control): return control(letter, page: page)
        default: return nil
        }
    }

    private func control(_ letter: Character, page: Int) -> (place: Place, goal: Int?)? {
        switch letter {
        case "a": (rowStart, nil)
        case "e": (rowEnd, nil)
        case "b": (before(cursor), nil)
        case "f": (after(cursor), nil)
        case "p": vertical(-1)
        case "n": vertical(1)
        case "v": vertical(page)
        default: nil
        }
    }

    private func alt(_ letter: Character, page: Int) -> (place: Place, goal: Int?)? {
        switch letter {
        case "b": (wordStart, nil)
        case "f": (wordEnd, nil)
        case "v": vertical(-page)
        case "<": (Place(), nil)
        case ">": (textEnd, nil)
        default: nil
        }
    }

    var textEnd: Place { Place(line: lines.count - 1, column: lines[lines.count - 1].count) }

    func before(_ place: Place) -> Place {
        if place.column > 0 { return Place(line: place.line, column: place.column - 1) }
        return place.line > 0 ? Place(line: place.line - 1, column: lines[place.line - 1].count) : place
    }

    func after(_ place: Place) -> Place {
        if place.column < lines[place.line].count { return Place(line: place.line, column: place.column + 1) }
        return place.line + 1 < lines.count ? Place(line: place.line + 1) : place
    }

    /// The beginning of the word here, or of the one before.
    var wordStart: Place {
        var place = cursor
        while let character = character(before: place), !TextEditor.isInWord(character) { place = before(place) }
        while let character = character(before: place), TextEditor.isInWord(character) { place = before(place) }
        return place
    }

    /// The end of the word here, or of the next.
    var wordEnd: Place {
        var place = cursor
        while let character = character(at: place), !TextEditor.isInWord(character) { place = after(place) }
        while let character = character(at: place), TextEditor.isInWord(character) { place = after(place) }
        return place
    }

    private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// The character behind a place, a line end included; `nil` at the end.
    private func character(at place: Place) -> Character? {
        if place.column < lines[place.line].count { return lines[place.line].characters[place.column] }
        return place.line + 1 < lines.count ? "\n" : nil
    }

    private func character(before place: Place) -> Character? {
        if place.column > 0 { return lines[place.line].characters[place.column - 1] }
        return place.line > 0 ? "\n" : nil
    }

    /// The row of a place, where it begins, and where the next one begins or the line ends.
    func row(of place: Place) -> (row: Int, start: Int, end: Int, isLast: Bool) {
        let starts = lines[place.line].rowStarts(columns: columns)
        let row = (starts.firstIndex { $0 > place.column } ?? starts.count) - 1
        let isLast = row + 1 == starts.count
        return (row, starts[row], isLast ? lines[place.line].count : starts[row + 1], isLast)
    }

    /// The beginning of the row shown; from there, that of the line.
    private var rowStart: Place {
        let row = row(of: cursor)
        return Place(line: cursor.line, column: cursor.column == row.start ? 0 : row.start)
    }

    /// The end of the row shown; from there, that of the line.
    private var rowEnd: Place {
        let row = row(of: cursor)
        let end = row.isLast ? row.end : row.end - 1
        return Place(line: cursor.line, column: cursor.column == end ? lines[cursor.line].count : end)
    }

    /// Some rows down, or up, at the column that the cursor had before it moved so.
    private func vertical(_ distance: Int) -> (place: Place, goal: Int?) {
        let here = row(of: cursor)
        let wanted = goal ?? min(columns, lines[cursor.line].column(of: cursor.column, from: here.start))
        guard let target = walk(from: Row(line: cursor.line, row: here.row), by: distance) else {
            return (distance < 0 ? Place() : textEnd, nil)
        }
        let starts = lines[target.line].rowStarts(columns: columns)
        let isLast = target.row + 1 == starts.count
        // The place behind a row that goes on is shown at the beginning of the next.
        let end = isLast ? lines[target.line].count : starts[target.row + 1] - 1
        let column = lines[target.line].place(at: wanted, from: starts[target.row], to: end)
        return (Place(line: target.line, column: column), wanted)
    }

    /// The row some rows away, or the last in that direction; `nil` when there is none at all.
    func walk(from row: Row, by distance: Int) -> Row? {
        var (row, left) = (row, abs(distance))
        var rows = lines[row.line].rowStarts(columns: columns).count
        while left > 0 {
            let step = distance > 0 ? min(left, rows - 1 - row.row) : min(left, row.row)
            row.row += distance > 0 ? step : -step
            left -= step
            if left == 0 { break }
            let next = row.line + (distance > 0 ? 1 : -1)
            guard lines.indices.contains(next) else { return left == abs(distance) ? nil : row }
            rows = lines[next].rowStarts(columns: columns).count
            row = Row(line: next, row: distance > 0 ? 0 : rows - 1)
            left -= 1
        }
        return row
    }
}
