/// A text of many lines being typed, with the keys of Emacs and those of arrows.
///
/// A pure machine: it knows the size of its window and nothing else of the screen. Text goes in as typed or pasted, with
/// line ends made one kind and other control characters left out; whoever shows it uses `window`.
package struct TextEditor: Sendable, Hashable {
    /// A place between two characters; `column` counts characters of the line.
    package struct Place: Sendable, Hashable, Comparable {
        package var line: Int
        package var column: Int

        package init(line: Int = 0, column: Int = 0) {
            self.line = line
            self.column = column
        }

        package static func < (left: Place, right: Place) -> Bool {
            left.line == right.line ? left.column < right.column : left.line < right.line
        }
    }

    /// What a key did.
    package enum Outcome: Sendable, Hashable {
        case edited, moved
        /// A piece was copied, which is also for the terminal's clipboard.
        case copied(String)
        /// The key means nothing to a text.
        case ignored
    }

    /// A row of the window that begins at a character of a line.
    struct Row: Sendable, Hashable {
        var line = 0
        /// Which row of its line, from 0.
        var row = 0
    }

    /// Never empty.
    package internal(set) var lines: [EditedLine]
    package internal(set) var cursor = Place()
    /// The other end of the selection; `nil` while nothing is selected.
    package internal(set) var mark: Place?
    /// Whether the selection was made with Shift, so that moving without it ends it.
    var isShifted = false
    /// How many characters the text has, line ends included.
    package internal(set) var count = 0
    /// Whether the last thing typed or pasted had no room.
    package internal(set) var isCut = false
    /// Grows with every change of the text.
    package internal(set) var revision = 0
    /// The columns and rows of the window.
    package private(set) var size: Size
    /// The first row of the window.
    var top = Row()
    /// The column that moving up and down keeps to.
    var goal: Int?
    var killed: [EditedLine] = []
    var isKilling = false
    var undone: [TextChange] = []
    var done: [TextChange] = []

    /// The most characters of a text, more than the server takes.
    package static let charactersMax = 2_000_000

    /// A text with the cursor at its beginning.
    package init(_ text: String = "", size: Size = Size(columns: 80, rows: 24)) {
        self.size = size
        lines = TextEditor.lines(TextEditor.cleaned(text))
        count = lines.reduce(lines.count - 1) { $0 + $1.count }
    }

    /// The whole text, its lines with a line feed between.
    package var text: String { lines.map(\.text).joined(separator: "\n") }
    package var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }

    /// The selected range; `nil` when nothing is.
    package var selection: Range<Place>? {
        guard let mark, mark != cursor else { return nil }
        return min(mark, cursor)..<max(mark, cursor)
    }

    /// The columns that rows are laid out for; the last column is for a cursor behind a full row.
    var columns: Int { max(1, size.columns - 1) }

    /// Takes another size of the window.
    package mutating func resize(to size: Size) {
        guard size != self.size else { return }
        if size.columns != self.size.columns { (top.row, goal) = (0, nil) }
        self.size = size
        keepInView()
    }

    /// Takes a key or a paste.
    package mutating func take(_ input: InputEvent) -> Outcome {
        let wasKilling = isKilling
        let outcome: Outcome
        switch input {
        case .paste(let pasted):
            isKilling = false
            insert(TextEditor.cleaned(pasted))
            outcome = .edited
        case .key(let key, let modifiers):
            isKilling = false
            outcome = take(key, modifiers, wasKilling: wasKilling)
            if outcome == .ignored { isKilling = wasKilling }
        case .focusGained, .focusLost, .mouse, .background, .graphics: return .ignored
        }
        keepInView()
        return outcome
    }

    /// Puts a text in at the cursor, in place of what was selected with Shift; undone by itself.
    package mutating func insert(_ text: String) { insert(text, kind: .other) }

    mutating func insert(_ text: String, kind: TextChange.Kind) {
        if isShifted, let selection { replace(selection, with: [EditedLine()], kind: .other) }
        endSelection()
        let room = max(0, TextEditor.charactersMax - count)
        isCut = text.count > room
        let piece = isCut ? String(text.prefix(room)) : text
        guard !piece.isEmpty else { return }
        replace(cursor..<cursor, with: TextEditor.lines(piece), kind: kind)
        keepInView()
    }

    /// Replaces the whole text, as one change that can be undone.
    package mutating func replaceAll(with text: String) {
        endSelection()
        let end = Place(line: lines.count - 1, column: lines[lines.count - 1].count)
        replace(Place()..<end, with: TextEditor.lines(TextEditor.cleaned(text)), kind: .other)
        cursor = Place()
        top = Row()
        keepInView()
    }

    /// Moves the cursor, to the nearest place that there is.
    package mutating func move(to place: Place) {
        let line = max(0, min(lines.count - 1, place.line))
        cursor = Place(line: line, column: max(0, min(lines[line].count, place.column)))
        goal = nil
        keepInView()
    }

    mutating func endSelection() { (mark, isShifted) = (nil, false) }

    /// The lines of a text; one that ends with a line feed has an empty line at its end.
    static func lines(_ text: String) -> [EditedLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { EditedLine($0) }
    }

    /// A text with line ends of one kind, and without other control characters than tabs.
    package static func cleaned(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return text }
        var result = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            let isSecondHalf = afterReturn && scalar == "\n"
            afterReturn = scalar == "\r"
            switch scalar.value {
            case 0x0A: if !isSecondHalf { result.append(scalar) }
            case 0x0D, 0x85, 0x2028, 0x2029: result.append("\n")
            case 0x09: result.append(scalar)
            case 0..<0x20, 0x7F...0x9F: break
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
