internal import DisplayText
internal import MailFilter
internal import MailModel
internal import MailText
internal import TerminalUI

/// What a list line shows, fit for a terminal.
struct ListLine: Sendable, Hashable {
    /// Whether the next action is for it.
    var isChosen = false
    /// Whether only the server found it.
    var isFromServer = false
    var isUnread = false
    var isStarred = false
    var hasAttachments = false
    var who: String
    /// How many messages the conversation has.
    var messages = 1
    var subject: String
    var snippet: String
    var date: String
    /// The date where there is little room.
    var shortDate: String
    /// Whose mail it is, where that is not the same for all lines.
    var mailbox = ""
}

/// Where a list line's columns are; the same for every line of one width.
struct ListColumns: Sendable, Hashable {
    /// The width of the marks and the blank behind them.
    ///
    /// Four marks have a cell each where there is room; elsewhere some give way to others.
    let marks: Int
    /// The width of the counterparty together with the count at its end.
    let who: Int
    let subject: Int
    let subjectColumns: Int
    let date: Int
    let dateColumns: Int
    /// Whether there is room for the number of messages.
    let hasCount: Bool
    /// Where the mailbox is; 0 columns where none is shown.
    let mailbox: Int
    let mailboxColumns: Int

    /// A snippet shorter than this says nothing.
    static let leastSnippet = 6
    private static let longDate = 10

    /// In a narrower pane the subject has the room.
    private static let mailboxFrom = 100

    init(columns: Int, showsMailbox: Bool = false) {
        // A narrow pane shortens the date, then leaves it out, so that more of the subject shows.
        dateColumns = columns >= 60 ? ListColumns.longDate : columns >= 40 ? 6 : 0
        date = columns - dateColumns
        hasCount = columns >= 30
        marks = columns >= 60 ? 5 : columns >= 30 ? 4 : 3
        who = columns >= 30 ? max(10, min(36, columns * 3 / 10)) : max(0, columns / 3)
        subject = marks + who + 1
        mailboxColumns = showsMailbox && columns >= ListColumns.mailboxFrom ? 20 : 0
        mailbox = date - mailboxColumns - 1
        let end = mailboxColumns > 0 ? mailbox : date
        subjectColumns = max(0, end - subject - (dateColumns > 0 ? 1 : 0))
    }

    /// The marks of a line, a cell each; where some have to give way, those the person can do least about.
    func marks(of line: ListLine) -> String {
        let unread = line.isUnread ? "●" : " "
        let star = line.isStarred ? "★" : " "
        let file = line.hasAttachments ? "@" : " "
        let choice = line.isChosen ? "✓" : line.isFromServer ? "+" : " "
        switch marks {
        case 5...: return unread + star + file + choice
        case 4: return unread + star + (choice == " " ? file : choice)
        default: return unread + (choice != " " ? choice : line.isStarred ? star : file)
        }
    }

    /// The form of a date that fits.
    func date(_ line: ListLine) -> String {
        TextDisplay.width(of: line.date) <= dateColumns ? line.date : line.shortDate
    }
}

extension AppState {
    func drawList(in grid: inout Grid, rect: Rect) {
        let all = items
        // Rows of the filter before must not pass for hits of one that cannot be used.
        guard !all.isEmpty, filterFault == nil else {
            drawEmptyList(in: &grid, rect: rect)
            return
        }
        let mailboxes = scope.mailboxID == nil ? counts.compactMap(\.mailbox) : []
        let columns = ListColumns(columns: rect.columns, showsMailbox: mailboxes.count > 1)
        let names = Dictionary(mailboxes.map { ($0.id, $0.address) }, uniquingKeysWith: { first, _ in first })
        let drafts = scope.folder == .drafts ? shownDrafts : []
        for row in 0..<rect.rows {
            let index = list.offset + row
            guard all.indices.contains(index) else { break }
            var line =
                scope.folder == .drafts
                ? listLine(drafts[index])
                : listLine(list.rows[index], whoColumns: columns.who, hasCount: columns.hasCount)
            if columns.mailboxColumns > 0 {
                let owner = scope.folder == .drafts ? drafts[index].mailboxID : list.rows[index].shown.mailboxID
                line.mailbox = TextDisplay.sanitizedLine(owner.flatMap { names[$0] } ?? "")
            }
            line.isFromServer = isFromServer(index)
            let isSelected = all[index] == list.selected
            let place = Rect(row: rect.row + row, column: rect.column, columns: rect.columns, rows: 1)
            draw(line, isSelected: isSelected, columns: columns, in: &grid, rect: place)
            markHits(row: place.row, columns: columns, at: place.column, in: &grid)
            if isSelected && reader == nil && prompt == nil {
                grid.cursor = Position(row: place.row, column: place.column)
            }
        }
    }

    func drawEmptyList(in grid: inout Grid, rect: Rect) {
        let lines = Formatting.wrapped(emptyListSentence, columns: max(1, rect.columns - 2))
        for (row, line) in lines.prefix(rect.rows).enumerated() {
            grid.write(line, row: rect.row + row, column: rect.column + 1, style: Style(dim: true))
        }
    }

