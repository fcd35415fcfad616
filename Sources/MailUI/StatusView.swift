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
        let reason = sync.failure.map { TextDisplay.sanitizedLine($0) }
        if sync.isOffline { return reason.map { "offline: \($0)" } ?? "offline" }
        if let reason { return "sync failed: \(reason)" }
        guard let last = sync.lastSynced else { return "not synced yet" }
        return "synced \(Formatting.age(now - last)) ago"
    }

    /// How many conversations the list shows, and which one is selected.
    private var positionText: String {
        let count = scope.folder == .drafts ? shownDrafts.count : list.rows.count
        guard let index = selectedIndex else { return Formatting.grouped(count) }
        let more = scope.folder != .drafts && list.hasMore ? "+" : ""
        return "\(Formatting.grouped(index + 1)) of \(Formatting.grouped(count))\(more)"
    }

    func drawStatus(in grid: inout Grid, rect: Rect) {
        if let prompt {
            drawPrompt(prompt, in: &grid, rect: rect)
            return
        }
        let right = " \(positionText) "
        let room = max(0, rect.columns - TextDisplay.width(of: right))
        var left = " " + TextDisplay.sanitizedLine(accountLabel) + " · " + syncText
        if !list.filter.isEmpty { left += " · filter: " + TextDisplay.sanitizedLine(list.filter) }
        if let notice { left = " " + TextDisplay.sanitizedLine(notice) }
        if layout.hints == nil, let keys = whichKeyText { left = " " + keys }
        grid.write(
            TextDisplay.padded(left, columns: room) + right, row: rect.row, column: rect.column,
            style: Style(reverse: true), columnsMax: rect.columns)
    }

    /// The prompt shows the end of a text that is longer than the line.
    private func drawPrompt(_ text: String, in grid: inout Grid, rect: Rect) {
        let label = " Filter: "
        let room = max(1, rect.columns - TextDisplay.width(of: label) - 1)
        var shown = TextDisplay.sanitizedLine(text)
        while TextDisplay.width(of: shown) > room { shown.removeFirst() }
        grid.write(label, row: rect.row, column: rect.column, style: Style(bold: true))
        let start = rect.column + TextDisplay.width(of: label)
        let used = grid.write(shown, row: rect.row, column: start, columnsMax: room)
        grid.cursor = Position(row: rect.row, column: min(start + used, max(0, rect.columns - 1)))
    }

    /// What may follow the keys typed so far.
    private var whichKeyText: String? {
        guard !pendingKeys.isEmpty else { return nil }
        return ActionTable.continuations(of: pendingKeys, in: context)
            .map { "\($0.keys) \($0.action.name)" }.joined(separator: "  ")
    }

    func drawHints(in grid: inout Grid, rect: Rect) {
        var text = whichKeyText ?? ""
        if prompt != nil {
            text = "Enter keep  Esc show all again"
        } else if text.isEmpty {
            text = ActionTable.all.filter { $0.isHinted && $0.contexts.contains(context) }
                .map { "\($0.keys.first ?? "") \($0.name)" }.joined(separator: "  ")
        }
        let line = TextDisplay.truncated(text, columns: max(0, rect.columns - 1))
        grid.write(line, row: rect.row, column: rect.column + 1, style: Style(dim: true))
    }
}
