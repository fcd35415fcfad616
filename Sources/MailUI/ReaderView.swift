internal import DisplayText
internal import MailModel
internal import MailText
internal import TerminalUI

extension AppState {
    func drawReader(in grid: inout Grid, rect: Rect) {
        guard let pane = reader else {
            drawPreview(in: &grid, rect: rect)
            return
        }
        let isThread = openThread != nil
        for (row, line) in pane.content.lines.dropFirst(pane.top).prefix(rect.rows).enumerated() {
            var column = rect.column + 1
            let end = rect.column + rect.columns
            let isHead = line.message.flatMap { pane.content.starts[$0] } == pane.top + row
            if let picture = line.picture {
                draw(picture, in: &grid, row: rect.row + row, column: column, columnsMax: end - column)
            }
            for (number, piece) in line.pieces.enumerated() where column < end {
                var style = piece.style
                if let link = piece.link, link == linkPrompt?.selected, line.message == linkPrompt?.message {
                    style.reverse = true
                }
                column += grid.write(
                    linear(piece.text, isHead: isHead, isFirst: number == 0), row: rect.row + row, column: column,
                    style: style, columnsMax: end - column, isOrdered: line.isOrdered,
                    link: piece.link.flatMap { hyperlink($0, of: line.message) })
            }
            if isThread, let current = pane.current, pane.content.starts[current] == pane.top + row {
                grid.cursor = Position(row: rect.row + row, column: rect.column + 1)
            }
        }
        markHits(in: rect, of: &grid)
        if grid.cursor == nil, rect.rows > 0, rect.columns > 0 {
            grid.cursor = Position(row: rect.row, column: rect.column)
        }
    }

    /// The address that a link opens by itself; `nil` for links that are not what they seem, which are asked for.
    private func hyperlink(_ number: Int, of message: MessageID?) -> String? {
        guard let message, let links = reader?.laidOut(message, columns: layout.readerColumns)?.links,
            links.indices.contains(number - 1), links[number - 1].warnings.isEmpty,
            let address = links[number - 1].address, address.refusal == nil
        else { return nil }
        return address.text
    }

    /// What is known of the selected conversation without opening it.
    private func drawPreview(in grid: inout Grid, rect: Rect) {
        let content = previewContent(columns: layout.readerColumns)
        for (index, line) in content.lines.prefix(rect.rows).enumerated() {
            var column = rect.column + 1
            for piece in line.pieces {
                column += grid.write(piece.text, row: rect.row + index, column: column, style: piece.style)
            }
        }
    }

    private func previewContent(columns: Int) -> ReaderContent {
        if !isCombinedShown, let id = selectedDraft, let draft = drafts.first(where: { $0.id == id }) {
            return ReaderContent.of(draft, columns: columns)
        }
        var content = ReaderContent()
        guard let row = previewRow else { return content }
        if let label = isCombinedShown ? combined?.selected?.account : nil {
            content.addField("Account", TextDisplay.sanitizedLine(entry(of: label)?.name ?? label), columns: columns)
        }
        content.addField("Subject", MailDisplay.subject(row.shown.subject), columns: columns)
        content.addField("From", TextDisplay.sanitizedLine(row.shown.fromAddress), columns: columns)
        content.addField("To", MailDisplay.addresses(row.shown.to), columns: columns)
        content.add("")
        // The server tells so much of the text and no more (contract §4.2).
        let more = row.shown.snippet.utf16.count >= 180 ? "…" : ""
        for line in Formatting.wrapped(TextDisplay.sanitizedLine(row.shown.snippet) + more, columns: columns) {
            content.add(line, Style(dim: true))
        }
        return content
    }

    /// The row selected in the list shown.
    private var previewRow: ConversationRow? {
        if isCombinedShown { return combined?.selectedIndex.flatMap { combined?.rows[$0].row } }
        return selectedThread.flatMap { thread in list.rows.first { $0.threadID == thread } }
    }
}
