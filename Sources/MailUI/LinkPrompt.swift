internal import MailModel
internal import MailText
internal import TerminalUI

/// Choosing a link of a message by its number, with its true target in sight.
struct LinkPrompt: Sendable, Hashable {
    enum Purpose: Sendable, Hashable {
        case open, copy
    }

    var purpose: Purpose
    var message: MessageID
    var links: [LinkTarget]
    /// The digits typed so far.
    var digits = ""
    /// The number of the link whose target is shown.
    var selected: Int?

    init(purpose: Purpose, message: MessageID, links: [LinkTarget]) {
        self.purpose = purpose
        self.message = message
        self.links = links
        if links.count == 1 { selected = links.first?.number }
    }

    /// The link whose target is shown.
    var target: LinkTarget? { links.first { $0.number == selected } }

    /// Takes one more digit; `false` when no link has such a number.
    mutating func type(_ digit: Character) -> Bool {
        let typed = digits + String(digit)
        guard let number = Int(typed), links.contains(where: { $0.number == number }) else { return false }
        (digits, selected) = (typed, number)
        return true
    }

    /// Takes the last digit back.
    mutating func erase() {
        if digits.isEmpty {
            selected = nil
        } else {
            digits.removeLast()
            selected = Int(digits)
        }
    }

    /// Goes to the next or the previous link, around the ends.
    mutating func move(by step: Int) {
        let now = links.firstIndex { $0.number == selected }
        let next = now.map { ($0 + step + links.count) % links.count } ?? (step > 0 ? 0 : links.count - 1)
        selected = links[next].number
        digits = ""
    }
}

extension AppState {
    /// The message whose links and pictures keys act on: the current one while its text is shown.
    var messageActedOn: MessageID? {
        guard let pane = reader, let current = pane.current, !pane.folded.contains(current) else { return nil }
        return current
    }

    /// The links of the message acted on.
    var linksActedOn: [LinkTarget] {
        guard let id = messageActedOn else { return [] }
        return reader?.laidOut(id, columns: layout.readerColumns)?.links ?? []
    }

    /// Begins to ask for a link.
    mutating func askForLink(_ purpose: LinkPrompt.Purpose) {
        guard let id = messageActedOn, !linksActedOn.isEmpty else { return }
        linkPrompt = LinkPrompt(purpose: purpose, message: id, links: linksActedOn)
        showSelectedLink()
    }

    /// Takes a key while a link is chosen; pasted text does nothing.
    mutating func handleLinkPrompt(_ input: InputEvent) -> [Effect] {
        guard var prompt = linkPrompt, case .key(let key, let modifiers) = input else { return [] }
        notice = nil
        switch (key, modifiers) {
        case (.enter, _): return finish(prompt, as: prompt.purpose)
        case (.character("y"), []), (.character("O"), []): return finish(prompt, as: .copy)
        case (.character("o"), []): return finish(prompt, as: .open)
        case (.escape, _), (.character("q"), []), (.character("c"), .control), (.character("g"), .control):
            linkPrompt = nil
            return []
        case (.tab, .shift), (.up, _), (.character("p"), .control), (.character("k"), []): prompt.move(by: -1)
        case (.tab, _), (.down, _), (.character("n"), .control), (.character("j"), []): prompt.move(by: 1)
        case (.backspace, _), (.character("h"), .control): prompt.erase()
        case (.character("u"), .control): (prompt.digits, prompt.selected) = ("", nil)
        case (.character(let digit), []) where digit.isASCII && digit.isNumber:
            guard prompt.type(digit) else {
                notice = "There is no link \(prompt.digits)\(digit) in this message."
                return [.bell]
            }
        default: return [.bell]
        }
        linkPrompt = prompt
        showSelectedLink()
        return []
    }

    private mutating func finish(_ prompt: LinkPrompt, as purpose: LinkPrompt.Purpose) -> [Effect] {
        guard let target = prompt.target else {
            notice = "Type the number of a link first."
            return [.bell]
        }
        guard let address = target.address else {
            notice = "This address cannot be read, so there is nothing to open."
            return [.bell]
        }
        if purpose == .open, let refusal = address.refusal {
            notice = refusal + " y copies it."
            return [.bell]
        }
        linkPrompt = nil
        return [purpose == .open ? .openAddress(address.text) : .copy(address.text)]
    }

    /// Scrolls so that the chosen link can be seen above the panel.
    private mutating func showSelectedLink() {
        guard let prompt = linkPrompt, let number = prompt.selected, var pane = reader else { return }
        let line = pane.content.lines.firstIndex { line in
            line.message == prompt.message && line.pieces.contains { $0.link == number }
        }
        let rows = max(1, layout.readerRows - linkPanelRows)
        guard let line, line < pane.top || line >= pane.top + rows else { return }
        pane.top = max(0, line - rows / 2)
        pane.anchor = nil
        reader = pane
    }
}
