/// A change of a text, which can be taken back.
struct TextChange: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case typed, erased, other }

    var kind: Kind
    var start: TextEditor.Place
    var removed: [EditedLine]
    var inserted: [EditedLine]
    /// Where the cursor was before.
    var cursor: TextEditor.Place

    /// The end of a piece that begins at a place.
    static func end(of piece: [EditedLine], from start: TextEditor.Place) -> TextEditor.Place {
        let last = piece[piece.count - 1].count
        return TextEditor.Place(
            line: start.line + piece.count - 1, column: piece.count == 1 ? start.column + last : last)
    }
}

/// Changing, undoing and doing again.
extension TextEditor {
    /// The most changes that can be undone.
    static let changesMax = 1_000

    /// A piece of the text.
    func piece(_ range: Range<Place>) -> [EditedLine] {
        let (start, end) = (range.lowerBound, range.upperBound)
        if start.line == end.line { return [lines[start.line][start.column..<end.column]] }
        var piece = [lines[start.line][start.column..<lines[start.line].count]]
        piece += lines[(start.line + 1)..<end.line]
        piece.append(lines[end.line][0..<end.column])
        return piece
    }

    /// Puts a piece in the place of another; the cursor goes behind it.
    mutating func replace(_ range: Range<Place>, with piece: [EditedLine], kind: TextChange.Kind) {
        let before = cursor
        let (wide, whole, cursorEnd) = joined(range, piece)
        let removed = self.piece(wide)
        apply(wide, whole)
        cursor = cursorEnd
        note(TextChange(kind: kind, start: wide.lowerBound, removed: removed, inserted: whole, cursor: before))
    }

    /// Marks join the letter before them, so characters around a change may become others: they are put together anew.
    private func joined(_ range: Range<Place>, _ piece: [EditedLine]) -> (Range<Place>, [EditedLine], Place) {
        var (start, end) = (range.lowerBound, range.upperBound)
        let before = start.column > 0 ? lines[start.line].characters[start.column - 1] : nil
        let after = end.column < lines[end.line].count ? lines[end.line].characters[end.column] : nil
        let first = piece[0].characters.first ?? (piece.count == 1 ? after : nil)
        var whole = piece
        if let before, TextEditor.join(before, first) {
            whole[0] = EditedLine(String(before) + whole[0].text)
            start.column -= 1
        }
        let cursor = TextChange.end(of: whole, from: start)
        // Asked of what the start has become: two signs may join only through a third between them.
        let last = whole[whole.count - 1].characters.last ?? (whole.count == 1 ? before : nil)
        if let after, TextEditor.join(last, after) {
            whole[whole.count - 1] = EditedLine(whole[whole.count - 1].text + String(after))
            end.column += 1
        }
        let most = TextChange.end(of: whole, from: start)
        return (start..<end, whole, min(cursor, most))
    }

    /// Whether two neighbours are other characters side by side than apart; never so below the first combining mark.
    private static func join(_ left: Character?, _ right: Character?) -> Bool {
        guard let left, let right, let last = left.unicodeScalars.last, let first = right.unicodeScalars.first,
            last.value >= 0x300 || first.value >= 0x300
        else { return false }
        // Not by `==`, to which a letter with its mark and the one letter that means both are the same.
        let together = String(left) + String(right)
        return together.count != 2 || together.first?.unicodeScalars.count != left.unicodeScalars.count
    }

    private mutating func apply(_ range: Range<Place>, _ piece: [EditedLine]) {
        let (start, end) = (range.lowerBound, range.upperBound)
        count += TextEditor.size(of: piece) - TextEditor.size(of: range, in: lines)
        revision += 1
        goal = nil
        if start.line == end.line, piece.count == 1 {
            return lines[start.line].replace(start.column..<end.column, with: piece[0])
        }
        let rest = lines[end.line][end.column..<lines[end.line].count]
        var whole = piece
        let head = lines[start.line][0..<start.column]
        whole[0].replace(0..<0, with: head)
        whole[whole.count - 1].append(rest)
        lines.replaceSubrange(start.line...end.line, with: whole)
    }

    private static func size(of piece: [EditedLine]) -> Int { piece.reduce(piece.count - 1) { $0 + $1.count } }

    private static func size(of range: Range<Place>, in lines: [EditedLine]) -> Int {
        let (start, end) = (range.lowerBound, range.upperBound)
        if start.line == end.line { return end.column - start.column }
        let between = lines[(start.line + 1)..<end.line].reduce(0) { $0 + $1.count + 1 }
        return lines[start.line].count - start.column + 1 + between + end.column
    }

    /// Keeps a change; letters typed one after another are one, up to the end of a word.
    private mutating func note(_ change: TextChange) {
        undone = []
        if let last = done.last, change.kind == .typed, last.kind == .typed, change.removed.allSatisfy(\.isEmpty),
            change.inserted.count == 1, last.inserted.count == 1,
            TextChange.end(of: last.inserted, from: last.start) == change.start,
            !(change.inserted[0].characters.first?.isWhitespace == false
                && last.inserted[0].characters.last?.isWhitespace == true)
        {
            return done[done.count - 1].inserted[0].append(change.inserted[0])
        }
        done.append(change)
        if done.count > TextEditor.changesMax { done.removeFirst(done.count - TextEditor.changesMax) }
    }

    /// Takes the last change back; `false` when there is none.
    mutating func undo() -> Bool {
        guard let change = done.popLast() else { return false }
        endSelection()
        apply(change.start..<TextChange.end(of: change.inserted, from: change.start), change.removed)
        cursor = change.cursor
        undone.append(change)
        return true
    }

    /// Does again what was taken back last; `false` when there is nothing.
    mutating func redo() -> Bool {
        guard let change = undone.popLast() else { return false }
        endSelection()
        apply(change.start..<TextChange.end(of: change.removed, from: change.start), change.inserted)
        cursor = TextChange.end(of: change.inserted, from: change.start)
        // A letter typed next is a change of its own.
        var kept = change
        kept.kind = .other
        done.append(kept)
        return true
    }
}
