import DisplayText
import TerminalUI
import Testing

/// A text being typed: keys in, the text and the place of the cursor (`|`) out; `/` stands for a line end.
struct TextEditorTests {
    /// One key by the name the tables give it.
    static func event(_ name: String) -> InputEvent {
        let keys: [String: InputEvent.Key] = [
            "Left": .left, "Right": .right, "Up": .up, "Down": .down, "Home": .home, "End": .end, "PgUp": .pageUp,
            "PgDn": .pageDown, "Bs": .backspace, "Del": .delete, "Enter": .enter, "Tab": .tab, "Space": .character(" "),
            "Acute": .character("\u{301}"), "Joiner": .character("\u{200D}"),
        ]
        var (rest, modifiers) = (name[...], InputEvent.Modifiers())
        while rest.count > 2, rest.dropFirst().first == "-", let letter = rest.first, "CAS".contains(letter) {
            modifiers.insert(letter == "C" ? .control : letter == "A" ? .alt : .shift)
            rest = rest.dropFirst(2)
        }
        return .key(keys[String(rest)] ?? .character(rest.first ?? " "), modifiers)
    }

    static func shown(_ editor: TextEditor) -> String {
        editor.lines.enumerated().map { number, line in
            guard number == editor.cursor.line else { return line.text }
            return String(line.characters[..<editor.cursor.column]) + "|"
                + String(line.characters[editor.cursor.column...])
        }.joined(separator: "/")
    }

