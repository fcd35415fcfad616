internal import TerminalUI

/// Choosing lines of the original to put into the text.
struct QuotePicker: Sendable, Hashable {
    /// The lines of the original, without the line that leads them.
    let lines: [String]
    var selected = 0
    /// The other end of what is chosen; `nil` for the selected line alone.
    var mark: Int?
    var top = 0

    var chosen: ClosedRange<Int> { min(selected, mark ?? selected)...max(selected, mark ?? selected) }

    /// The chosen lines as a quote, with a line end behind each.
    var text: String { lines[chosen].map { ($0.isEmpty ? ">" : "> " + $0) + "\n" }.joined() }

    /// What a key does: `true` puts the lines in, `false` leaves without, `nil` goes on.
    mutating func take(_ input: InputEvent, page: Int) -> Bool? {
        guard case .key(let key, let modifiers) = input else { return nil }
        switch (key, modifiers.contains(.control)) {
        case (.enter, _): return true
        case (.escape, _), (.character("c"), true), (.character("g"), true), (.character("o"), true): return false
        case (.up, _), (.character("k"), false), (.character("p"), true): selected -= 1
        case (.down, _), (.character("j"), false), (.character("n"), true): selected += 1
        case (.pageUp, _): selected -= page
        case (.pageDown, _): selected += page
        case (.home, _): selected = 0
        case (.end, _): selected = lines.count - 1
        case (.character(" "), _): mark = mark == nil ? selected : nil
        case (.character("a"), false): (mark, selected) = (0, lines.count - 1)
        default: break
        }
        selected = max(0, min(lines.count - 1, selected))
        if selected < top { top = selected }
        if selected >= top + page { top = selected - page + 1 }
        return nil
    }
}
