internal import MailAPI
internal import MailModel
internal import MailStorage

/// The bookkeeping of listings walked side by side: what to fetch next and what to write next.
///
/// Pages of one listing are written in their order; listings earlier in the list go first.
struct ListingWalk {
    /// Fetches at one time.
    static let fetchesMax = 6
    /// Pages that are fetched and not yet written, some 150 kB each.
    static let aheadMax = 48
    /// Pages in one commit: large ones write a page of the file once where small ones write it again and again.
    static let commitMax = 48

    private struct Lane {
        let listing: Listing
        /// Where the listing goes on; `nil` at its first page.
        var next: String?
        var isFetching = false
        var isComplete = false
        var waiting: [ListingPage] = []
        var committing = 0
        var cycle: CycleGuard
    }

    private var lanes: [Lane]
    private var isCommitting = false

    init(_ pending: [ListingProgress], limits: SyncLimits = SyncLimits()) {
        lanes = pending.map {
            let cycle = CycleGuard(start: $0.next, pagesMax: limits.pagesMax)
            return Lane(listing: $0.listing, next: $0.next, cycle: cycle)
        }
    }

    /// The fetches to start now; each must end in `accept`.
    mutating func fetches() -> [ListingProgress] {
        var running = lanes.count { $0.isFetching }
        var ahead = running + lanes.reduce(0) { $0 + $1.waiting.count + $1.committing }
        var started: [ListingProgress] = []
        for index in lanes.indices where running < ListingWalk.fetchesMax && ahead < ListingWalk.aheadMax {
            let lane = lanes[index]
            guard !lane.isFetching, !lane.isComplete else { continue }
            lanes[index].isFetching = true
            running += 1
            ahead += 1
            started.append(ListingProgress(listing: lane.listing, next: lane.next))
        }
        return started
    }

    /// Takes a fetched page in.
    mutating func accept(_ page: ListingPage) throws(MailAPIError) {
        guard let index = lanes.firstIndex(where: { $0.listing == page.listing }) else { return }
        lanes[index].isFetching = false
        lanes[index].waiting.append(page)
        guard let next = page.next else {
            lanes[index].isComplete = true
            return
        }
        try lanes[index].cycle.accept(next)
        lanes[index].next = next
    }

    /// Notes that a listing cannot be read further; its pages that wait are dropped.
    mutating func abandon(_ listing: Listing) {
        guard let index = lanes.firstIndex(where: { $0.listing == listing }) else { return }
        lanes[index].isFetching = false
        lanes[index].isComplete = true
        lanes[index].waiting = []
    }

    /// The pages to write now, if any and none are being written; must end in `committed`.
    mutating func commit() -> [ListingPage]? {
        guard !isCommitting else { return nil }
        var pages: [ListingPage] = []
        for index in lanes.indices {
            let taken = lanes[index].waiting.prefix(ListingWalk.commitMax - pages.count)
            lanes[index].committing = taken.count
            lanes[index].waiting.removeFirst(taken.count)
            pages.append(contentsOf: taken)
        }
        isCommitting = !pages.isEmpty
        return pages.isEmpty ? nil : pages
    }

    /// Whether there is anything left to fetch or to write.
    var isUnfinished: Bool {
        isCommitting || lanes.contains { !$0.isComplete || !$0.waiting.isEmpty }
    }

    /// Notes that the pages of the last `commit` are written.
    mutating func committed() {
        isCommitting = false
        for index in lanes.indices { lanes[index].committing = 0 }
    }
}
