internal import MailFilter
internal import MailModel

/// Between which instants all messages lie that a filter can mean.
struct SearchBounds: Hashable {
    /// The least and the greatest `activity_key`, both included.
    var oldest = Int64.min
    var newest = Int64.max
    /// When the server got them.
    var came = Span()

    /// From an instant on to before another, as texts.
    struct Span: Hashable {
        var first = ""
        /// Behind every instant by default.
        var end = "\u{10FFFF}"

        /// The span that has both.
        func hull(_ other: Span) -> Span { Span(first: min(first, other.first), end: max(end, other.end)) }
    }

    /// Whether no message lies there.
    var isEmpty: Bool { oldest > newest || came.first >= came.end }

    /// The bounds of what a filter means among messages of a state.
    init(_ filter: Filter, _ state: MessageState, _ clock: FilterClock) {
        self = SearchBounds.of(filter, isTrue: true, state, clock)
    }

    private init() {}

    private static func of(
        _ filter: Filter, isTrue: Bool, _ state: MessageState, _ clock: FilterClock
    ) -> SearchBounds {
        func each(_ filters: [Filter]) -> [SearchBounds] { filters.map { of($0, isTrue: isTrue, state, clock) } }
        switch filter {
        case .not(let filter): return of(filter, isTrue: !isTrue, state, clock)
        case .all(let filters): return isTrue ? meet(each(filters)) : join(each(filters))
        case .any(let filters): return isTrue ? join(each(filters)) : meet(each(filters))
        case .time(let side, let moment):
            var bounds = SearchBounds()
            bounds.add(clock.instant(moment), isEarlier: side.isEarlier == isTrue, moment, state)
            return bounds
        default: return SearchBounds()
        }
    }

    private mutating func add(_ instant: Timestamp, isEarlier: Bool, _ moment: Filter.Moment, _ state: MessageState) {
        let key = SortKey.of(instant)
        guard case .ago = moment else {
            if isEarlier { newest = key } else { oldest = key }
            return
        }
        // When a message came tells its own instant but for a day, unless its state says that they lie apart.
        if isEarlier {
            came.end = instant.text
            if !state.isAhead { newest = key + MessageState.day }
        } else {
            came.first = instant.text
            if !state.isBehind { oldest = key - MessageState.day }
        }
    }

    /// What is within all of them.
    private static func meet(_ all: [SearchBounds]) -> SearchBounds {
        all.reduce(into: SearchBounds()) { bounds, next in
            bounds.oldest = max(bounds.oldest, next.oldest)
            bounds.newest = min(bounds.newest, next.newest)
            bounds.came.first = max(bounds.came.first, next.came.first)
            bounds.came.end = min(bounds.came.end, next.came.end)
        }
    }

    /// What has each of them.
    private static func join(_ all: [SearchBounds]) -> SearchBounds {
        guard let first = all.first else { return SearchBounds() }
        return all.dropFirst().reduce(into: first) { bounds, next in
            bounds.oldest = min(bounds.oldest, next.oldest)
            bounds.newest = max(bounds.newest, next.newest)
            bounds.came = bounds.came.hull(next.came)
        }
    }
}
