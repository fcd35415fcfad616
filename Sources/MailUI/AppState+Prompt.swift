internal import MailModel
internal import TerminalUI

extension AppState {
    /// Takes a key or a paste while a line is typed.
    mutating func handlePrompt(_ input: InputEvent) -> [Effect] {
        guard var line = prompt else { return [] }
        switch input {
        case .focusGained, .focusLost: return []
        default: notice = nil
        }
        if isCancel(input) || (line.editor.isEmpty && isBackspace(input)) { return cancelPrompt(line) }
        if case .key(.enter, _) = input { return finishPrompt(line) }
        if let effects = handlePromptKeys(input, line) { return effects }
        let outcome = line.editor.take(input)
        if line.editor.isCut { notice = "The rest of the text has no room here." }
        prompt = line
        return outcome == .edited ? promptChanged() : []
    }

    private func isCancel(_ input: InputEvent) -> Bool {
        switch input {
        case .key(.escape, _), .key(.character("c"), .control), .key(.character("g"), .control): true
        default: false
        }
    }

    private func isBackspace(_ input: InputEvent) -> Bool {
        switch input {
        case .key(.backspace, _), .key(.character("h"), .control): true
        default: false
        }
    }

    /// The keys of a prompt beside those of the line; `nil` for all others.
    private mutating func handlePromptKeys(_ input: InputEvent, _ line: Prompt) -> [Effect]? {
        switch (line.kind, input) {
        case (.filter, .key(.down, _)), (.filter, .key(.character("n"), .control)): moveSelection(.moveDown)
        case (.filter, .key(.up, _)), (.filter, .key(.character("p"), .control)): moveSelection(.moveUp)
        case (.command, _), (.palette, _): handleMenuKeys(input, line)
        default: nil
        }
    }

    private mutating func cancelPrompt(_ line: Prompt) -> [Effect] {
        prompt = nil
        switch line.kind {
        case .filter: return setFilter("")
        case .helpWords: setHelpWords("")
        case .command, .palette: break
        }
        return []
    }

    private mutating func finishPrompt(_ line: Prompt) -> [Effect] {
        switch line.kind {
        case .filter, .helpWords:
            prompt = nil
            return []
        case .command:
            prompt = nil
            return run(line.text)
        case .palette:
            return finishPalette(line)
        }
    }

    /// Follows a change of the line.
    mutating func promptChanged() -> [Effect] {
        guard let line = prompt else { return [] }
        switch line.kind {
        case .filter: return setFilter(line.text)
        case .helpWords: setHelpWords(line.text)
        case .command, .palette: updateMenu()
        }
        return []
    }

    private mutating func setHelpWords(_ words: String) {
        helpWords = words
        helpTop = 0
    }

    /// Shows only what has the words of `text`.
    mutating func setFilter(_ text: String) -> [Effect] {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words != list.filter else { return [] }
        if scope.folder == .drafts {
            changeItems { $0.list.filter = words }
            return []
        }
        list.filter = words
        list.limit = ListState.step
        list.generation += 1
        return [loadList()]
    }
}
