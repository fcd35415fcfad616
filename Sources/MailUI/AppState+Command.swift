internal import DisplayText
internal import MailModel
internal import TerminalUI

/// The `:` line and the palette.
extension AppState {
    /// The most lines of history kept.
    package static let historyMax = 500

    /// Opens the command line, with the beginning of a command where there is one.
    mutating func openCommandLine(_ text: String = "") -> [Effect] {
        prompt = Prompt(.command, text)
        return promptChanged()
    }

    mutating func openPalette() -> [Effect] {
        prompt = Prompt(.palette)
        return promptChanged()
    }

    /// Does what a typed line says.
    mutating func run(_ line: String) -> [Effect] {
        let text = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { return [] }
        var effects: [Effect] = []
        // As in a shell, a blank before a line keeps it out of the history.
        if line.first != " ", history.last != text {
            history.append(text)
            history.removeFirst(max(0, history.count - AppState.historyMax))
            effects = [.remember(text)]
        }
        do {
            guard let invocation = try TypedCommand.invocation(line, in: Set(layers)) else {
                return effects
            }
            return effects + performFromPrompt(invocation)
        } catch {
            notice = TextDisplay.sanitizedLine(error.sentence)
            return effects + [.bell]
        }
    }

    /// The places that commands can act in, the one in front first.
    var layers: [ActionContext] {
        if signIn != nil { return [.help] }
        if writing.composer != nil { return helpTop == nil ? [.review] : [.help, .review] }
        let base: ActionContext = isCombinedShown ? .combined : reader == nil ? .list : .reader
        return [context, contextBelowHelp, base].reduce(into: []) { layers, place in
            if !layers.contains(place) { layers.append(place) }
        }
    }

    /// Does an action chosen by its name: what it does nothing in is closed first.
    mutating func performFromPrompt(_ invocation: Invocation) -> [Effect] {
        if let place = layers.first(where: { ActionTable.action(invocation.id, in: $0) != nil }) {
            if place != .help { helpTop = nil }
            if [.list, .reader, .combined].contains(place) { (files.menu, outbox.isOpen) = (nil, false) }
        }
        return perform(invocation)
    }

    /// The keys of the command line and the palette beside those of the line; `nil` for all others.
    mutating func handleMenuKeys(_ input: InputEvent, _ line: Prompt) -> [Effect]? {
        let isPalette = line.kind == .palette
        switch input {
        case .key(.tab, let modifiers): chooseItem(by: modifiers.contains(.shift) ? -1 : 1, isPalette: isPalette)
        case .key(.up, _), .key(.character("p"), .control):
            if isPalette { chooseItem(by: -1, isPalette: true) } else { showHistory(by: -1) }
        case .key(.down, _), .key(.character("n"), .control):
            if isPalette { chooseItem(by: 1, isPalette: true) } else { showHistory(by: 1) }
        case .key(.pageUp, _): movePage(-1, isPalette: isPalette)
        case .key(.pageDown, _): movePage(1, isPalette: isPalette)
        default: return nil
        }
        return []
    }

    private mutating func movePage(_ direction: Int, isPalette: Bool) {
        guard isPalette, var line = prompt, let selected = line.menu.selected else { return }
        let target = selected + direction * max(1, menuRows - 1)
        line.menu.selected = max(0, min(line.menu.items.count - 1, target))
        prompt = line
    }

    /// Chooses a line of the menu; on the command line it takes the typed one's place.
    private mutating func chooseItem(by step: Int, isPalette: Bool) {
        guard var line = prompt else { return }
        if line.menu.items.isEmpty, !isPalette { line.menu = Menu(items: completions(of: line.text)) }
        line.menu.move(by: step)
        if !isPalette, let item = line.menu.selectedItem {
            line.editor.replace(with: item.text)
            // The only one is taken for good, so that what follows it can be completed at once.
            if line.menu.items.count == 1 { line.menu = Menu(items: completions(of: item.text)) }
        }
        prompt = line
    }

    /// Shows an older or newer line that begins like the one typed.
    private mutating func showHistory(by step: Int) {
        guard var line = prompt else { return }
        if line.historyIndex == nil { line.typed = line.text }
        var index = (line.historyIndex ?? history.count) + step
        while history.indices.contains(index), !history[index].hasPrefix(line.typed) { index += step }
        if history.indices.contains(index) {
            line.historyIndex = index
            line.editor.replace(with: history[index])
        } else if step > 0 {
            line.historyIndex = nil
            line.editor.replace(with: line.typed)
        } else {
            return
        }
        line.menu = Menu(items: completions(of: line.text))
        prompt = line
    }

    /// Finds the lines of the menu anew.
    mutating func updateMenu() {
        guard var line = prompt else { return }
        line.historyIndex = nil
        switch line.kind {
        case .command:
            // An empty line covers nothing; Tab shows what there is.
            line.menu = Menu(items: line.editor.isEmpty ? [] : completions(of: line.text))
        case .palette:
            let items = paletteItems(line.text)
            line.menu = Menu(items: items, selected: items.isEmpty ? nil : 0)
        case .filter, .helpWords, .select:
            break
        }
        prompt = line
    }

    /// Every action that fits the words, best first; what cannot be done now comes last.
    func paletteItems(_ query: String) -> [Menu.Item] {
        var found: [(item: Menu.Item, score: Int)] = []
        for id in ActionTable.ids where id != .palette {
            guard let item = menuItem(id) else { continue }
            let entries = ActionTable.entries(of: id)
            let names = [id.command] + entries.map(\.name)
            let fields =
                names.map { FuzzyMatch.Field(text: $0, weight: 3) }
                + entries.flatMap(\.synonyms).map { FuzzyMatch.Field(text: $0, weight: 2) }
                + entries.map { FuzzyMatch.Field(text: $0.help, weight: 1, isLoose: false) }
                + [FuzzyMatch.Field(text: item.keys, weight: 1, isLoose: false)]
            guard let score = FuzzyMatch.score(query, in: fields) else { continue }
            found.append((item, score))
        }
        for item in searchItems {
            let fields = [
                FuzzyMatch.Field(text: item.title, weight: 3),
                FuzzyMatch.Field(text: "saved search", weight: 1, isLoose: false),
            ]
            if let score = FuzzyMatch.score(query, in: fields) { found.append((item, score)) }
        }
        let order = found.indices.sorted { left, right in
            let (first, second) = (found[left], found[right])
            if (first.item.reason == nil) != (second.item.reason == nil) { return first.item.reason == nil }
            return first.score == second.score ? left < right : first.score > second.score
        }
        return order.map { found[$0].item }
    }

    /// Does the line chosen in the palette, or says why it cannot be done.
    mutating func finishPalette(_ line: Prompt) -> [Effect] {
        guard let item = line.menu.selectedItem, let invocation = item.invocation else { return [.bell] }
        if let reason = item.reason {
            notice = reason
            return [.bell]
        }
        prompt = nil
        return performFromPrompt(invocation)
    }
}
