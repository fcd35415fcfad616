internal import MailModel
internal import TerminalUI

extension AppState {
    /// Takes a key while the filter is typed; the list follows at once.
    mutating func handlePrompt(_ input: InputEvent) -> [Effect] {
        guard var text = prompt else { return [] }
        switch input {
        case .paste(let pasted):
            text += pasted.map { $0.isNewline ? " " : String($0) }.joined()
        case .key(.enter, _):
            prompt = nil
            return []
        case .key(.escape, _), .key(.character("c"), .control), .key(.character("g"), .control):
            prompt = nil
            return setFilter("")
        case .key(.backspace, _), .key(.character("h"), .control):
            if text.isEmpty {
                prompt = nil
                return setFilter("")
            }
            text.removeLast()
        case .key(.character("u"), .control):
            text = ""
        case .key(.character("w"), .control):
            while text.last == " " { text.removeLast() }
            while let last = text.last, last != " " { text.removeLast() }
        case .key(.down, _), .key(.character("n"), .control):
            return moveSelection(.moveDown)
        case .key(.up, _), .key(.character("p"), .control):
            return moveSelection(.moveUp)
        case .key(.character(let character), let modifiers)
        where !modifiers.contains(.control) && !modifiers.contains(.alt):
            text.append(character)
        default:
            return []
        }
        prompt = text
        return setFilter(text)
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
