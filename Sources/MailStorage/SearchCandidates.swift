internal import SQLite

/// A message that is to be looked at.
struct SearchCandidate: Hashable {
    let key: Int64
    let activityKey: Int64

    func isNewer(than other: SearchCandidate) -> Bool { (activityKey, key) > (other.activityKey, other.key) }
}

/// Messages to be looked at, newest first, read from an index a few at a time.
///
/// The index has those of each group in order; a heap of the groups by their next message merges them.
struct SearchCandidates {
    /// Messages in order, and the group that more of them are read from.
    private struct Run {
        /// `nil` when there are no more.
        var group: SearchPlan.Group?
        /// What was read and not given, the next one last.
        var waiting: [SearchCandidate]
        var last = SearchCandidate(key: .max, activityKey: .max)
        /// How many are read next: few at first, since most runs give few.
        var count = 4
        private static let countMax = 256

        mutating func fill(in database: Database) throws(SQLiteError) {
            guard let group, waiting.isEmpty else { return }
            let row = try database.statement(SearchCandidates.sql)
            row.bind(1, group.mailbox)
            row.bind(2, group.state.rawValue)
            row.bind(3, min(last.activityKey, group.bounds.newest))
            row.bind(4, last.key)
            row.bind(5, group.bounds.oldest)
            row.bind(6, count)
            defer { row.reset() }
            while try row.step() { waiting.append(SearchCandidate(key: row.int(0), activityKey: row.int(1))) }
            if let read = waiting.last { last = read }
            if waiting.count < count { self.group = nil }
            waiting.reverse()
            count = min(count * 2, Run.countMax)
        }
    }

    /// No run's next message is newer than that of the run half as far from the front.
    private var heap: [Run] = []

    /// All messages of the groups.
    init(_ groups: [SearchPlan.Group], in database: Database) throws(SQLiteError) {
        for group in groups {
            var run = Run(group: group, waiting: [])
            try run.fill(in: database)
            if !run.waiting.isEmpty { heap.append(run) }
        }
        for place in (0..<heap.count / 2).reversed() { sink(place) }
    }

    /// These messages, which are in order.
    init(_ list: [SearchCandidate]) {
        if !list.isEmpty { heap = [Run(group: nil, waiting: list.reversed())] }
    }

    /// Takes the next one; `nil` at the end.
    mutating func next(in database: Database) throws(SQLiteError) -> SearchCandidate? {
        guard !heap.isEmpty, let next = heap[0].waiting.popLast() else { return nil }
        try heap[0].fill(in: database)
        if heap[0].waiting.isEmpty {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        sink(0)
        return next
    }

    private func isNewer(_ left: Int, _ right: Int) -> Bool {
        guard let first = heap[left].waiting.last, let second = heap[right].waiting.last else { return false }
        return first.isNewer(than: second)
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var newest = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && isNewer(child, newest) {
                newest = child
            }
            if newest == place { return }
            heap.swapAt(place, newest)
            place = newest
        }
    }

    /// The next messages of a group, by its index alone.
    static let sql = """
        SELECT pk, activity_key FROM messages
        WHERE mailbox_pk = ?1 AND state = ?2 AND activity_key <= ?3 AND activity_key >= ?5
            AND (activity_key < ?3 OR pk < ?4)
        ORDER BY activity_key DESC, pk DESC LIMIT ?6
        """
}
