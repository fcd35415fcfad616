internal import DisplayText
internal import MailFilter
internal import TerminalUI

/// Marks what the list's filter found, where it is drawn.
extension AppState {
    /// The filter's words that a pane can show.
    private func hitWords(inReader: Bool) -> [Filter.Words] {
        guard let filter = list.parsed else { return [] }
        return filter.shownWords.filter { inReader || $0.part != .body }.map { $0.words }
    }

    /// Marks hits in a line of the list: people, subject and snippet.
    func markHits(row: Int, columns: ListColumns, at column: Int, in grid: inout Grid) {
        let words = hitWords(inReader: false)
        guard !words.isEmpty else { return }
        let who = Rect(row: row, column: column + columns.marks, columns: columns.who, rows: 1)
        let subject = Rect(row: row, column: column + columns.subject, columns: columns.subjectColumns, rows: 1)
        for place in [who, subject] { AppState.mark(words, in: place, of: &grid) }
    }

    /// Marks hits in the lines of the reader.
    func markHits(in rect: Rect, of grid: inout Grid) {
        let words = hitWords(inReader: true)
        guard !words.isEmpty, openThread != nil else { return }
        for row in rect.row..<rect.row + max(0, rect.rows) {
            AppState.mark(words, in: Rect(row: row, column: rect.column, columns: rect.columns, rows: 1), of: &grid)
        }
    }

    /// Underlines the cells of one row that have the words.
    private static func mark(_ words: [Filter.Words], in rect: Rect, of grid: inout Grid) {
        var text = ""
        // The column of each character of the text.
        var columns: [Int] = []
        for column in rect.column..<rect.column + max(0, rect.columns) {
            let cell = grid[rect.row, column].text
            text += cell
            columns += Array(repeating: column, count: cell.count)
        }
        guard text.count == columns.count else { return }
        for words in words {
            for range in SearchText.places(of: words.text, isWhole: words.isWhole, in: text) {
                let first = text.distance(from: text.startIndex, to: range.lowerBound)
                let last = text.distance(from: text.startIndex, to: range.upperBound) - 1
                guard columns.indices.contains(first), columns.indices.contains(last), first <= last else { continue }
                let place = Rect(
                    row: rect.row, column: columns[first], columns: columns[last] - columns[first] + 1, rows: 1)
                grid.putStyle(place) { style in
                    style.underline = true
                    style.bold = true
                    style.dim = false
                }
            }
        }
    }
}