    /// The text with a line end for each slash, also before a mark that would join the slash.
    private static func lines(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "/" ? "\n" : $0 }))
    }

    static func typed(_ text: String, _ keys: String, columns: Int = 80, rows: Int = 10) -> TextEditor {
        var editor = TextEditor(TextEditorTests.lines(text), size: Size(columns: columns, rows: rows))
        for key in keys.split(separator: " ") { _ = editor.take(event(String(key))) }
        return editor
    }

    /// Fails when a key edits otherwise than fingers know it from Emacs, or from arrows.
    @Test(arguments: [
        ("one/two", "x", "x|one/two"), ("one/two", "Down x", "one/x|two"), ("one/two", "End Enter x", "one/x|/two"),
        ("one/two", "A-> Bs", "one/tw|"), ("one/two", "Down Bs", "one|two"), ("one/two", "End Del", "one|two"),
        ("one two", "C-f C-d", "o|e two"), ("one two", "A-f A-d", "one|"),
        ("one two", "A-> C-w", "one |"), ("one two", "C-w C-y", "|one two"),
        ("one/two", "C-k C-k C-y", "one/|two"), ("one/two", "C-k C-k A-> C-y", "twoone/|"),
        ("one two", "A-> C-u C-y C-y", "one twoone two|"), ("one/two", "Down C-u C-y", "one/|two"),
        ("one two", "S-Right S-Right x", "x|e two"), ("one two", "S-Right S-Right Right x", "onex| two"),
        ("one two", "C-Space A-f C-w A-> C-y", " twoone|"), ("one two", "C-Space A-f A-w C-y", "oneone| two"),
        ("one two", "C-Space A-f Bs", "| two"), ("one", "A-> x y C-_", "one|"), ("one", "x Space y C-_", "x |one"),
        ("one", "x y C-_ A-_", "xy|one"), ("one/two", "C-k C-_", "|one/two"), ("one", "Tab", "\t|one"),
        ("", "Bs Del C-k C-u C-w C-y C-_ A-_ Up Down Left", "|"), ("漢字", "Right x", "漢x|字"),
        ("e", "Right Acute", "e\u{301}|"), ("e", "Right Acute C-_", "e|"), ("xe\u{301}y", "Right Right Bs", "x|y"),
        ("e/\u{301}x", "Down Bs", "e\u{301}|x"), ("", "п р и C-_", "|"), ("👩👧", "Right Joiner Bs", "|"),
        ("👩👧", "Right Joiner C-_", "👩|👧"),
        ("one/two/three", "A-> Home Up Up End", "one|/two/three"),
    ])
    func `a key does what it does in Emacs and with arrows`(text: String, keys: String, expected: String) {
        #expect(TextEditorTests.shown(TextEditorTests.typed(text, keys)) == expected)
    }

    /// Fails when a line is broken elsewhere than behind a blank, or a wide letter is cut.
    @Test(arguments: [
        ("one two three", 8, ["one two ", "three"]), ("aaaa bbbbbbbbbb", 6, ["aaaa ", "bbbbb", "bbbbb"]),
        ("漢字漢字", 6, ["漢字", "漢字"]), ("a漢字漢", 6, ["a漢字", "漢"]), ("", 5, [""]), ("a\tb", 20, ["a       b"]),
        ("one    two", 5, ["one  ", "two"]), ("e\u{301}e\u{301}e\u{301}", 3, ["e\u{301}e\u{301}", "e\u{301}"]),
    ])
    func `a line is shown on rows that fit`(text: String, columns: Int, rows: [String]) {
        let editor = TextEditor(text, size: Size(columns: columns, rows: 10))

        #expect(editor.window.rows.map(\.text) == rows)
    }

    /// Fails when going up and down forgets the column, or goes by lines where rows are shown.
    @Test(arguments: [
        ("long line/x/long line", "End Down Down", "long line/x/long line|"),
        ("aaa bbb ccc", "Down x", "aaa x|bbb ccc"), ("aaa bbb ccc", "End Down x", "aaa bbbx| ccc"),
        ("aaa bbb ccc", "End End x", "aaa bbb cccx|"), ("aaa bbb ccc", "Down End Home Home x", "x|aaa bbb ccc"),
        ("aaa/bbb", "PgDn", "aaa/|bbb"), ("aaa/bbb", "A-> PgUp", "aaa|/bbb"),
    ])
    func `up and down go by the rows shown`(text: String, keys: String, expected: String) {
        let columns = text.hasPrefix("aaa bbb") ? 6 : 40

        #expect(TextEditorTests.shown(TextEditorTests.typed(text, keys, columns: columns, rows: 2)) == expected)
    }

    /// Fails when the cursor leaves the window.
    @Test func `the cursor is in the window wherever it goes`() {
        let text = (1...200).map { "Line \($0) with some words that go on" }.joined(separator: "\n")
        var editor = TextEditor(text, size: Size(columns: 17, rows: 5))

        for key in ["PgDn", "PgDn", "Down", "A->", "PgUp", "Up", "A-<", "Down", "Right", "End", "Down"] {
            _ = editor.take(TextEditorTests.event(key))
            let (rows, cursor) = editor.window
            #expect(rows.indices.contains(cursor.row), "\(key)")
            #expect(rows[cursor.row].line == editor.cursor.line, "\(key)")
            #expect(cursor.column < 17, "\(key)")
        }
    }

    /// Fails when pasted text acts, or loses more than signs that steer terminals.
    @Test func `a paste goes in as it is`() {
        var editor = TextEditor("")

        _ = editor.take(.paste("one\r\ntwo\rthree\u{1B}[2J\u{7}\ty\n"))

        #expect(editor.text == "one\ntwo\nthree[2J\ty\n")
        _ = editor.take(TextEditorTests.event("C-_"))
        #expect(editor.text == "")
    }

    /// Fails when a frame takes as long as a text is, where nothing of it can be seen.
    @Test(arguments: [" ", "\t", "\u{200B}", "e\u{301}", "漢", "\u{301}", "• "])
    func `a row holds no more than a window shows`(piece: String) {
        var editor = TextEditor("e" + String(repeating: piece, count: 20_000), size: Size(columns: 40, rows: 5))
        for key in ["A->", "x", "Up", "Home", "y"] { _ = editor.take(TextEditorTests.event(key)) }

        #expect(editor.window.rows.allSatisfy { $0.text.unicodeScalars.count <= 1_001 })
        #expect(editor.window.cursor.column < 40)
    }

    /// Fails when a click goes to another letter than the one under it.
    @Test func `a place of the window is the letter shown there`() {
        let editor = TextEditor("漢字 one two three", size: Size(columns: 9, rows: 4))

        #expect(editor.place(at: Position(row: 0, column: 2)) == TextEditor.Place(line: 0, column: 1))
        #expect(editor.place(at: Position(row: 1, column: 0)) == TextEditor.Place(line: 0, column: 7))
        #expect(editor.place(at: Position(row: 3, column: 50)) == TextEditor.Place(line: 0, column: 16))
    }
}

