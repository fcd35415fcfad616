internal import DisplayText
internal import MailModel
internal import TerminalUI

extension AppState {
    /// Draws the list of a message's files over the end of the reader.
    func drawAttachments(in grid: inout Grid, rect: Rect) {
        let list = menuFiles
        guard let menu = files.menu, !list.isEmpty, rect.rows > 1 else { return }
        let shown = min(list.count, max(1, rect.rows * 2 / 3 - 1))
        let first = max(0, min(menu.selected - shown / 2, list.count - shown))
        let top = rect.row + rect.rows - shown - 1
        let room = max(1, rect.columns - 1)
        let size = list.reduce(0) { $0 &+ $1.sizeBytes }
        let title = list.count == 1 ? "One attachment" : "\(Formatting.grouped(list.count)) attachments"
        let head = "\(rule(columns: 1)) \(title), \(Formatting.bytes(size)) "
        let rule = rule(columns: room - TextDisplay.width(of: head))
        grid.write(
            TextDisplay.padded(TextDisplay.truncated(head + rule, columns: room), columns: room), row: top,
            column: rect.column + 1, style: Style(dim: true))
        for (row, index) in (first..<first + shown).enumerated() {
            var line = AppState.attachmentLine(list[index], number: index + 1, of: list.count, columns: room)
            let isSelected = index == menu.selected
            if isSelected, presentation.isLinear { line = ">" + line.dropFirst() }
            grid.write(
                line, row: top + 1 + row, column: rect.column + 1, style: Style(reverse: isSelected), columnsMax: room)
            if isSelected { grid.cursor = Position(row: top + 1 + row, column: rect.column + 1) }
        }
    }

    /// Number, name, type and size; in a narrow window the type gives way, then the end of the name.
    private static func attachmentLine(_ file: Attachment, number: Int, of count: Int, columns: Int) -> String {
        let digits = String(count).count
        let figure = String(repeating: " ", count: digits - String(number).count) + String(number)
        let name = TextDisplay.sanitizedLine(file.filename)
        let size = Formatting.bytes(file.sizeBytes)
        let kind = TextDisplay.sanitizedLine(file.contentType)
        var right = " \(size) "
        let whole = " \(figure). \(name.isEmpty ? "(no name)" : name)"
        let withKind = "  \(kind)  \(size) "
        if TextDisplay.width(of: whole) + TextDisplay.width(of: withKind) <= columns { right = withKind }
        let room = max(1, columns - TextDisplay.width(of: right))
        return TextDisplay.padded(TextDisplay.truncated(whole, columns: room), columns: room) + right
    }

    /// The work on files, as the status line tells it.
    var fileProgressText: String? {
        guard let progress = files.progress else { return nil }
        let which = progress.files > 1 ? "\(progress.file) of \(progress.files), " : ""
        let done = Formatting.bytes(progress.bytes)
        let total = Formatting.bytes(progress.bytesTotal)
        return "Fetching \(which)\(done) of \(total): \(TextDisplay.sanitizedLine(progress.name)) (Esc ends it)"
    }

    /// The path or command being typed, or the question about it.
    func drawFilePrompt(_ prompt: FilePrompt, in grid: inout Grid, rect: Rect) {
        if let question = prompt.question {
            let name = question.path.split(separator: "/").last.map(String.init) ?? question.path
            let text = " Replace “\(TextDisplay.sanitizedLine(name))”, which is there already? y/N "
            let used = grid.write(
                TextDisplay.truncated(text, columns: rect.columns), row: rect.row, column: rect.column,
                style: Style(bold: true))
            grid.cursor = Position(row: rect.row, column: min(rect.column + used, max(0, rect.columns - 1)))
            return
        }
        let label = TextDisplay.truncated(prompt.label, columns: max(1, rect.columns / 2))
        let start = rect.column + TextDisplay.width(of: label)
        let room = max(2, rect.columns - TextDisplay.width(of: label))
        let window = prompt.editor.window(columns: room)
        grid.write(label, row: rect.row, column: rect.column, style: Style(bold: true))
        grid.write(window.text, row: rect.row, column: start, columnsMax: room)
        grid.cursor = Position(row: rect.row, column: min(start + window.cursor, max(0, rect.columns - 1)))
    }

    /// What the hint line says while a path or command is typed: a sentence, what Tab found, or the keys.
    func filePromptHints(_ prompt: FilePrompt) -> String {
        if let notice { return TextDisplay.sanitizedLine(notice) }
        if prompt.question != nil { return "y replace it  any other key keep it" }
        guard !prompt.candidates.isEmpty else { return prompt.hints }
        return prompt.candidates.map { TextDisplay.sanitizedLine($0) }.joined(separator: "  ")
    }
}
