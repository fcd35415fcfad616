internal import DisplayText
internal import MailText
internal import TerminalUI

/// The panel that shows where a link truly goes.
extension AppState {
    /// Addresses of more lines are cut in the middle: as many as there is room for beside what is said of them.
    private var addressRows: Int { max(6, layout.body.rows - 8) }

    /// How many rows the panel takes.
    var linkPanelRows: Int {
        guard let prompt = linkPrompt else { return 0 }
        return min(linkPanelLines(prompt, columns: linkPanelRect.columns).count, max(1, layout.body.rows - 2))
    }

    /// The columns of the panel: those of the reader.
    private var linkPanelRect: Rect { layout.reader ?? layout.body }

    /// Draws the panel over the end of the reader.
    func drawLinkPanel(in grid: inout Grid) {
        guard let prompt = linkPrompt else { return }
        let pane = linkPanelRect
        let lines = linkPanelLines(prompt, columns: pane.columns).prefix(linkPanelRows)
        let top = pane.row + pane.rows - lines.count
        grid.fill(Rect(row: top, column: pane.column, columns: pane.columns, rows: lines.count))
        for (row, line) in lines.enumerated() {
            var column = pane.column + 1
            let end = pane.column + pane.columns
            for piece in line where column < end {
                column += grid.write(
                    piece.text, row: top + row, column: column, style: piece.style, columnsMax: end - column)
            }
        }
    }

    private func linkPanelLines(_ prompt: LinkPrompt, columns: Int) -> [[StyledText]] {
        let room = max(1, columns - 2)
        var lines = [[StyledText(text: rule(columns: room), style: Style(dim: true))]]
        func add(_ text: String, _ style: Style = .plain) {
            for line in Formatting.wrapped(TextDisplay.sanitizedLine(text), columns: room) {
                lines.append([StyledText(text: line, style: style)])
            }
        }
        guard let target = prompt.target else {
            add("\(prompt.links.count) links in this message. Type a number, or go from one to the next with Tab.")
            return lines
        }
        if !target.text.isEmpty, target.text != target.url { add("“\(target.text)” goes to", Style(dim: true)) }
        lines += addressLines(target, columns: room)
        if let host = target.address?.host, host.unicode != host.ascii {
            add("The host in its own letters: \(host.unicode)")
        }
        for warning in target.warnings {
            add("⚠ " + warning.sentence, Style(foreground: .red, bold: true))
        }
        return lines
    }

    /// The whole address with its host in bold letters, wrapped anywhere.
    private func addressLines(_ target: LinkTarget, columns: Int) -> [[StyledText]] {
        let host = Style(bold: true, underline: true)
        var pieces: [(text: String, style: Style)] = [(TextDisplay.sanitizedLine(target.url), .plain)]
        if let address = target.address {
            pieces = [
                (address.beforeHost, .plain), (address.host?.ascii ?? "", host), (address.afterHost, .plain),
            ]
        }
        var lines: [[StyledText]] = [[]]
        var used = 0
        for piece in pieces {
            var rest = piece.text[...]
            while !rest.isEmpty {
                if used == columns {
                    lines.append([])
                    used = 0
                }
                let part = rest.prefix(columns - used)
                lines[lines.count - 1].append(StyledText(text: String(part), style: piece.style))
                used += part.count
                rest = rest.dropFirst(part.count)
            }
        }
        guard lines.count > addressRows else { return lines }
        let hidden = lines.count - addressRows + 1
        let cut = [StyledText(text: "… \(hidden) more lines …", style: Style(dim: true))]
        return lines.prefix(addressRows - 3) + [cut] + lines.suffix(2)
    }

    /// What the status line says while a link is chosen.
    func linkPromptText(_ prompt: LinkPrompt) -> (label: String, text: String) {
        let label = prompt.purpose == .open ? " Open link: " : " Copy link: "
        return (label, prompt.digits.isEmpty ? prompt.selected.map(String.init) ?? "" : prompt.digits)
    }

    /// What the hint line says while a link is chosen.
    func linkPromptHints(_ prompt: LinkPrompt) -> String {
        guard prompt.selected != nil else { return "0-9 number  Tab next  Esc cancel" }
        return prompt.purpose == .open
            ? "Enter open  y copy  Tab next  S-Tab previous  Esc cancel"
            : "Enter copy  o open  Tab next  S-Tab previous  Esc cancel"
    }
}
