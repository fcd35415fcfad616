internal import DisplayText
internal import MailModel
package import TerminalUI

extension AppState {
    /// The screen for the state's size.
    package func draw() -> Grid {
        presentation.isLinear ? AppState.withoutStyles(drawn()) : drawn()
    }

    private func drawn() -> Grid {
        var grid = Grid(size: size)
        grid.ordersText = drawsInOrder
        let layout = layout
        if layout.isTooSmall {
            drawTooSmall(in: &grid)
            return grid
        }
        if let signIn, helpTop == nil {
            drawSignIn(signIn, in: &grid, body: layout.body)
        } else if helpTop != nil {
            drawHelp(in: &grid, rect: layout.body)
        } else if let composer = writing.composer {
            drawComposer(composer, in: &grid, body: layout.body)
        } else if outbox.isOpen {
            drawOutbox(in: &grid, rect: layout.body)
        } else {
            if let header = layout.header { drawHeader(in: &grid, rect: header) }
            if let sidebar = layout.sidebar {
                drawSidebar(in: &grid, rect: sidebar)
                drawSeparator(in: &grid, column: sidebar.columns, rows: sidebar.rows)
            }
            if let list = layout.list {
                if isCombinedShown {
                    drawCombined(in: &grid, rect: list)
                } else if presentation.isLinear {
                    drawLinearList(in: &grid, rect: list)
                } else {
                    drawList(in: &grid, rect: list)
                }
            }
            if let pane = layout.reader {
                if layout.list != nil { drawSeparator(in: &grid, column: pane.column - 1, rows: pane.rows) }
                drawReader(in: &grid, rect: pane)
                drawAttachments(in: &grid, rect: pane)
            }
            drawLinkPanel(in: &grid)
        }
        if let prompt { drawMenu(of: prompt, in: &grid, body: layout.body) }
        drawWhichKeys(in: &grid, body: layout.body)
        drawStatus(in: &grid, rect: layout.status)
        if let hints = layout.hints { drawHints(in: &grid, rect: hints) }
        return grid
    }

    private func drawTooSmall(in grid: inout Grid) {
        let sentence = "Herald needs a window of \(Layout.least.columns) columns and \(Layout.least.rows) rows."
        for (row, line) in Formatting.wrapped(sentence, columns: max(1, size.columns)).enumerated() {
            grid.write(line, row: row, column: 0)
        }
    }

    private func drawSeparator(in grid: inout Grid, column: Int, rows: Int) {
        for row in 0..<max(0, rows) { grid.write("│", row: row, column: column, style: Style(dim: true)) }
    }

    /// The name of the mailbox shown.
    var mailboxTitle: String {
        guard let mailbox = counts(of: scope.mailboxID).mailbox else {
            return scope.mailboxID == nil ? "All mailboxes" : "Mailbox"
        }
        return TextDisplay.sanitizedLine(mailbox.address)
    }

    private func drawHeader(in grid: inout Grid, rect: Rect) {
        let unread = counts(of: scope.mailboxID).unread[scope.folder] ?? 0
        let place = scope.folder.title + (unread > 0 ? "  \(Formatting.grouped(unread)) unread" : "")
        let title = isCombinedShown ? "All inboxes" : "\(headerAccount)\(mailboxTitle) › \(place)"
        let whole = " \(title)"
        // The folder and what is unread there matter more than whose they are.
        let line = TextDisplay.padded(
            TextDisplay.width(of: whole) <= rect.columns ? whole : " \(headerAccount)\(place)", columns: rect.columns)
        grid.write(line, row: rect.row, column: rect.column, style: Style(bold: true, underline: true))
    }
}
