internal import DisplayText
internal import MailFilter

/// What the index is asked for: every match of a filter among sent or among received mail has it, and others may too.
struct SearchExpression: Hashable {
    /// In the language of FTS5 (https://sqlite.org/fts5.html, section 3).
    let text: String
    /// The beginnings that a match must have and of which the index has no list of its own.
    let beginnings: Set<String>
    /// Whether all that have it are matches.
    private let isExact: Bool

    /// Which of the beginnings are cut to the letters of which the index has a list: more mail has these, but nothing
    /// has to be collected before the first is told.
    enum Cut: Hashable {
        case none, all
        case allBut(String)
    }

    /// Levels of parentheses; the language's reader has room for about three times as many.
    private static let depthMax = 12
    /// Letters of the longest beginnings that the index has lists of; a mark counts as one.
    private static let lettersMax = 6

    /// `nil` when a match need not have any words.
    init?(_ filter: Filter, isSent: Bool, cut: Cut = .none) { self.init(filter, [isSent], cut, 0) }

    private init?(_ filter: Filter, _ isSent: [Bool], _ cut: Cut, _ depth: Int) {
        switch filter {
        case .words(let part, let words): self.init(part, words, isSent, cut)
        case .all(let filters): self.init(all: filters, isSent, cut, depth)
        case .any(let filters):
            let parts = filters.compactMap { SearchExpression($0, isSent, cut, depth + 1) }
            guard !parts.isEmpty, parts.count == filters.count, depth < SearchExpression.depthMax else { return nil }
            self.init(parts, joined: " OR ", isExact: parts.allSatisfy(\.isExact))
        default: return nil
        }
    }

    private init(_ text: String, _ beginnings: Set<String>, isExact: Bool) {
        (self.text, self.beginnings, self.isExact) = (text, beginnings, isExact)
    }

    private init(_ parts: [SearchExpression], joined word: String, isExact: Bool) {
        self.init(
            "(" + parts.map(\.text).joined(separator: word) + ")",
            parts.reduce(into: []) { $0.formUnion($1.beginnings) }, isExact: isExact)
    }

    private init?(_ part: Filter.Part, _ words: Filter.Words, _ isSent: [Bool], _ cut: Cut) {
        guard let needle = SearchText.needle(words.text, isWhole: words.isWhole) else { return nil }
        let senders = isSent.map { SearchMark(.sender, isSent: $0) }
        let recipients = isSent.map { SearchMark(.recipient, isSent: $0) }
        let (column, marks): (String?, [SearchMark?]) =
            switch part {
            case .anywhere: (nil, [nil] + senders + recipients)
            case .from: (nil, senders)
            case .to: (nil, recipients)
            case .subject: ("subject", [nil])
            case .body: ("body", [nil])
            }
        var terms: [String] = []
        for word in needle.words {
            let forms = marks.map { SearchExpression.term(word, $0, cut) }
            let term = forms.count == 1 ? forms[0] : "(" + forms.joined(separator: " OR ") + ")"
            if !terms.contains(term) { terms.append(term) }
        }
        let all = "(" + terms.joined(separator: " AND ") + ")"
        let long = needle.words.filter { $0.isBeginning && $0.text.unicodeScalars.count >= SearchExpression.lettersMax }
        self.init(
            column.map { "(\($0) : \(all))" } ?? all, Set(long.map(\.text)),
            isExact: needle.words.count == 1)
    }

    /// A word of the index or its beginning.
    private static func term(_ word: SearchText.Word, _ mark: SearchMark?, _ cut: Cut) -> String {
        let start = mark.map { String(Character($0.scalar)) } ?? ""
        guard word.isBeginning else { return "\"\(start)\(word.text)\"" }
        let isCut =
            switch cut {
            case .none: false
            case .all: true
            case .allBut(let kept): word.text != kept
            }
        let letters = lettersMax - start.unicodeScalars.count
        let text = isCut ? String(String.UnicodeScalarView(word.text.unicodeScalars.prefix(letters))) : word.text
        return "\"\(start)\(text)\" *"
    }

    private init?(all filters: [Filter], _ isSent: [Bool], _ cut: Cut, _ depth: Int) {
        guard depth < SearchExpression.depthMax else { return nil }
        let parts = filters.compactMap { SearchExpression($0, isSent, cut, depth + 1) }
        guard !parts.isEmpty else { return nil }
        let negated = filters.compactMap { filter -> String? in
            // Cut, it would leave out too much; of one direction, too little: nothing else keeps the other's mail away.
            guard case .not(let filter) = filter,
                let inner = SearchExpression(filter, [false, true], .none, depth + 1),
                inner.isExact
            else { return nil }
            return inner.text
        }
        let all = SearchExpression(
            parts, joined: " AND ",
            isExact: parts.count + negated.count == filters.count && parts.allSatisfy(\.isExact))
        guard !negated.isEmpty else {
            self = all
            return
        }
        let excluded = negated.map { " NOT " + $0 }.joined()
        self.init("(" + all.text + excluded + ")", all.beginnings, isExact: all.isExact)
    }
}

/// The words that the matches of several filters must have, each filter among sent or among received mail.
struct SearchNeeds {
    private struct Need: Hashable {
        let filter: Filter
        let isSent: Bool
    }

    private var needs: [Need] = []
    /// Beginnings of which the index has no list of its own, the longest first, since it is the rarest.
    private(set) var beginnings: [String] = []

    var isEmpty: Bool { needs.isEmpty }

    /// Adds a filter; `false` when its matches need not have any words.
    mutating func add(_ filter: Filter, isSent: Bool) -> Bool {
        let need = Need(filter: filter, isSent: isSent)
        if needs.contains(need) { return true }
        guard let expression = SearchExpression(filter, isSent: isSent) else { return false }
        needs.append(need)
        beginnings = Set(beginnings).union(expression.beginnings).sorted { ($0.count, $0) > ($1.count, $1) }
        return true
    }

    /// What the index is asked for.
    func text(_ cut: SearchExpression.Cut) -> String {
        var texts: [String] = []
        for need in needs {
            guard let expression = SearchExpression(need.filter, isSent: need.isSent, cut: cut) else { continue }
            if !texts.contains(expression.text) { texts.append(expression.text) }
        }
        return texts.joined(separator: " OR ")
    }
}