    private var emptyListSentence: String {
        if hasNothingCached {
            if sync.isRunning { return "Mail is being fetched for the first time. It appears here as it comes." }
            let reason = sync.failure.map { " " + TextDisplay.sanitizedLine($0) } ?? ""
            return "No mail has been fetched yet." + (sync.isOffline ? " Herald is offline." : "") + reason
        }
        if filterFault != nil { return "This is no filter, so nothing is shown." }
        if !list.isLoaded { return "Loading…" }
        if list.filter != list.shownFilter { return "Searching…" }
        if !list.filter.isEmpty {
            let wider = scope.folder == .drafts || list.parsed?.namesPlace == true
            return "Nothing here fits this filter." + coverageSentence
                + (wider ? "" : " in:anywhere looks in all folders.")
                + " Esc shows all again."
        }
        return sync.isRunning ? "Nothing here yet." : "Nothing here."
    }

    /// Whether the cache knows no mailbox and no message, as before the first pass.
    private var hasNothingCached: Bool {
        list.rows.isEmpty && drafts.isEmpty && list.filter.isEmpty
            && (sync.isRunning || sync.failure != nil || sync.isOffline)
            && counts.allSatisfy { $0.mailbox == nil && $0.total.values.allSatisfy { $0 == 0 } }
    }

    /// The person's own addresses, in small letters.
    var ownAddresses: Set<String> { Set(counts.compactMap { $0.mailbox?.address.lowercased() }) }

    /// The most snippets kept; a screen has fewer lines.
    private static let snippetsMax = 1_000

    /// Cleans the snippets of the lines that will be shown, where that was not done before.
    mutating func cleanSnippets() {
        guard layout.list != nil, scope.folder != .drafts else { return }
        for row in list.rows.dropFirst(list.offset).prefix(listRows) where list.snippets[row.shown.id] == nil {
            if list.snippets.count >= AppState.snippetsMax { list.snippets = [:] }
            list.snippets[row.shown.id] = cleanSnippet(row.shown.snippet, subject: row.shown.subject)
        }
    }

    func listLine(_ row: ConversationRow, whoColumns: Int, hasCount: Bool) -> ListLine {
        let count = hasCount ? Formatting.messages(row.messageCount) : ""
        let room = whoColumns - (count.isEmpty ? 0 : TextDisplay.width(of: count) + 1)
        let who = Participants(row, own: row.people.isEmpty ? [] : ownAddresses).text(columns: room)
        let at = row.shown.activityAt
        return ListLine(
            isChosen: selection.contains(row.threadID), isUnread: row.shownUnread > 0, isStarred: row.isStarred,
            hasAttachments: row.hasAttachments,
            who: who.allSatisfy(\.isWhitespace) ? "(nobody)" : who, messages: row.messageCount,
            subject: MailDisplay.subject(row.shown.subject),
            snippet: list.snippets[row.shown.id] ?? cleanSnippet(row.shown.snippet, subject: row.shown.subject),
            date: MailDisplay.date(at, now: now, zone: presentation.zone),
            shortDate: MailDisplay.shortDate(at, now: now, zone: presentation.zone))
    }

    func listLine(_ draft: Draft) -> ListLine {
        let to = MailDisplay.addresses(draft.to)
        return ListLine(
            hasAttachments: !draft.attachments.isEmpty, who: to.isEmpty ? "(nobody yet)" : to,
            subject: draftMark(draft) + MailDisplay.subject(draft.subject),
            snippet: cleanSnippet(String(draft.text.prefix(400))),
            date: MailDisplay.date(draft.updatedAt, now: now, zone: presentation.zone),
            shortDate: MailDisplay.shortDate(draft.updatedAt, now: now, zone: presentation.zone))
    }

    func draw(
        _ line: ListLine, isSelected: Bool, columns: ListColumns, in grid: inout Grid, rect: Rect
    ) {
        let base = Style(foreground: line.isChosen ? .cyan : nil, bold: line.isUnread, reverse: isSelected)
        grid.fill(rect, style: base)
        func put(_ text: String, at column: Int, width: Int, style: Style) {
            grid.write(
                TextDisplay.truncated(text, columns: width), row: rect.row, column: rect.column + column,
                style: style, columnsMax: max(0, min(width, rect.columns - column)))
        }
        put(columns.marks(of: line), at: 0, width: columns.marks, style: base)
        let count = columns.hasCount ? Formatting.messages(line.messages) : ""
        let countColumns = count.isEmpty ? 0 : TextDisplay.width(of: count) + 1
        put(line.who, at: columns.marks, width: columns.who - countColumns, style: base)
        put(count, at: columns.subject - countColumns, width: countColumns, style: base)
        put(line.subject, at: columns.subject, width: columns.subjectColumns, style: base)
        let used = TextDisplay.width(of: line.subject) + 2
        if used + ListColumns.leastSnippet <= columns.subjectColumns {
            let dim = Style(dim: true, reverse: isSelected)
            put(line.snippet, at: columns.subject + used, width: columns.subjectColumns - used, style: dim)
        }
        put(
            line.mailbox, at: columns.mailbox, width: columns.mailboxColumns,
            style: Style(dim: true, reverse: isSelected))
        let date = TextDisplay.truncated(columns.date(line), columns: columns.dateColumns)
        let left = columns.date + columns.dateColumns - TextDisplay.width(of: date)
        put(date, at: left, width: columns.dateColumns, style: base)
    }
}
