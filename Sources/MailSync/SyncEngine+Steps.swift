internal import MailAPI
internal import MailModel
internal import MailStorage

/// What a task of a walk brought back.
private enum WalkEvent: Sendable {
    case fetched(ListingPage)
    /// A mailbox whose mail can no longer be read.
    case lost(MailboxID)
    case committed(CommitCounts, messages: Int)
}

extension SyncEngine {
    /// Walks listings side by side; the next pages are in flight while others are written.
    func walk(_ pending: [ListingProgress]) async throws {
        guard !pending.isEmpty else { return }
        let (reads, store) = (reads, store)
        var walk = ListingWalk(pending, limits: limits)
        try await withThrowingTaskGroup(of: WalkEvent.self) { group in
            repeat {
                for fetch in walk.fetches() {
                    group.addTask { try await SyncEngine.page(fetch, reads) }
                }
                if let pages = walk.commit() {
                    group.addTask {
                        let changed = try await store.commitPages(pages)
                        return .committed(changed, messages: pages.reduce(0) { $0 + $1.messages.count })
                    }
                }
                switch try await group.next() {
                case .fetched(let page): try walk.accept(page)
                case .lost(let mailbox):
                    walk.abandon(.mailbox(mailbox))
                    try await store.abandonListing(mailbox)
                case .committed(let changed, let messages):
                    walk.committed()
                    counts += changed
                    note(messages)
                case nil: break
                }
            } while !group.isEmpty || walk.isUnfinished
        }
    }

    /// A page of a listing; that a mailbox was lost meanwhile is no failure.
    private static func page(_ fetch: ListingProgress, _ reads: ServerReads) async throws -> WalkEvent {
        do {
            let page = try await reads.messages(fetch.listing, next: fetch.next)
            return .fetched(ListingPage(listing: fetch.listing, messages: page.messages, next: page.next))
        } catch let error as MailAPIError {
            guard case .mailbox(let id) = fetch.listing, error.isLostMailbox else { throw error }
            return .lost(id)
        }
    }

    /// Reads one round of the change feed; the next page is in flight while one is written.
    ///
    /// The end of a round that may have lost rows is stored together with the need for a repair, one that hid some
    /// with a doubt. Answers whether it showed everything.
    @discardableResult
    func readChanges(from cursor: String) async throws -> FeedTrust {
        let reads = reads
        var round = ChangeRound(start: cursor, limits: limits)
        var page = try await reads.changes(cursor: cursor)
        while true {
            try Task.checkCancellation()
            try round.accept(page)
            guard page.hasMore else { break }
            let next = page.nextCursor
            async let following = reads.changes(cursor: next)
            counts += try await store.commitChanges(page.changes, cursor: round.held, trust: .complete)
            note(page.changes.count)
            page = try await following
        }
        let trust = round.trust(end: page.nextCursor)
        counts += try await store.commitChanges(page.changes, cursor: page.nextCursor, trust: trust)
        note(page.changes.count)
        return trust
    }

    /// Reads the whole list of drafts; answers `false` when this sign-in does not cover drafts.
    func drafts() async throws -> Bool {
        var drafts: [Draft] = []
        var known: Set<DraftID> = []
        var next: String?
        var cycle = CycleGuard(start: nil, pagesMax: limits.draftPagesMax)
        do {
            repeat {
                let page = try await reads.drafts(next: next)
                for draft in page.drafts where known.insert(draft.id).inserted { drafts.append(draft) }
                next = page.next
                if let next { try cycle.accept(next) }
            } while next != nil
        } catch let error as MailAPIError where error.isScope {
            return false
        }
        counts += try await store.replaceDrafts(drafts)
        return true
    }
}

extension MailAPIError {
    /// Whether a mailbox's listing says that the mailbox is gone or hidden.
    fileprivate var isLostMailbox: Bool {
        switch self {
        case .forbidden("MAILBOX_FORBIDDEN"), .notFound: true
        default: false
        }
    }
}
