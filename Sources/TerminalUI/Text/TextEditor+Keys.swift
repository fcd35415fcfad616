/// Keys.
extension TextEditor {
    mutating func take(_ key: InputEvent.Key, _ modifiers: InputEvent.Modifiers, wasKilling: Bool) -> Outcome {
        if let place = target(key, modifiers) { return select(place, isShifted: modifiers.contains(.shift)) }
        if modifiers.contains(.alt) { return takeAlt(key, wasKilling) }
        if modifiers.contains(.control) { return takeControl(key, wasKilling) }
        switch key {
        case .character(let character): insert(String(character), kind: .typed)
        case .enter: insert("\n")
        case .tab where !modifiers.contains(.shift): insert("\t", kind: .typed)
        case .backspace: return erase(to: before(cursor))
        case .delete: return erase(to: after(cursor))
        default: return .ignored
        }
        return .edited
    }

    private mutating func takeControl(_ key: InputEvent.Key, _ wasKilling: Bool) -> Outcome {
        switch key {
        case .character("d"): return erase(to: after(cursor))
        case .character("h"): return erase(to: before(cursor))
        case .backspace: return kill(wordStart..<cursor, wasKilling)
        case .delete: return kill(cursor..<wordEnd, wasKilling)
        case .character("k"): return kill(cursor..<lineEnd, wasKilling)
        case .character("u"):
            let start = Place(line: cursor.line)
            return kill((start == cursor ? before(cursor) : start)..<cursor, wasKilling)
        case .character("w"): return kill(selection ?? wordStart..<cursor, wasKilling)
        case .character("y"):
            guard !killed.isEmpty else { return .moved }
            endSelection()
            replace(cursor..<cursor, with: killed, kind: .other)
            return .edited
        case .character("_"), .character("/"): return undo() ? .edited : .moved
        case .character(" "), .character("@"):
            (mark, isShifted) = (mark == nil ? cursor : nil, false)
            return .moved
        default: return .ignored
        }
    }

    private mutating func takeAlt(_ key: InputEvent.Key, _ wasKilling: Bool) -> Outcome {
        switch key {
        case .character("d"): return kill(cursor..<wordEnd, wasKilling)
        case .backspace: return kill(wordStart..<cursor, wasKilling)
        case .character("w"):
            guard let selection else { return .moved }
            killed = piece(selection)
            endSelection()
            return .copied(killed.map(\.text).joined(separator: "\n"))
        case .character("_"), .character("/"), .character("r"): return redo() ? .edited : .moved
        default: return .ignored
        }
    }

    /// Goes to a place; with Shift, or after C-Space, what is between is selected.
    private mutating func select(_ target: (place: Place, goal: Int?), isShifted shift: Bool) -> Outcome {
        if shift, mark == nil { (mark, isShifted) = (cursor, true) }
        if !shift, isShifted { endSelection() }
        cursor = target.place
        goal = target.goal
        return .moved
    }

    /// Deletes the selection, or else what is between here and a place.
    private mutating func erase(to place: Place) -> Outcome {
        let range = selection ?? min(cursor, place)..<max(cursor, place)
        endSelection()
        guard !range.isEmpty else { return .moved }
        replace(range, with: [EditedLine()], kind: .erased)
        return .edited
    }

    /// Deletes a piece and keeps it for C-y; pieces deleted one after another are kept as one.
    private mutating func kill(_ range: Range<Place>, _ wasKilling: Bool) -> Outcome {
        isKilling = true
        endSelection()
        guard !range.isEmpty else { return .moved }
        let piece = piece(range)
        if !wasKilling || killed.isEmpty {
            killed = piece
        } else if range.upperBound == cursor {
            killed = TextEditor.together(piece, killed)
        } else {
            killed = TextEditor.together(killed, piece)
        }
        replace(range, with: [EditedLine()], kind: .other)
        return .edited
    }

    private static func together(_ first: [EditedLine], _ second: [EditedLine]) -> [EditedLine] {
        var whole = first
        whole[whole.count - 1].append(second[0])
        return whole + second.dropFirst()
    }

    /// The end of the line, or at the end the beginning of the next.
    private var lineEnd: Place {
        let end = Place(line: cursor.line, column: lines[cursor.line].count)
        return end == cursor ? after(cursor) : end
    }
}
