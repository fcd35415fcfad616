internal import DisplayText
internal import MailFilter
internal import MailModel
internal import SQLite

/// A filter as SQL over `search_docs d`, `search_bodies w`, `messages m` and `mailboxes b`.
///
/// Every value is bound. The condition means exactly what the filter means; the index expression is only what a match
/// must have, so that the index can be asked for candidates.
struct SearchCompiler {
    /// A bound value.
    enum Value: Sendable, Hashable {
        case text(String)
        case number(Int64)
    }

    private(set) var values: [Value] = []
    /// Whether the condition reads words of the index's documents.
    private(set) var readsWords = false
    /// Whether the condition reads those of bodies.
    private(set) var readsBodies = false
    private let clock: FilterClock
    private let mailboxes: [(key: Int64, mailbox: Mailbox)]
    private let firstParameter: Int

    /// `mailboxes` are those a filter may name; parameters count from `firstParameter`.
    init(_ clock: FilterClock, mailboxes: [(key: Int64, mailbox: Mailbox)], firstParameter: Int = 1) {
        self.clock = clock
        self.mailboxes = mailboxes
        self.firstParameter = firstParameter
    }

    /// The placeholder of a value.
    mutating func bind(_ value: Value) -> String {
        if let known = values.firstIndex(of: value) { return "?\(firstParameter + known)" }
        values.append(value)
        return "?\(firstParameter + values.count - 1)"
    }

    /// The condition that a message must meet.
    mutating func condition(_ filter: Filter) -> String {
        switch filter {
        case .words(let part, let words): return self.words(part, words)
        case .place(.anywhere): return "1"
        case .place(.folder(let folder)): return place(folder)
        case .mailbox(let words): return mailbox(words)
        case .mark(let mark): return SearchCompiler.mark(mark)
        case .hasAttachment: return "m.has_attachments"
        case .time(let side, let moment):
            let column = if case .ago = moment { "m.created_at" } else { "m.activity_at" }
            return "\(column) \(side.isEarlier ? "<" : ">=") \(bind(.text(clock.instant(moment).text)))"
        case .not(let filter): return "NOT (\(condition(filter)))"
        case .all(let filters): return join(filters, "AND", empty: "1")
        case .any(let filters): return join(filters, "OR", empty: "0")
        }
    }

    private mutating func join(_ filters: [Filter], _ word: String, empty: String) -> String {
        var conditions: [String] = []
        for filter in filters { conditions.append("(" + condition(filter) + ")") }
        return conditions.isEmpty ? empty : conditions.joined(separator: " \(word) ")
    }

    mutating func place(_ folder: Folder) -> String {
        folder == .starred ? "m.starred_at IS NOT NULL" : "m.folder = \(bind(.text(folder.rawValue)))"
    }

    private mutating func mailbox(_ words: Filter.Words) -> String {
        let keys = mailboxes.filter {
            SearchText.contains(words.text, isWhole: words.isWhole, in: $0.mailbox.address)
        }
        var places: [String] = []
        for mailbox in keys { places.append(bind(.number(mailbox.key))) }
        return "m.mailbox_pk IN (\(places.joined(separator: ", ")))"
    }

    private static func mark(_ mark: Filter.Mark) -> String {
        switch mark {
        case .unread: "m.direction = 'inbound' AND m.read_at IS NULL"
        case .starred: "m.starred_at IS NOT NULL"
        case .sent: "m.direction = 'outbound'"
        case .draft: "m.folder = 'drafts'"
        case .unanswered: "m.direction = 'inbound' AND NOT \(isAnswered)"
        }
    }

    /// Whether the conversation has a later message that was sent.
    static let isAnswered = """
        EXISTS (SELECT 1 FROM messages o WHERE o.thread_pk = m.thread_pk AND o.activity_key > m.activity_key
            AND \(MessageState.isOutbound("o.state")))
        """

    private mutating func words(_ part: Filter.Part, _ words: Filter.Words) -> String {
        guard let needle = SearchText.needle(words.text, isWhole: words.isWhole) else { return "0" }
        let place = bind(.text(needle.text))
        readsWords = true
        let columns: [String] =
            switch part {
            case .from: ["d.from_words"]
            case .to: ["d.to_words"]
            case .subject: ["d.subject_words"]
            case .body: ["coalesce(w.words, '')"]
            case .anywhere:
                ["d.subject_words", "d.from_words", "d.snippet_words", "d.to_words", "coalesce(w.words, '')"]
            }
        if part == .body || part == .anywhere { readsBodies = true }
        return columns.map { "instr(\($0), \(place)) > 0" }.joined(separator: " OR ")
    }
}

extension Statement {
    /// Binds values to parameters from `first` on.
    func bind(_ values: [SearchCompiler.Value], from first: Int) {
        for (index, value) in values.enumerated() {
            switch value {
            case .text(let text): bind(Int32(first + index), text)
            case .number(let number): bind(Int32(first + index), number)
            }
        }
    }
}
