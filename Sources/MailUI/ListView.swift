internal import DisplayText
internal import MailModel
internal import TerminalUI

/// What a list line shows, fit for a terminal.
struct ListLine: Sendable, Hashable {
    var isUnread = false
    var isStarred = false
    var hasAttachments = false
    var who: String
    var count: String
    var subject: String
    var snippet: String
    var date: String
    /// Whose mail it is, where that is not the same for all lines.
    var mailbox = ""
}

/// Where a list line's columns are; the same for every line of one width.
struct ListColumns: Sendable, Hashable {
    /// The width of the counterparty together with the count at its end.
    let who: Int
    let subject: Int
    let subjectColumns: Int
    let date: Int
    let dateColumns: Int
    /// Where the mailbox is; 0 columns where none is shown.
    let mailbox: Int
    let mailboxColumns: Int

    static let marks = 4
    /// A snippet shorter than this says nothing.
    static let leastSnippet = 6

    /// In a narrower pane the subject has the room.
    private static let mailboxFrom = 100

    init(columns: Int, showsMailbox: Bool = false) {
        // A narrow pane names older mail by its year alone, so that more of the subject shows.
        dateColumns = columns >= 60 ? 10 : columns >= 40 ? 6 : 0
        date = columns - dateColumns
        who = max(10, min(30, columns * 3 / 10))
        subject = ListColumns.marks + who + 1
        mailboxColumns = showsMailbox && columns >= ListColumns.mailboxFrom ? 20 : 0
        mailbox = date - mailboxColumns - 1
        let end = mailboxColumns > 0 ? mailbox : date
        subjectColumns = max(0, end - subject - (dateColumns > 0 ? 1 : 0))
    }
}

extension AppState {
    func drawList(in grid: inout Grid, rect: Rect) {
        let all = items
        guard !all.isEmpty else {
            let lines = Formatting.wrapped(emptyListSentence, columns: max(1, rect.columns - 2))
            for (row, line) in lines.prefix(rect.rows).enumerated() {
                grid.write(line, row: rect.row + row, column: rect.column + 1, style: Style(dim: true))
            }
            return
        }
        let mailboxes = scope.mailboxID == nil ? counts.compactMap(\.mailbox) : []
        let columns = ListColumns(columns: rect.columns, showsMailbox: mailboxes.count > 1)
        let names = Dictionary(mailboxes.map { ($0.id, $0.address) }, uniquingKeysWith: { first, _ in first })
        let drafts = scope.folder == .drafts ? shownDrafts : []
        for row in 0..<rect.rows {
            let index = list.offset + row
            guard all.indices.contains(index) else { break }
            var line = scope.folder == .drafts ? listLine(drafts[index]) : listLine(list.rows[index])
            if columns.mailboxColumns > 0 {
                let owner = scope.folder == .drafts ? drafts[index].mailboxID : list.rows[index].shown.mailboxID
                line.mailbox = TextDisplay.sanitizedLine(owner.flatMap { names[$0] } ?? "")
            }
            let isSelected = all[index] == list.selected
            let place = Rect(row: rect.row + row, column: rect.column, columns: rect.columns, rows: 1)
            draw(line, isSelected: isSelected, columns: columns, in: &grid, rect: place)
            if isSelected && reader == nil && prompt == nil {
                grid.cursor = Position(row: place.row, column: place.column)
            }
        }
    }

    private var emptyListSentence: String {
        if hasNothingCached {
            if sync.isRunning { return "Mail is being fetched for the first time. It appears here as it comes." }
            let reason = sync.failure.map { " " + TextDisplay.sanitizedLine($0) } ?? ""
            return "No mail has been fetched yet." + (sync.isOffline ? " Herald is offline." : "") + reason
        }
        if !list.isLoaded { return "Loading…" }
        if list.filter != list.shownFilter { return "Searching…" }
        if !list.filter.isEmpty {
            let places = scope.folder == .drafts ? "recipients, subject or text" : "people, subject or first words"
            return "Nothing here has these words in \(places). Esc shows all again."
        }
        return sync.isRunning ? "Nothing here yet." : "Nothing here."
    }

    /// Whether the cache knows no mailbox and no message, as before the first pass.
    private var hasNothingCached: Bool {
        list.rows.isEmpty && drafts.isEmpty && list.filter.isEmpty
            && (sync.isRunning || sync.failure != nil || sync.isOffline)
            && counts.allSatisfy { $0.mailbox == nil && $0.total.values.allSatisfy { $0 == 0 } }
    }

    private func listLine(_ row: ConversationRow) -> ListLine {
        ListLine(
            isUnread: row.shownUnread > 0, isStarred: row.isStarred, hasAttachments: row.hasAttachments,
            who: MailDisplay.counterparty(row.shown), count: Formatting.messages(row.messageCount),
            subject: MailDisplay.subject(row.shown.subject),
            snippet: TextDisplay.sanitizedLine(row.shown.snippet),
            date: MailDisplay.date(row.shown.activityAt, now: now, utcOffsetSeconds: utcOffsetSeconds))
    }

    private func listLine(_ draft: Draft) -> ListLine {
        let to = MailDisplay.addresses(draft.to)
        return ListLine(
            hasAttachments: !draft.attachments.isEmpty, who: to.isEmpty ? "(nobody yet)" : to, count: "",
            subject: MailDisplay.subject(draft.subject), snippet: TextDisplay.sanitizedLine(draft.text),
            date: MailDisplay.date(draft.updatedAt, now: now, utcOffsetSeconds: utcOffsetSeconds))
    }

    private func draw(
        _ line: ListLine, isSelected: Bool, columns: ListColumns, in grid: inout Grid, rect: Rect
    ) {
        let base = Style(bold: line.isUnread, reverse: isSelected)
        grid.fill(rect, style: base)
        func put(_ text: String, at column: Int, width: Int, style: Style) {
            grid.write(
                TextDisplay.truncated(text, columns: width), row: rect.row, column: rect.column + column,
                style: style, columnsMax: max(0, min(width, rect.columns - column)))
        }
        let marks =
            (line.isUnread ? "●" : " ") + (line.isStarred ? "★" : " ") + (line.hasAttachments ? "@" : " ")
        put(marks, at: 0, width: ListColumns.marks, style: base)
        let count = line.count.isEmpty ? 0 : TextDisplay.width(of: line.count) + 1
        put(line.who, at: ListColumns.marks, width: columns.who - count, style: base)
        put(line.count, at: columns.subject - count, width: count, style: base)
        put(line.subject, at: columns.subject, width: columns.subjectColumns, style: base)
        let used = TextDisplay.width(of: line.subject) + 2
        if used + ListColumns.leastSnippet <= columns.subjectColumns {
            let dim = Style(dim: true, reverse: isSelected)
            put(line.snippet, at: columns.subject + used, width: columns.subjectColumns - used, style: dim)
        }
        put(
            line.mailbox, at: columns.mailbox, width: columns.mailboxColumns,
            style: Style(dim: true, reverse: isSelected))
        let isShort = TextDisplay.width(of: line.date) > columns.dateColumns
        let date = TextDisplay.truncated(
            isShort ? String(line.date.prefix(4)) : line.date, columns: columns.dateColumns)
        let left = columns.date + columns.dateColumns - TextDisplay.width(of: date)
        put(date, at: left, width: columns.dateColumns, style: base)
    }
}
