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
                lines.append(StyledText(text: TextDisplay.padded("  " + keys, columns: 20) + " " + action.help))
            }
            lines.append(StyledText(text: ""))
        }
        lines.append(StyledText(text: "Marks: ● unread  ★ starred  @ attachments  (3) messages in a conversation"))
        return lines
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
