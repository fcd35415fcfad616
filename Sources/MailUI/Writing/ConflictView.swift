internal import DisplayText
internal import MailModel
internal import TerminalUI

/// Both versions of a draft that was changed here and elsewhere.
extension AppState {
    /// Takes a key while both versions are shown.
    mutating func handleConflict(_ input: InputEvent) -> [Effect] {
        guard case .key(let key, let modifiers) = input, let composer = writing.composer else { return [] }
        notice = nil
        let last = max(0, conflictLines(composer).count - layout.body.rows)
        let page = max(1, layout.body.rows - 1)
        switch key {
        case .character("m") where modifiers.isEmpty: return resolve(.mine, composer)
        case .character("t") where modifiers.isEmpty: return resolve(.theirs, composer)
        case .character("e") where modifiers.isEmpty: return editBoth(composer)
        case .escape, .character("q"): writing.composer?.step = .review
        case .character("c") where modifiers.contains(.control): writing.composer?.step = .review
        case .down, .character("j"): writing.composer?.top = min(last, composer.top + 1)
        case .up, .character("k"): writing.composer?.top = max(0, composer.top - 1)
        case .pageDown, .character(" "): writing.composer?.top = min(last, composer.top + page)
        case .pageUp, .character("-"): writing.composer?.top = max(0, composer.top - page)
        default: return [.bell]
        }
        return []
    }

    private mutating func resolve(_ choice: ConflictResolution, _ composer: Composer) -> [Effect] {
        guard let draft = composer.draft else { return [.bell] }
        return saveDraft() + [.writing(.resolve(composer.number, draft.id, choice))]
    }

    /// Puts their text below mine, for the person to make one of both.
    private mutating func editBoth(_ composer: Composer) -> [Effect] {
        guard let draft = composer.draft, let theirs = draft.theirs?.content else { return [.bell] }
        var content = composer.content
        if content.text != theirs.text {
            content.text += "\n\n---- The other version: ----\n\n" + theirs.text
        }
        writing.composer?.take(content)
        writing.composer?.step = .form
        writing.composer?.focus = .text
        // It is saved as typed text is, too, should it not be settled.
        return [.writing(.resolve(composer.number, draft.id, .merged(content)))] + noteChange()
    }

    mutating func takeResolved(_ number: Int, _ draft: LocalDraft) {
        guard let composer = writing.composer, composer.number == number else { return }
        writing.composer?.draft = draft
        if composer.step == .conflict { writing.composer?.step = .review }
        if draft.content != composer.content, !composer.isDirty { writing.composer?.take(draft.content) }
        notice = "Settled; it is saved to the server so."
    }

    func drawConflict(_ composer: Composer, in grid: inout Grid, body: Rect) {
        for (row, line) in conflictLines(composer).dropFirst(composer.top).prefix(body.rows).enumerated() {
            grid.write(
                line.text, row: body.row + row, column: body.column + 1, style: line.style, columnsMax: body.columns - 1
            )
        }
        grid.cursor = Position(row: body.row, column: body.column)
    }

    private func conflictLines(_ composer: Composer) -> [ReviewLine] {
        guard let theirs = composer.draft?.theirs?.content else {
            return [ReviewLine(text: "There is no conflict any more.")]
        }
        let base = composer.draft?.server?.content ?? DraftContent()
        let mine = composer.content
        let fields: [(String, KeyPath<DraftContent, String>)] = [
            ("From", \.from), ("To", \.to), ("Cc", \.cc), ("Bcc", \.bcc), ("Subject", \.subject), ("Text", \.text),
        ]
        let isChangedHere = fields.contains { mine[keyPath: $0.1] != base[keyPath: $0.1] }
        let title = isChangedHere ? "Changed here and elsewhere." : "Changed elsewhere, and not here."
        var lines = [ReviewLine(text: title, style: Style(bold: true)), ReviewLine(text: "")]
        for (name, path) in fields where mine[keyPath: path] != theirs[keyPath: path] {
            lines += part("\(name) here", mine[keyPath: path]) + part("\(name) elsewhere", theirs[keyPath: path])
            if base[keyPath: path] != mine[keyPath: path], base[keyPath: path] != theirs[keyPath: path] {
                lines += part("\(name) before", base[keyPath: path], isDim: true)
            }
        }
        return lines
    }

    private func part(_ title: String, _ text: String, isDim: Bool = false) -> [ReviewLine] {
        let columns = max(1, layout.body.columns - 4)
        let body = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
            let parts = TextDisplay.wrapped(TextDisplay.sanitizedLine(String(line)), columns: columns)
            return parts.isEmpty ? [""] : parts
        }
        return [ReviewLine(text: title, style: Style(dim: isDim, underline: true))]
            + body.map { ReviewLine(text: "  " + $0, style: Style(dim: isDim)) } + [ReviewLine(text: "")]
    }
}
