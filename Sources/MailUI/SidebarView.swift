internal import DisplayText
internal import MailModel
internal import TerminalUI

/// One line of the sidebar.
struct SidebarLine: Sendable, Hashable {
    /// The list it stands for.
    var scope: ListScope
    var name: String
    var count: Int
    var isMailbox: Bool
    var isSelected: Bool
    var hasUnread: Bool
    /// The saved search it stands for.
    var search: SavedSearch?
    /// What a line about accounts leads to; `nil` for mailboxes and folders.
    var account: AccountPlace?
    /// The colour of its account.
    var color: Color?
    /// How its account stands.
    var sign = AccountSign.well
}

extension AppState {
    /// All mailboxes, then each; the folders of the one shown below it.
    var sidebarLines: [SidebarLine] {
        mailboxOrder.flatMap { mailbox -> [SidebarLine] in
            let row = counts(of: mailbox)
            let unread = Folder.stored.reduce(0) { $0 &+ (row.unread[$1] ?? 0) }
            let isShown = mailbox == scope.mailboxID
            let title = row.mailbox.map { TextDisplay.sanitizedLine($0.address) } ?? "All mailboxes"
            let head = SidebarLine(
                scope: ListScope(mailboxID: mailbox, folder: scope.folder),
                name: (isShown ? "▾ " : "▸ ") + title, count: isShown ? 0 : unread, isMailbox: true,
                isSelected: false, hasUnread: unread > 0)
            guard isShown else { return [head] }
            return [head] + Folder.allCases.map { folderLine($0, of: row) } + searchLines
        }
    }

    private func folderLine(_ folder: Folder, of row: MailboxCounts) -> SidebarLine {
        let unread = row.unread[folder] ?? 0
        return SidebarLine(
            scope: ListScope(mailboxID: scope.mailboxID, folder: folder), name: "    " + folder.title,
            count: folder == .drafts ? draftCount(row) : unread,
            isMailbox: false, isSelected: folder == scope.folder && shownSearch == nil && !isCombinedShown,
            hasUnread: unread > 0)
    }

    /// The first line shown: where the wheel left it, else so that the selected folder is in the middle.
    func sidebarFirst(_ lines: [SidebarLine]) -> Int {
        let rows = layout.sidebar?.rows ?? 0
        let selected = lines.firstIndex(where: \.isSelected) ?? 0
        return max(0, min(sidebarTop ?? (selected - rows / 2), lines.count - rows))
    }

    func drawSidebar(in grid: inout Grid, rect: Rect) {
        let lines = allSidebarLines
        let first = sidebarFirst(lines)
        for (row, line) in lines.dropFirst(first).prefix(rect.rows).enumerated() {
            var count = line.count > 0 ? " " + Formatting.grouped(line.count) + " " : " "
            if line.sign != .well { count = " " + line.sign.text + count }
            let width = max(0, rect.columns - TextDisplay.width(of: count))
            let isAll = line.account == .all
            let selected = (isAll ? "› " : "  › ") + line.name.drop(while: { $0 == " " })
            let mark = line.isSelected ? selected : line.name
            let text = TextDisplay.padded(mark, columns: width) + count
            let style = Style(foreground: line.color, bold: line.hasUnread, underline: line.isSelected)
            grid.write(
                text, row: rect.row + row, column: rect.column, style: style, columnsMax: rect.columns)
            if let color = line.sign.color {
                let place = Rect(row: rect.row + row, column: rect.column + width + 1, columns: 1, rows: 1)
                grid.putStyle(place) { $0.foreground = color }
            }
        }
    }
}
