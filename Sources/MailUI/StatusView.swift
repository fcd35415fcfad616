internal import DisplayText
internal import MailModel
internal import TerminalUI

extension AppState {
    /// How the account stands with its server, and since when.
    var syncText: String {
        if sync.isRunning {
            guard let progress = sync.progress, progress.done > 0 else { return "syncing…" }
            let done = Formatting.grouped(progress.done)
            return progress.total.map { "syncing \(done) of \(Formatting.grouped($0))…" } ?? "syncing \(done)…"
        }
        let age = sync.lastSynced.map { "synced \(Formatting.age(now - $0)) ago" }
        let reason = sync.failure.map { TextDisplay.sanitizedLine($0) }
        let since = age.map { ", \($0)" } ?? ""
        if sync.isOffline { return "offline" + since + (reason.map { ": \($0)" } ?? "") }
        if let reason { return "sync failed\(since): \(reason)" }
        return age ?? "not synced yet"
    }

    /// How many conversations the list shows, and which one is selected.
    private var positionText: String {
        let count = scope.folder == .drafts ? shownDrafts.count : list.rows.count
        guard let index = selectedIndex else { return Formatting.grouped(count) }
        guard scope.folder != .drafts, list.hasMore else {
            return "\(Formatting.grouped(index + 1)) of \(Formatting.grouped(count))"
        }
        let total = list.filter.isEmpty ? counts(of: scope.mailboxID).total[scope.folder] ?? 0 : 0
        let all = total > count ? Formatting.grouped(total) : Formatting.grouped(count) + "+"
        return "\(Formatting.grouped(index + 1)) of \(all)"
    }

    func drawStatus(in grid: inout Grid, rect: Rect) {
        if let prompt {
            drawPrompt(prompt, in: &grid, rect: rect)
            return
        }
        let right = " \(positionText) "
        let room = max(0, rect.columns - TextDisplay.width(of: right))
        var left = " " + syncText
        if !list.filter.isEmpty { left += " · filter: " + TextDisplay.sanitizedLine(list.filter) }
        // The account gives way to how it stands.
        let named = " " + TextDisplay.sanitizedLine(accountLabel) + " ·" + left
        if TextDisplay.width(of: named) <= room { left = named }
        if let notice { left = " " + TextDisplay.sanitizedLine(notice) }
        if layout.hints == nil, let keys = whichKeyText { left = " " + keys }
        grid.write(
            TextDisplay.padded(left, columns: room) + right, row: rect.row, column: rect.column,
            style: Style(reverse: true), columnsMax: rect.columns)
    }

    /// The prompt shows the end of a text that is longer than the line.
    private func drawPrompt(_ text: String, in grid: inout Grid, rect: Rect) {
        let label = " Filter: "
        let hits = list.filter.isEmpty ? "" : " \(positionText) "
        let room = max(1, rect.columns - TextDisplay.width(of: label) - TextDisplay.width(of: hits) - 1)
        var shown = TextDisplay.sanitizedLine(text)
        while TextDisplay.width(of: shown) > room { shown.removeFirst() }
        grid.write(label, row: rect.row, column: rect.column, style: Style(bold: true))
        let start = rect.column + TextDisplay.width(of: label)
        let used = grid.write(shown, row: rect.row, column: start, columnsMax: room)
        let end = rect.column + rect.columns - TextDisplay.width(of: hits)
        if end > start + used { grid.write(hits, row: rect.row, column: end, style: Style(dim: true)) }
        grid.cursor = Position(row: rect.row, column: min(start + used, max(0, rect.columns - 1)))
    }

    /// What may follow the keys typed so far.
    private var whichKeyText: String? {
        guard !pendingKeys.isEmpty else { return nil }
        return ActionTable.continuations(of: pendingKeys, in: context)
            .map { "\($0.keys) \($0.action.name)" }.joined(separator: "  ")
    }

    /// The hints that fit whole; help has its place before all others.
    private func hintText(columns: Int) -> String {
        let hinted = ActionTable.all.filter { $0.isHinted && $0.contexts.contains(context) }
        let texts = hinted.map { "\($0.keys.first ?? "") \($0.name)" }
        var room = columns
        var fits = Set<Int>()
        let order = hinted.indices.filter { hinted[$0].id == .help } + hinted.indices.filter { hinted[$0].id != .help }
        for index in order {
            let width = TextDisplay.width(of: texts[index]) + (fits.isEmpty ? 0 : 2)
            guard width <= room else { break }
            room -= width
            fits.insert(index)
        }
        return texts.indices.filter { fits.contains($0) }.map { texts[$0] }.joined(separator: "  ")
    }

    func drawHints(in grid: inout Grid, rect: Rect) {
        var text = whichKeyText ?? ""
        if prompt != nil {
            text = "Enter keep  Esc show all again"
        } else if text.isEmpty {
            text = hintText(columns: rect.columns - 1)
        }
        let line = TextDisplay.truncated(text, columns: max(0, rect.columns - 1))
        grid.write(line, row: rect.row, column: rect.column + 1, style: Style(dim: true))
    }
}
