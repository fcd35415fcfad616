internal import DisplayText
internal import MailFilter
internal import TerminalUI

/// Marks what the list's filter found, where it is drawn.
extension AppState {
    /// The filter's words that can be in some parts of a message.
    private func hitWords(_ parts: Filter.Part...) -> [Filter.Words] {
        guard let filter = list.parsed, filterFault == nil else { return [] }
        return filter.shownWords.filter { parts.contains($0.part) }.map { $0.words }
    }

    /// Marks hits in a line of the list: people, subject and snippet.
    func markHits(row: Int, columns: ListColumns, at column: Int, in grid: inout Grid) {
        let who = Rect(row: row, column: column + columns.marks, columns: columns.who, rows: 1)
        let subject = Rect(row: row, column: column + columns.subject, columns: columns.subjectColumns, rows: 1)
        for (words, place) in [
            (hitWords(.anywhere, .from, .to), who), (hitWords(.anywhere, .subject), subject),
        ] where !words.isEmpty {
            AppState.mark(words, in: place, of: &grid)
        }
    }

    /// Marks hits in the lines of the reader.
    func markHits(in rect: Rect, of grid: inout Grid) {
        let words = hitWords(.anywhere, .from, .to, .subject, .body)
        guard !words.isEmpty, openThread != nil else { return }
        AppState.mark(words, in: rect, of: &grid)
    }

    /// Underlines the cells that have the words, which may go on in the next row.
    private static func mark(_ words: [Filter.Words], in rect: Rect, of grid: inout Grid) {
        var text = ""
        // The cells of each byte of the text.
        var cells: [Rect] = []
        for row in rect.row..<rect.row + max(0, rect.rows) {
            for column in rect.column..<rect.column + max(0, rect.columns) {
                let cell = grid[row, column].text
                text += cell
                // The second half of a wide letter is empty.
                let width = column + 1 < grid.size.columns && grid[row, column + 1].text.isEmpty ? 2 : 1
                let place = Rect(row: row, column: column, columns: width, rows: 1)
                cells += Array(repeating: place, count: cell.utf8.count)
            }
            text += "\n"
            cells.append(Rect(row: row, column: rect.column, columns: 0, rows: 1))
        }
        for words in words {
            for range in SearchText.places(of: words.text, isWhole: words.isWhole, in: text) {
                let first = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
                let last = text.utf8.distance(from: text.startIndex, to: range.upperBound)
                for place in Set(cells[first..<last]) where grid[place.row, place.column].text != " " {
                    underline(place, in: &grid)
                }
            }
        }
    }

    private static func underline(_ place: Rect, in grid: inout Grid) {
        grid.putStyle(place) { style in
            style.underline = true
            style.bold = true
            style.dim = false
        }
    }
}