/// Random edits beside a model: a plain string that is cut and joined.
struct TextEditorModelTests {
    private static let pieces = [
        "a", "漢", "e", "\u{301}", " ", "\n", "word ", "\t", "🇩🇪", "x\ny", "שלום", "👩‍👩‍👧",
        "🇫", "\u{200D}", "\u{1100}", "\u{1161}", "é",
    ]
    private static let keys = [
        "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDn", "A-f", "A-b", "A-<", "A->", "S-Left", "S-Down",
    ]

    /// How many scalars stand before the cursor.
    private static func place(_ editor: TextEditor) -> Int {
        let before = editor.lines[..<editor.cursor.line].reduce(0) { $0 + $1.text.unicodeScalars.count + 1 }
        let line = editor.lines[editor.cursor.line]
        return before + String(line.characters[..<editor.cursor.column]).unicodeScalars.count
    }

    private static func cut(_ text: String, _ range: Range<Int>, with piece: String = "") -> String {
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars[..<range.lowerBound])
        result.append(contentsOf: piece.unicodeScalars)
        result.append(contentsOf: scalars[range.upperBound...])
        return String(result)
    }

    /// Fails when a letter is lost, doubled or moved by an edit next to letters that join, or by undoing it.
    @Test(arguments: 1...40) func `random edits are those of a string`(seed: Int) {
        var random = Numbers(seed: UInt64(seed))
        var editor = TextEditor("", size: Size(columns: 12, rows: 4))
        var model = ""
        var states: [String] = []
        for _ in 0..<300 {
            switch random.next(10) {
            case 0..<4:
                let piece = TextEditorModelTests.pieces[random.next(TextEditorModelTests.pieces.count)]
                editor.clearSelection()
                states.append(model)
                let place = TextEditorModelTests.place(editor)
                model = TextEditorModelTests.cut(model, place..<place, with: piece)
                _ = editor.take(.paste(piece))
            case 4, 5:
                editor.clearSelection()
                let end = TextEditorModelTests.place(editor)
                let before = editor.text
                _ = editor.take(TextEditorTests.event("Bs"))
                if end > 0 {
                    states.append(model)
                    let removed = before.unicodeScalars.count - editor.text.unicodeScalars.count
                    #expect(removed > 0)
                    model = TextEditorModelTests.cut(model, (end - removed)..<end)
                }
            case 6:
                _ = editor.take(TextEditorTests.event("C-_"))
                if let last = states.popLast() { model = last }
            default:
                _ = editor.take(
                    TextEditorTests.event(TextEditorModelTests.keys[random.next(TextEditorModelTests.keys.count)]))
            }
            #expect(Array(editor.text.unicodeScalars) == Array(model.unicodeScalars))
            #expect(editor.count == editor.lines.reduce(editor.lines.count - 1) { $0 + $1.count })
            let (rows, cursor) = editor.window
            #expect(rows.indices.contains(cursor.row) && cursor.column < 12)
            if model.unicodeScalars.map({ $0 }) != editor.text.unicodeScalars.map({ $0 }) { return }
        }
    }

    /// Numbers from a seed (SplitMix64).
    private struct Numbers {
        var state: UInt64
        init(seed: UInt64) { state = seed }

        mutating func next(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((value ^ (value >> 31)) % UInt64(bound))
        }
    }
}
