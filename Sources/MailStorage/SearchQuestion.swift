package import MailFilter
package import MailModel

/// What is searched for, and where.
package struct SearchQuestion: Sendable, Hashable {
    package var filter: Filter
    /// Where to look when the filter does not say; `nil` is every folder but the trash.
    package var folder: Folder?
    /// The mailbox to look in when the filter does not say; `nil` is all.
    package var mailbox: MailboxID?
    package var clock: FilterClock
    /// The most hits.
    package var limit: Int
    var reach = SearchReach()

    package init(_ filter: Filter, folder: Folder? = nil, mailbox: MailboxID? = nil, clock: FilterClock, limit: Int) {
        self.filter = filter
        self.folder = folder
        self.mailbox = mailbox
        self.clock = clock
        self.limit = limit
    }

    /// The filter together with where is looked when it does not say.
    var filterWithPlace: Filter {
        if filter.namesPlace { return filter }
        return .all([filter, folder.map { .place(.folder($0)) } ?? .not(.place(.folder(.trash)))])
    }

    /// The mailbox that is looked in, unless the filter says.
    var onlyMailbox: MailboxID? { filter.namesMailbox ? nil : mailbox }
}

extension Filter {
    /// The most alternatives that are looked for one by one.
    private static let alternativesMax = 8

    /// Filters of which a match fulfils at least one, where one of them alone is looked for better than all at once.
    ///
    /// Where every match has words, the index tells of all alternatives at once.
    var alternatives: [Filter] {
        let isTold = SearchExpression(self, isSent: false) != nil || !asksForWords && !asksForTime
        return isTold ? [self] : split
    }

    private var split: [Filter] {
        switch self {
        case .any(let filters):
            let all = filters.flatMap(\.split)
            return all.count <= Filter.alternativesMax ? all : [self]
        case .all(let filters):
            var all: [[Filter]] = [[]]
            for filter in filters { all = filter.split.flatMap { part in all.map { $0 + [part] } } }
            return all.count <= Filter.alternativesMax ? all.map { .all($0) } : [self]
        default: return [self]
        }
    }

    private var asksForTime: Bool {
        contains {
            if case .time = $0 { return true }
            return false
        }
    }
}

/// How far a search looks in one way before it goes on in another.
struct SearchReach: Sendable, Hashable {
    /// Messages looked at one by one before the index is asked.
    var newest = 800
    /// Messages looked at by one step.
    var step = 2_000
    /// Messages that came in a span of time, which are then all looked at.
    var span = 2_000
    /// Documents that have cut words, which are then all asked for.
    var few = 2_000
}
