internal import DisplayText
internal import MailFilter

/// What the index is asked for: every match of a filter has it, and some others have it too.
struct SearchExpression: Hashable {
    /// In the language of FTS5 (https://sqlite.org/fts5.html, section 3).
    let text: String
    /// Whether all that have it are matches.
    private let isExact: Bool

    /// Levels of parentheses; the language's reader has room for about three times as many.
    private static let depthMax = 12

    /// `nil` when a match need not have any words.
    init?(_ filter: Filter, depth: Int = 0) {
        switch filter {
        case .words(let part, let words): self.init(part, words)
        case .all(let filters): self.init(all: filters, depth)
        case .any(let filters):
            let parts = filters.compactMap { SearchExpression($0, depth: depth + 1) }
            guard !parts.isEmpty, parts.count == filters.count, depth < SearchExpression.depthMax else { return nil }
            self.init("(" + parts.map(\.text).joined(separator: " OR ") + ")", isExact: parts.allSatisfy(\.isExact))
        default: return nil
        }
    }

    private init(_ text: String, isExact: Bool) { (self.text, self.isExact) = (text, isExact) }

    private init?(_ part: Filter.Part, _ words: Filter.Words) {
        guard let needle = SearchText.needle(words.text, isWhole: words.isWhole) else { return nil }
        let terms = needle.words.map { "\"\($0.text)\"" + ($0.isBeginning ? " *" : "") }.joined(separator: " AND ")
        let column: String? =
            switch part {
            case .anywhere: nil
            case .from: "sender"
            case .to: "recipients"
            case .subject: "subject"
            case .body: "body"
            }
        self.init(column.map { "(\($0) : (\(terms)))" } ?? "(\(terms))", isExact: needle.words.count == 1)
    }

    private init?(all filters: [Filter], _ depth: Int) {
        guard depth < SearchExpression.depthMax else { return nil }
        let parts = filters.compactMap { SearchExpression($0, depth: depth + 1) }
        guard !parts.isEmpty else { return nil }
        let negated = filters.compactMap { filter -> String? in
            guard case .not(let filter) = filter, let inner = SearchExpression(filter, depth: depth + 1), inner.isExact
            else { return nil }
            return inner.text
        }
        let text = "(" + parts.map(\.text).joined(separator: " AND ") + ")"
        let excluded = negated.map { " NOT " + $0 }.joined()
        self.init(
            excluded.isEmpty ? text : "(" + text + excluded + ")",
            isExact: parts.count + negated.count == filters.count && parts.allSatisfy(\.isExact))
    }
}
