internal import DisplayText
internal import MailModel
internal import TerminalUI

/// The inbox of all accounts on the screen.
extension AppState {
    /// How many columns the name of an account takes at the beginning of a line.
    private func accountColumns(_ columns: Int) -> Int {
        columns >= 100 ? 16 : columns >= 60 ? 11 : 2
    }

    /// What tells an account: its number and, where there is room, its name, of which two may begin alike.
    private func accountMark(_ label: String, columns: Int) -> String {
        let number = accounts.firstIndex { $0.label == label }.map { String($0 + 1) } ?? "?"
        return columns > 2 ? number + " " + TextDisplay.sanitizedLine(entry(of: label)?.name ?? label) : number
    }

    func drawCombined(in grid: inout Grid, rect: Rect) {
        guard let list = combined else { return }
        guard !list.rows.isEmpty else { return drawEmptyCombined(in: &grid, rect: rect) }
        if presentation.isLinear { return drawLinear(list, in: &grid, rect: rect) }
        let width = accountColumns(rect.columns)
        let columns = ListColumns(columns: rect.columns - width)
        for row in 0..<rect.rows {
            guard list.rows.indices.contains(list.offset + row) else { break }
            let item = list.rows[list.offset + row]
            let isSelected = item.id == list.selected
            let style = Style(
                foreground: entry(of: item.account)?.color, bold: item.row.shownUnread > 0, reverse: isSelected)
            let mark = accountMark(item.account, columns: width)
            let place = Rect(row: rect.row + row, column: rect.column, columns: width, rows: 1)
            grid.fill(place, style: style)
            grid.write(
                TextDisplay.truncated(mark, columns: width - 1), row: place.row, column: place.column, style: style)
            var line = listLine(item.row, whoColumns: columns.who, hasCount: columns.hasCount)
            line.isChosen = list.selection.contains(item.id)
            line.isFromServer = list.search.marked.contains(item.id)
            draw(
                line, isSelected: isSelected, columns: columns, in: &grid,
                rect: Rect(row: place.row, column: rect.column + width, columns: rect.columns - width, rows: 1))
            if isSelected, prompt == nil {
                grid.cursor = Position(row: rect.row + row, column: rect.column)
            }
        }
    }

    private func drawLinear(_ list: CombinedState, in grid: inout Grid, rect: Rect) {
        let sentences = list.rows.dropFirst(list.offset).prefix(rect.rows).map { item in
            var line = listLine(item.row, whoColumns: AppState.spokenWho, hasCount: false)
            line.isChosen = list.selection.contains(item.id)
            let name = TextDisplay.sanitizedLine(entry(of: item.account)?.name ?? item.account)
            return (AppState.sentence(line) + ", account " + name, item.id == list.selected)
        }
        drawSentences(sentences, in: &grid, rect: rect)
    }

    private func drawEmptyCombined(in grid: inout Grid, rect: Rect) {
        let isLoaded = combined?.isLoaded == true
        let sentence =
            switch (isLoaded, shownFilter.isEmpty) {
            case (true, true): "No inbox has mail."
            case (true, false): "Nothing in any inbox fits this filter. Esc shows all again."
            case (false, let isAll): isAll ? "Loading…" : "Searching…"
            }
        grid.write(
            TextDisplay.truncated(sentence, columns: rect.columns - 2), row: rect.row, column: rect.column + 1,
            style: Style(dim: true))
    }

    /// Which line of the inbox of all accounts is selected, of how many.
    var combinedPositionText: String {
        guard let list = combined, let index = list.selectedIndex else { return "" }
        return "\(Formatting.grouped(index + 1)) of \(Formatting.grouped(list.rows.count))\(list.hasMore ? "+" : "")"
    }

    /// Which of the accounts that are not shown are not well, where no sidebar has a sign for it.
    var othersText: String {
        accounts.filter { $0.label != accountLabel }.map { entry in
            let word = AccountSign(sync(of: entry.label)).word
            return word.isEmpty || word == "syncing" ? "" : " · \(TextDisplay.sanitizedLine(entry.name)) \(word)"
        }.joined()
    }

    /// How all accounts stand, those first that are not well.
    var combinedSyncText: String { combinedStanding + signInsDue() }

    private var combinedStanding: String {
        let troubled = accounts.compactMap { entry -> String? in
            let sign = AccountSign(sync(of: entry.label))
            return sign.word.isEmpty ? nil : "\(TextDisplay.sanitizedLine(entry.name)) \(sign.word)"
        }
        if !troubled.isEmpty { return troubled.joined(separator: " · ") }
        let oldest = accounts.map { sync(of: $0.label).lastSynced }
        guard !oldest.contains(nil), let age = oldest.compactMap(\.self).min() else { return "not synced yet" }
        return presentation.isLinear ? "synced" : "synced \(Formatting.age(now - age)) ago"
    }
}
