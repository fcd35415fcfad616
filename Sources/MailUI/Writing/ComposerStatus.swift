internal import DisplayText
internal import TerminalUI

/// What the lowest lines say while a mail is written.
extension AppState {
    /// Where the cursor is in the text.
    func composerPositionText(_ composer: Composer) -> String {
        guard composer.step == .form, composer.focus == .text else { return composer.step == .review ? "review" : "" }
        return
            "\(Formatting.grouped(composer.editor.cursor.line + 1)) of \(Formatting.grouped(composer.editor.lines.count))"
    }

    /// What keys of the form do, the most important first.
    func formHints(_ composer: Composer) -> [String] {
        if composer.step == .review {
            let keys: [(ActionID, String)] = [(.preview, "back"), (.send, "send"), (.edit, "edit"), (.help, "help")]
            return keys.compactMap { id, words in keyText(id).map { "\($0) \(words)" } }
        }
        if composer.step == .conflict { return ["m mine", "t theirs", "e edit both", "Esc later"] }
        if composer.picker != nil { return ["Enter take", "Esc leave", "Space from here", "a all"] }
        if !composer.menu.items.isEmpty { return ["Tab take", "Down next", "Esc leave"] }
        var hints = ["Esc review", "C-x send", "C-s save", "C-t attach"]
        if composer.focus == .text {
            if composer.original != nil { hints.append("C-o quote") }
            hints += ["C-_ undo", "C-k cut", "C-y paste", "C-Space select"]
        } else {
            hints.insert(composer.returnsToReview ? "Enter done" : "Tab next", at: 0)
        }
        return hints + ["F1 keys"]
    }

    /// The keys of the form, for the help.
    static let formHelp: [(keys: String, help: String)] = [
        ("Tab S-Tab", "The next field, or the one before; in the text Tab is a tab."),
        ("Enter", "From an address to the subject, and from there to the text."),
        ("Esc", "To the review, where it is sent, kept or thrown away."),
        ("C-x", "Send without the review; once more where something looks wrong."),
        ("C-s", "Save as a draft at once; that also happens by itself."),
        ("C-t", "Add files."), ("C-o", "Take lines of the original into the text."),
        ("C-_ A-_", "Undo, and redo."),
        ("C-Space", "Select from here on; Shift with arrows where the terminal has it."),
        ("C-w A-w C-y", "Cut, copy and paste what is selected."),
        ("C-k C-u", "Cut to the end of the line, or to its beginning."),
        ("C-a C-e", "Beginning and end of the row; again, of the line."),
        ("A-b A-f", "A word back, or on."), ("A-< A->", "Beginning and end of the text."),
    ]

    func drawPathPrompt(_ line: PathPrompt, in grid: inout Grid, rect: Rect) {
        let start = rect.column + TextDisplay.width(of: line.label)
        let aside =
            notice.map {
                " \(TextDisplay.truncated(TextDisplay.sanitizedLine($0), columns: max(0, rect.columns - start - 12))) "
            } ?? ""
        let end = rect.column + rect.columns - TextDisplay.width(of: aside)
        let window = line.editor.window(columns: max(2, end - start))
        grid.write(line.label, row: rect.row, column: rect.column, style: Style(bold: true))
        grid.write(window.text, row: rect.row, column: start, columnsMax: max(0, end - start))
        grid.write(aside, row: rect.row, column: end, style: Style(dim: true))
        grid.cursor = Position(row: rect.row, column: min(start + window.cursor, max(0, rect.columns - 1)))
    }

    func pathPromptHints(_ line: PathPrompt) -> String {
        if !line.candidates.isEmpty {
            return line.candidates.map { TextDisplay.sanitizedLine($0) }.joined(separator: "  ")
        }
        return line.purpose == .attach
            ? "Enter attach  Tab complete  Esc cancel  * and ? for several" : "Enter save  Tab complete  Esc cancel"
    }
}
