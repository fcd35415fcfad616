internal import DisplayText
internal import TerminalUI

/// The help screen, made from the table of actions and the map of keys.
extension AppState {
    /// The lines of help that have the words asked for.
    var helpLines: [[StyledText]] {
        let first = contextBelowHelp
        let places = [first] + ActionContext.allCases.filter { $0 != first }
        let words = helpWords.lowercased().split(whereSeparator: \.isWhitespace)
        let lines = signInHelp(words) + places.flatMap { helpLines(in: $0, words: words) }
        guard words.isEmpty else {
            let none = "No line of help has these words. Esc shows all again."
            return lines.isEmpty ? TextDisplay.wrapped(none, columns: size.columns - 2).map { plain($0) } : lines
        }
        let notes = [
            "A number before a key is its count: 5j goes down five lines, 40G to line 40.",
            "Marks: ● unread  ★ starred  @ attachments  ✓ selected  (3) messages in a conversation",
        ]
        return lines + notes.flatMap { TextDisplay.wrapped($0, columns: size.columns - 2) }.map { plain($0) }
    }

    /// The keys of the screen for signing in, while that is what the help is about.
    private func signInHelp(_ words: [Substring]) -> [[StyledText]] {
        guard signIn != nil else { return [] }
        let entries = AppState.signInKeys.filter { entry in
            words.allSatisfy { (entry.keys + " " + entry.help).lowercased().contains($0) }
        }
        guard !entries.isEmpty else { return [] }
        return [[StyledText(text: "While signing in", style: Style(bold: true, underline: true))]]
            + entries.flatMap { helpLines(keys: $0.keys, help: $0.help, command: "") } + [plain("")]
    }

    /// Which lines of the help are shown, of how many; empty when all are.
    var helpPositionText: String {
        let (count, rows) = (helpLines.count, layout.body.rows)
        guard count > rows else { return "" }
        let top = max(0, min(helpTop ?? 0, count - rows))
        return "\(top + 1)–\(top + rows) of \(count)"
    }

    private func plain(_ text: String) -> [StyledText] { [StyledText(text: text)] }

    private func helpLines(in context: ActionContext, words: [Substring]) -> [[StyledText]] {
        let actions = ActionTable.all.filter { $0.contexts.contains(context) && helps($0, in: context, with: words) }
        guard !actions.isEmpty else { return [] }
        let title = StyledText(text: context.title, style: Style(bold: true, underline: true))
        let body = actions.flatMap { action in
            helpLines(
                keys: keyMap.keys(of: action.id, in: context).map(\.text).joined(separator: " "), help: action.help,
                command: ":" + action.usage)
        }
        let form =
            context == .review
            ? AppState.formHelp.filter { entry in
                words.allSatisfy { (entry.keys + " " + entry.help).lowercased().contains($0) }
            } : []
        let typing =
            form.isEmpty
            ? []
            : [[StyledText(text: "While a mail is typed", style: Style(bold: true, underline: true))]]
                + form.flatMap { helpLines(keys: $0.keys, help: $0.help, command: "") }
        let reviewing = [[title]] + body + [plain("")]
        guard !typing.isEmpty else { return reviewing }
        // What the keys do that are typed now comes first.
        let isTyping = writing.composer?.step == .form
        return isTyping ? typing + [plain("")] + reviewing : reviewing + typing + [plain("")]
    }

    /// Whether an action is about all the words: by its names, its keys, its synonyms or its sentence.
    private func helps(_ action: Action, in context: ActionContext, with words: [Substring]) -> Bool {
        guard !words.isEmpty else { return true }
        let keys = keyMap.keys(of: action.id, in: context).map(\.text)
        let texts = [action.name, action.id.command, action.help].map { $0.lowercased() } + action.synonyms
        return words.allSatisfy { word in
            texts.contains { AppState.hasWord($0, beginningWith: word) } || keys.contains { $0.lowercased() == word }
        }
    }

    /// Whether a word of a text begins so; “bin” is no part of “combined”.
    private static func hasWord(_ text: String, beginningWith beginning: Substring) -> Bool {
        text.hasPrefix(beginning)
            || text.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(beginning) }
            || (beginning.contains { !$0.isLetter && !$0.isNumber } && text.contains(beginning))
    }

    /// Keys and what they do; in a narrow window the sentence goes on below itself, so that nothing is cut.
    private func helpLines(keys: String, help: String, command: String) -> [[StyledText]] {
        let isNarrow = size.columns < 60
        let left = isNarrow ? 14 : 22
        let room = max(10, size.columns - left - 3)
        // An action without keys is called by its command; elsewhere that stands at the end where there is room.
        let head = "  " + (keys.isEmpty ? command : keys)
        let isLong = TextDisplay.width(of: head) > left
        let sentence = Formatting.wrapped(help, columns: room)
        var lines = sentence.enumerated().map { index, part in
            plain(TextDisplay.padded(index == 0 && !isLong ? head : "", columns: left) + " " + part)
        }
        let used = TextDisplay.width(of: sentence.last ?? "") + 2 + TextDisplay.width(of: command)
        if !isNarrow, !keys.isEmpty, used <= room, !lines.isEmpty {
            lines[lines.count - 1].append(StyledText(text: "  " + command, style: Style(dim: true)))
        }
        return (isLong ? [plain(head)] : []) + lines
    }

    func drawHelp(in grid: inout Grid, rect: Rect) {
        let lines = helpLines
        let top = max(0, min(helpTop ?? 0, lines.count - rect.rows))
        let end = rect.column + rect.columns
        for (row, line) in lines.dropFirst(top).prefix(rect.rows).enumerated() {
            var column = rect.column + 1
            for piece in line where column < end {
                let text = TextDisplay.truncated(piece.text, columns: end - column)
                column += grid.write(text, row: rect.row + row, column: column, style: piece.style)
            }
        }
        grid.cursor = Position(row: rect.row, column: rect.column)
    }
}
