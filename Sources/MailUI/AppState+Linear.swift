internal import DisplayText
internal import MailModel
internal import TerminalUI

/// The linear form: one pane, a sentence a line, no drawing and no colour, so that it can be listened to.
extension AppState {
    /// Whether text that runs from right to left is put in the order in which it is drawn; what is listened to is in the
    /// order in which it is read.
    var drawsInOrder: Bool { ordersText && !presentation.isLinear }

    func drawLinearList(in grid: inout Grid, rect: Rect) {
        let all = items
        guard !all.isEmpty else { return drawEmptyList(in: &grid, rect: rect) }
        let drafts = scope.folder == .drafts ? shownDrafts : []
        let sentences = all.indices.dropFirst(list.offset).prefix(rect.rows).map { index in
            let line =
                scope.folder == .drafts
                ? listLine(drafts[index]) : listLine(list.rows[index], whoColumns: AppState.spokenWho, hasCount: false)
            return (AppState.sentence(line), all[index] == list.selected)
        }
        drawSentences(sentences, in: &grid, rect: rect)
    }

    /// Draws sentences, a line each, and the selected one whole.
    func drawSentences(_ sentences: [(text: String, isSelected: Bool)], in grid: inout Grid, rect: Rect) {
        var row = 0
        for (text, isSelected) in sentences {
            var lines = Formatting.wrapped(text, columns: max(1, rect.columns - 2))
            let most = isSelected ? 1 + AppState.spokenExtra(rows: rect.rows) : 1
            if lines.count > most { lines[most - 1] = lines[(most - 1)...].joined(separator: " ") }
            for (number, line) in lines.prefix(most).enumerated() where row < rect.rows {
                let text = (isSelected && number == 0 ? "> " : "  ") + line
                grid.write(
                    TextDisplay.truncated(text, columns: rect.columns), row: rect.row + row, column: rect.column)
                if isSelected, number == 0, reader == nil, prompt == nil {
                    grid.cursor = Position(row: rect.row + row, column: rect.column)
                }
                row += 1
            }
        }
    }

    /// How many lines a list keeps free for the rest of the selected sentence.
    static func spokenExtra(rows: Int) -> Int { min(3, rows / 4) }

    /// Longer lists of people are said by their short names.
    static let spokenWho = 40

    /// A line that sets things apart; nothing where the screen is listened to.
    func rule(columns: Int) -> String {
        String(repeating: presentation.isLinear ? " " : "─", count: max(0, columns))
    }

    /// A conversation in words, what matters first.
    static func sentence(_ line: ListLine) -> String {
        var parts: [String] = []
        if line.isChosen { parts.append("selected") }
        if line.isUnread { parts.append("unread") }
        if line.isStarred { parts.append("starred") }
        parts.append(line.who)
        parts.append(line.subject)
        if line.messages > 1 { parts.append("\(Formatting.grouped(line.messages)) messages") }
        if line.hasAttachments { parts.append("attachment") }
        parts.append(line.date)
        if !line.snippet.isEmpty { parts.append(line.snippet) }
        return parts.joined(separator: ", ")
    }

    /// A piece of a reader's line in the form the screen has.
    func linear(_ text: String, isHead: Bool, isFirst: Bool) -> String {
        guard presentation.isLinear else { return text }
        guard isFirst else { return isHead ? text.filter { $0 != "─" } : text }
        return isHead ? AppState.spoken(text) : AppState.quoted(text)
    }

    /// The head of a message, whose marks are drawn for the eye, in words.
    static func spoken(_ text: String) -> String {
        var words: [String] = []
        var rest = text[...]
        // Marks come first; an address may have the same signs.
        while let mark = rest.first, let word = headWords[mark] {
            if !word.isEmpty { words.append(word) }
            rest.removeFirst()
        }
        return (words + [String(rest)]).joined(separator: " ")
    }

    private static let headWords: [Character: String] = [
        " ": "", "▸": "folded message,", "▾": "message,", "●": "unread,", "★": "starred,", "@": "attachment,",
    ]

    /// The beginning of a line of a text, the bars of quotes as the signs that mail has for them.
    static func quoted(_ text: String) -> String {
        let bars = text.prefix { $0 == "│" || $0 == " " }
        return String(bars.map { $0 == "│" ? ">" : $0 }) + text[bars.endIndex...]
    }

    /// Takes away every style: what they say the words say too.
    static func withoutStyles(_ grid: Grid) -> Grid {
        var plain = grid
        plain.putStyle(Rect(row: 0, column: 0, columns: grid.size.columns, rows: grid.size.rows)) { $0 = .plain }
        return plain
    }
}
