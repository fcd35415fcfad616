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
        let movement: ActionID? =
            switch input {
            case .key(.down, _), .key(.character("n"), .control): .moveDown
            case .key(.up, _), .key(.character("p"), .control): .moveUp
            default: nil
            }
        switch line.kind {
        case .filter where isCombinedShown: return movement.map { moveInCombined($0) }
        case .filter:
            return movement.map { filterFault != nil ? [.bell] : holdsInFilter(input) ? [] : moveSelection($0) }
        case .command, .palette: return handleMenuKeys(input, line)
        case .helpWords, .select: return nil
        }
    }

    private mutating func cancelPrompt(_ line: Prompt) -> [Effect] {
        prompt = nil
        switch line.kind {
        case .filter: return setFilter("")
        case .helpWords: setHelpWords("")
        case .command, .palette, .select: break
        }
        return []
    }

    private mutating func finishPrompt(_ line: Prompt) -> [Effect] {
        switch line.kind {
        case .filter: return finishFilter(line)
        case .helpWords:
            prompt = nil
            return []
        case .select: return finishSelecting(line)
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
        case .select: break
        }
        return []
    }

    private mutating func setHelpWords(_ words: String) {
        helpWords = words
        helpTop = 0
    }
}
