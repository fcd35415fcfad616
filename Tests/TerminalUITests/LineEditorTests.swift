import DisplayText
import TerminalUI
import Testing

/// A line being typed: keys in, the line and the place of the cursor (`|`) out.
struct LineEditorTests {
    /// One key by the name the table below gives it.
    private static func event(_ name: String) -> InputEvent {
        switch name {
        case "Left": return .plain(.left)
        case "Right": return .plain(.right)
        case "Home": return .plain(.home)
        case "End": return .plain(.end)
        case "Del": return .plain(.delete)
        case "Bs": return .plain(.backspace)
        case "A-Bs": return .key(.backspace, .alt)
        case "C-Left": return .key(.left, .control)
        default:
            if name.hasPrefix("C-") { return .key(.character(name.last ?? " "), .control) }
            if name.hasPrefix("A-") { return .key(.character(name.last ?? " "), .alt) }
            return .character(name.first ?? " ")
        }
    }

    private static func shown(_ line: LineEditor) -> String {
        String(line.characters[..<line.cursor]) + "|" + String(line.characters[line.cursor...])
    }

    /// Fails when a key of readline edits otherwise than people's fingers know it.
    @Test(arguments: [
        ("one two", "Left Left x", "one tx|wo"), ("one two", "C-a x", "x|one two"),
        ("one two", "C-a C-f C-d", "o|e two"), ("one two", "C-w", "one |"), ("one two", "C-w C-w C-y", "one two|"),
        ("one two", "A-b C-k", "one |"), ("one two", "A-b C-k C-a C-y", "two|one "),
        ("one two", "C-u C-y C-y", "one twoone two|"),
        ("a.b c", "C-w", "a.b |"), ("a.b c", "A-Bs A-Bs", "a.|"), ("one two", "Home A-d", "| two"),
        ("one two", "Home A-f A-f", "one two|"), ("one two", "C-Left Bs", "one|two"), ("ab", "Home Del Del Del", "|"),
        ("", "Bs C-w C-u Left", "|"), ("漢字", "Left x", "漢x|字"), ("e", "\u{301}", "e\u{301}|"),
        ("xe\u{301}", "Bs", "x|"), ("one two", "C-a C-e Bs", "one tw|"),
        ("one two three", "C-w C-w Home C-y", "two three|one "),
    ])
    func `keys edit the line`(_ start: String, _ keys: String, _ end: String) {
        var line = LineEditor(start)
        for key in keys.split(separator: " ") { _ = line.take(Self.event(String(key))) }

        #expect(Self.shown(line) == end)
    }

    /// Fails when what joins a letter is put beside it, or a letter typed in the middle goes elsewhere.
    @Test func `typing is the same as writing at once`() {
        for start in ["", "ab", "e\u{301}", "漢字", "\u{301}x", "🇩🇪", "👩"] {
            for typed in ["x", "\u{301}", "漢", "🇫", "\u{200D}", " ", "\u{FE0F}", "é"] {
                for place in 0...LineEditor(start).characters.count {
                    var line = LineEditor(start)
                    _ = line.take(.plain(.home))
                    for _ in 0..<place { _ = line.take(.plain(.right)) }
                    let before = String(line.characters[..<place]), after = String(line.characters[place...])
                    _ = line.take(.character(Character(typed)))
                    #expect(line.characters == Array(before + typed + after))
                    #expect(line.cursor == min(Array(before + typed).count, line.characters.count))
                }
            }
        }
    }

    /// Fails when a full line is put together anew for each further key.
    @Test func `a full line takes no more and says so`() {
        var line = LineEditor()
        for number in 0..<200_000 { #expect((line.take(.character("x")) == .edited) == (number < 1_024)) }
        #expect(line.characters.count == 1_024 && line.isCut)
        #expect(line.take(.plain(.backspace)) == .edited)
        #expect(line.take(.character("y")) == .edited && line.text.hasSuffix("xy"))
    }

    /// Fails when a paste leaves a break or a control character in a line.
    @Test func `a paste becomes one line at the cursor`() {
        var line = LineEditor("ab")
        _ = line.take(.plain(.left))

        #expect(line.take(.paste("1\r\n2\n3\t4\u{1B}[31m\u{7}")) == .edited)

        #expect(line.text == "a1 2 3 4[31mb")
        #expect(Self.shown(line) == "a1 2 3 4[31m|b")
    }

    @Test func `what has no room is left out and told`() {
        var line = LineEditor("abc", charactersMax: 5)

        _ = line.take(.paste(String(repeating: "x", count: 1_000_000)))

        #expect(line.text == "abcxx" && line.isCut)
        _ = line.take(.plain(.backspace))
        _ = line.take(.character("y"))
        #expect(line.text == "abcxy" && !line.isCut)
    }

    /// Fails when the cursor leaves the window, or a wide letter is cut or pushes the line out of it.
    @Test(arguments: [2, 3, 7, 10, 40]) func `the cursor is always in the window`(_ columns: Int) {
        var line = LineEditor("one 漢字漢字漢字 e\u{301}\u{1B}x two three four 漢 five")
        for _ in 0...line.characters.count {
            let window = line.window(columns: columns)
            #expect(TextDisplay.width(of: window.text) <= columns)
            #expect((0..<columns).contains(window.cursor))
            #expect(!window.text.unicodeScalars.contains("\u{1B}"))
            _ = line.take(.plain(.left))
        }
        #expect(line.window(columns: 40).text.hasPrefix("one"))
    }

    /// Fails when a mark below the line is not under the letter that it is about.
    @Test(arguments: [7, 10, 40, 80]) func `a letter's column is where the window shows it`(_ columns: Int) {
        var line = LineEditor("one 漢字漢字漢字 e\u{301}\u{1B}x two three four 漢 five")
        for _ in 0...line.characters.count {
            let shown = line.window(columns: columns).text
            for place in 0..<line.characters.count {
                guard let column = line.column(of: place, columns: columns) else { continue }
                let letter = TextDisplay.sanitizedLine(String(line.characters[place]))
                var rest = shown
                while TextDisplay.width(of: shown) - TextDisplay.width(of: rest) < column { rest.removeFirst() }
                #expect(letter.isEmpty || rest.isEmpty || rest.hasPrefix(letter), "\(place)")
            }
            #expect(line.column(of: line.cursor, columns: columns) == line.window(columns: columns).cursor)
            _ = line.take(.plain(.left))
        }
    }
}
