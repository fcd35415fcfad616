internal import DisplayText
internal import TerminalUI

extension AppState {
    /// The help screen, made from the table of actions.
    var helpLines: [StyledText] {
        let first: ActionContext = reader == nil ? .list : .reader
        let second: ActionContext = first == .list ? .reader : .list
        var lines: [StyledText] = []
        for context in [first, second] {
            let title = context == .list ? "In the list" : "In the reader"
            lines.append(StyledText(text: title, style: Style(bold: true, underline: true)))
            for action in ActionTable.all where action.contexts.contains(context) {
                let keys = action.keys.joined(separator: " ")
                lines += helpLines(keys: keys, help: action.help)
            }
            lines.append(StyledText(text: ""))
        }
        let marks = "Marks: ● unread  ★ starred  @ attachments  (3) messages in a conversation"
        return lines + TextDisplay.wrapped(marks, columns: size.columns - 2).map { StyledText(text: $0) }
    }

    /// Keys and what they do; in a narrow window the sentence goes on below itself, so that nothing is cut.
    private func helpLines(keys: String, help: String) -> [StyledText] {
        let left = size.columns < 60 ? 14 : 20
        let room = max(10, size.columns - left - 3)
        let head = "  " + keys
        let isLong = TextDisplay.width(of: head) > left
        let first = isLong ? [StyledText(text: head)] : []
        return first
            + Formatting.wrapped(help, columns: room).enumerated().map { index, part in
                StyledText(text: TextDisplay.padded(index == 0 && !isLong ? head : "", columns: left) + " " + part)
            }
    }

    func drawHelp(in grid: inout Grid, rect: Rect) {
        let lines = helpLines
        let top = max(0, min(helpTop ?? 0, lines.count - rect.rows))
        for (row, line) in lines.dropFirst(top).prefix(rect.rows).enumerated() {
            let text = TextDisplay.truncated(line.text, columns: max(0, rect.columns - 1))
            grid.write(text, row: rect.row + row, column: rect.column + 1, style: line.style)
        }
        grid.cursor = Position(row: rect.row, column: rect.column)
    }
}
