/// A line of text being typed, with the keys of readline.
///
/// Text goes in as it was typed or pasted; whoever shows it makes it safe for the terminal.
package struct LineEditor: Sendable, Hashable {
    /// What a key did to the line.
    package enum Outcome: Sendable, Hashable {
        case edited, moved
        /// The key means nothing to an editor of one line.
        case ignored
    }

    package private(set) var characters: [Character]
    /// How many characters stand before the cursor.
    package private(set) var cursor: Int
    /// The most characters the line takes; what is beyond is left out.
    package let charactersMax: Int
    /// Whether something typed or pasted had no room.
    package private(set) var isCut = false
    /// What was deleted last as a piece, for `C-y`.
    private var killed: [Character] = []
    private var isKilling = false

    /// The line.
    package var text: String { String(characters) }
    package var isEmpty: Bool { characters.isEmpty }

    /// A line with the cursor at its end.
    package init(_ text: String = "", charactersMax: Int = 1_024) {
        self.charactersMax = charactersMax
        characters = []
        cursor = 0
        insert(text)
    }

    /// Takes a key or a paste.
    package mutating func take(_ input: InputEvent) -> Outcome {
        let wasKilling = isKilling
        isKilling = false
        switch input {
        case .paste(let pasted):
            insert(LineEditor.line(pasted))
            return .edited
        case .key(let key, let modifiers):
            if modifiers.contains(.alt) { return takeAlt(key, wasKilling) }
            if modifiers.contains(.control) { return takeControl(key, wasKilling) }
            return takePlain(key)
        case .focusGained, .focusLost, .mouse, .background, .graphics:
            isKilling = wasKilling
            return .ignored
        }
    }

    /// Replaces the whole line; the cursor goes to its end.
    package mutating func replace(with text: String) {
        characters = []
        cursor = 0
        insert(text)
    }

    /// Puts text in at the cursor.
    package mutating func insert(_ text: String) {
        let room = max(0, charactersMax - characters.count)
        isCut = text.count > room
        if isCut, room == 0 { return }
        if standsAlone(text) {
            let added = Array(text.prefix(room))
            characters.insert(contentsOf: added, at: cursor)
            cursor += added.count
            return
        }
        // Put together anew, since a mark may have joined the letter before it.
        let before = Array(String(characters[..<cursor]) + text.prefix(room))
        characters = Array(String(before) + String(characters[cursor...]))
        cursor = min(before.count, characters.count)
    }

    /// Whether a text surely joins no letter beside it, as what is typed hardly ever does.
    private func standsAlone(_ text: String) -> Bool {
        let next = cursor < characters.count ? characters[cursor].unicodeScalars.first : nil
        return text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && next.map { $0.value < 0x7F } ?? true
    }

    /// A pasted text as one line: breaks and tabs become blanks, and no other control stays.
    private static func line(_ pasted: String) -> String {
        var line = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in pasted.unicodeScalars {
            let isSecondHalf = afterReturn && scalar == "\n"
            afterReturn = scalar == "\r"
            switch scalar.value {
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: if !isSecondHalf { line.append(" ") }
            case 0..<0x20, 0x7F...0x9F: break
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}

/// Keys.
extension LineEditor {
    private mutating func takePlain(_ key: InputEvent.Key) -> Outcome {
        switch key {
        case .character(let character):
            let before = characters.count
            insert(String(character))
            return isCut && characters.count == before ? .moved : .edited
        case .backspace: return delete(from: cursor - 1, to: cursor)
        case .delete: return delete(from: cursor, to: cursor + 1)
        case .left: return move(to: cursor - 1)
        case .right: return move(to: cursor + 1)
        case .home: return move(to: 0)
        case .end: return move(to: characters.count)
        default: return .ignored
        }
    }

    private mutating func takeControl(_ key: InputEvent.Key, _ wasKilling: Bool) -> Outcome {
        switch key {
        case .character("a"): return move(to: 0)
        case .character("e"): return move(to: characters.count)
        case .character("b"): return move(to: cursor - 1)
        case .character("f"): return move(to: cursor + 1)
        case .character("d"): return delete(from: cursor, to: cursor + 1)
        case .character("h"): return delete(from: cursor - 1, to: cursor)
        case .character("u"): return kill(from: 0, to: cursor, wasKilling)
        case .character("k"): return kill(from: cursor, to: characters.count, wasKilling)
        case .character("w"): return kill(from: wordStart(upToBlank: true), to: cursor, wasKilling)
        case .character("y"):
            insert(String(killed))
            return .edited
        case .left: return move(to: wordStart(upToBlank: false))
        case .right: return move(to: wordEnd)
        default: return .ignored
        }
    }

    private mutating func takeAlt(_ key: InputEvent.Key, _ wasKilling: Bool) -> Outcome {
        switch key {
        case .character("b"), .left: return move(to: wordStart(upToBlank: false))
        case .character("f"), .right: return move(to: wordEnd)
        case .character("d"): return kill(from: cursor, to: wordEnd, wasKilling)
        case .backspace: return kill(from: wordStart(upToBlank: false), to: cursor, wasKilling)
        default: return .ignored
        }
    }

    private mutating func move(to place: Int) -> Outcome {
        cursor = max(0, min(characters.count, place))
        return .moved
    }

    private mutating func delete(from start: Int, to end: Int) -> Outcome {
        let start = max(0, start)
        let end = min(characters.count, end)
        guard start < end else { return .moved }
        // Put together anew, since what stands beside each other now may join.
        let before = Array(String(characters[..<start]))
        characters = Array(String(before) + String(characters[end...]))
        cursor = min(before.count, characters.count)
        return .edited
    }

    /// Deletes a piece and keeps it; pieces deleted one after another are kept as one.
    private mutating func kill(from start: Int, to end: Int, _ wasKilling: Bool) -> Outcome {
        let piece = start < end ? Array(characters[start..<end]) : []
        if !wasKilling { killed = piece.isEmpty ? killed : piece }
        if wasKilling { killed = end == cursor ? piece + killed : killed + piece }
        isKilling = true
        return delete(from: start, to: end)
    }

    private func wordStart(upToBlank: Bool) -> Int {
        func isInWord(_ character: Character) -> Bool {
            upToBlank ? !character.isWhitespace : character.isLetter || character.isNumber
        }
        var place = cursor
        while place > 0, !isInWord(characters[place - 1]) { place -= 1 }
        while place > 0, isInWord(characters[place - 1]) { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        var place = cursor
        while place < characters.count, !isInWord(characters[place]) { place += 1 }
        while place < characters.count, isInWord(characters[place]) { place += 1 }
        return place
    }
}
