internal import DisplayText
internal import MailFilter
internal import MailModel
internal import TerminalUI

/// What stands beside and below the filter that is typed.
extension AppState {
    /// Why what is typed is no filter; `nil` while it is one, or may still become one.
    var filterFault: FilterError? {
        guard prompt?.kind == .filter, let fault = typedFault else { return nil }
        return fault.isUnfinished && !list.isFaultTold ? nil : fault
    }

    /// The hits, and how much of the mail was searched; the first form that fits in the columns.
    func filterAside(columns: Int) -> String {
        guard typedFault == nil else { return filterFault == nil ? "…" : "" }
        guard !shownFilter.isEmpty else { return "" }
        let forms = coverageForms.map { [positionText, $0].filter { !$0.isEmpty }.joined(separator: " · ") }
        return forms.first { TextDisplay.width(of: $0) <= columns } ?? positionText
    }

    /// How much of the mail was searched, the longest form first; empty texts where all was.
    var coverageForms: [String] {
        guard !isCombinedShown, let filter = list.parsed, filter.asksForWords, scope.folder != .drafts,
            let coverage = list.coverage,
            !coverage.isComplete
        else { return [""] }
        let (bodies, messages) = (Formatting.grouped(coverage.bodies), Formatting.grouped(coverage.messages))
        var forms = ["bodies \(bodies) of \(messages)", "bodies \(coverage.bodies * 100 / max(1, coverage.messages))%"]
        if coverage.bodies >= coverage.messages || !filter.asksForTexts { forms = [] }
        if coverage.waiting > 0 {
            let waiting = Formatting.grouped(coverage.waiting) + " not indexed"
            forms = forms.isEmpty ? [waiting] : [forms[0] + ", " + waiting] + forms
        }
        return forms + [""]
    }

    /// How much of the mail was searched, as a sentence behind another; empty where all was.
    var coverageSentence: String {
        guard let long = coverageForms.first, !long.isEmpty else { return "" }
        return " Searched were: \(long)."
    }

    /// Marks where the typed filter is wrong, and says why: below the line, or above it what has no room there.
    func drawFault(_ fault: FilterError, at column: Int?, in grid: inout Grid, rect: Rect) {
        let reason = TextDisplay.sanitizedLine(fault.reason)
        guard let hints = layout.hints, let column, !presentation.isLinear else {
            return drawAbove(TextDisplay.sanitizedLine(fault.message), in: &grid, rect: rect)
        }
        let width = TextDisplay.width(of: reason)
        let place = Position(row: hints.row, column: column)
        grid.write("^", row: place.row, column: place.column, style: Style(bold: true))
        if column + 2 + width <= rect.columns {
            grid.write(reason, row: place.row, column: column + 2)
        } else if width + 2 <= column {
            grid.write(reason, row: place.row, column: column - 1 - width)
        } else {
            drawAbove(reason.prefix(1).uppercased() + reason.dropFirst() + ".", in: &grid, rect: rect)
        }
    }

    /// Draws a sentence in the lines above a line.
    private func drawAbove(_ sentence: String, in grid: inout Grid, rect: Rect) {
        let lines = Formatting.wrapped(sentence, columns: max(1, rect.columns - 2)).prefix(max(1, rect.row - 1))
        for (index, line) in lines.enumerated() {
            grid.write(
                TextDisplay.padded(" " + line, columns: rect.columns), row: rect.row - lines.count + index,
                column: rect.column, style: Style(reverse: true))
        }
    }
}
