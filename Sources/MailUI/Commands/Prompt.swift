internal import TerminalUI

/// A line being typed at the bottom of the screen, and what it is for.
struct Prompt: Sendable, Hashable {
    /// What the line is for.
    enum Kind: Sendable, Hashable {
        /// Words that conversations must have; the list follows at once.
        case filter
        /// A `:` command.
        case command
        /// Words for an action; the menu follows at once.
        case palette
        /// Words that lines of help must have.
        case helpWords
        /// Words that conversations must have to be selected.
        case select

        /// The text before the line.
        var label: String {
            switch self {
            case .filter: " Filter: "
            case .command: " :"
            case .palette: " Action: "
            case .helpWords: " Find in help: "
            case .select: " Select what has: "
            }
        }

        /// What keys do, the most important first.
        var hints: [String] {
            switch self {
            case .filter, .helpWords: ["Enter keep", "Esc show all again"]
            case .select: ["Enter select", "Esc leave"]
            case .command: ["Enter do", "Esc leave", "Tab complete", "Up history"]
            case .palette: ["Enter do", "Esc leave", "Down next"]
            }
        }
    }

    let kind: Kind
    var editor: LineEditor
    /// What the line could become, with the one chosen.
    var menu = Menu()
    /// How far back in the history the line is; `nil` on the line being typed.
    var historyIndex: Int?
    /// The line as it was typed, while an older one is shown.
    var typed = ""

    init(_ kind: Kind, _ text: String = "") {
        self.kind = kind
        editor = LineEditor(text)
    }

    var text: String { editor.text }
}

/// Lines to choose from above a prompt.
struct Menu: Sendable, Hashable {
    /// One of the lines.
    struct Item: Sendable, Hashable {
        /// What the typed line becomes.
        var text: String
        /// What is shown, by default the text.
        var title: String
        /// A sentence about it.
        var detail = ""
        /// The keys that do the same.
        var keys = ""
        /// Why it cannot be done now.
        var reason: String?
        /// What it does, where that is not told by the text.
        var invocation: Invocation?
    }

    var items: [Item] = []
    /// The line chosen; `nil` until one is.
    var selected: Int?

    var selectedItem: Item? { selected.flatMap { items.indices.contains($0) ? items[$0] : nil } }

    /// Chooses the next or an earlier line, around the ends.
    mutating func move(by step: Int) {
        guard !items.isEmpty else { return }
        let start = selected ?? (step > 0 ? -1 : items.count)
        selected = ((start + step) % items.count + items.count) % items.count
    }
}
