internal import MailAPI
internal import MailModel
internal import MailStorage

/// What a task of a walk brought back.
private enum WalkEvent: Sendable {
    case fetched(ListingPage)
    case committed(CommitCounts, messages: Int)
}

extension SyncEngine {
    /// Walks listings side by side; the next pages are in flight while others are written.
    func walk(_ pending: [ListingProgress]) async throws {
        guard !pending.isEmpty else { return }
        let (api, store) = (api, store)
        var walk = ListingWalk(pending)
        try await withThrowingTaskGroup(of: WalkEvent.self) { group in
            repeat {
                for fetch in walk.fetches() {
                    group.addTask { .fetched(try await SyncEngine.page(fetch, api)) }
                }
                if let pages = walk.commit() {
                    group.addTask {
                        let changed = try await store.commitPages(pages)
                        return .committed(changed, messages: pages.reduce(0) { $0 + $1.messages.count })
                    }
                }
                switch try await group.next() {
                case .fetched(let page): try walk.accept(page)
                case .committed(let changed, let messages):
                    walk.committed()
                    counts += changed
                    note(messages)
                case nil: break
                }
            } while !group.isEmpty || walk.isUnfinished
        }
    }

    private static func page(_ fetch: ListingProgress, _ api: any MailAPIClient) async throws -> ListingPage {
        let page = try await api.messages(listing: fetch.listing, next: fetch.next, limit: pageRows)
        return ListingPage(listing: fetch.listing, messages: page.messages, next: page.next)
    }

    /// Reads one round of the change feed; the next page is in flight while one is written.
    func readChanges(from cursor: String) async throws {
        let api = api
        var round = ChangeRound(start: cursor)
        var page = try await api.changes(cursor: cursor)
        while true {
            try Task.checkCancellation()
            try round.accept(page)
            guard page.hasMore else { break }
            let next = page.nextCursor
            async let following = api.changes(cursor: next)
            counts += try await store.commitChanges(page.changes, cursor: round.held)
            note(page.changes.count)
            page = try await following
        }
        guard round.needsReconcile(end: page.nextCursor) else {
            counts += try await store.commitChanges(page.changes, cursor: page.nextCursor)
            return note(page.changes.count)
        }
        // The round's end is stored only after the repair, so that a repair that fails is not forgotten.
        counts += try await store.commitChanges(page.changes, cursor: round.held)
        note(page.changes.count)
        try await reconcile()
        counts += try await store.commitChanges([], cursor: page.nextCursor)
    }

    /// Lists all folders again and repairs what differs.
    private func reconcile() async throws {
        let listings = Folder.stored.map { Listing.folder($0) }
        var seen: [MessageID: MessageSummary] = [:]
        // The inbox first and the later copy kept: mail that moves out of it meanwhile is met again.
        for listing in listings {
            var walk = ListingWalk([ListingProgress(listing: listing, next: nil)])
            while let fetch = walk.fetches().first {
                let page = try await SyncEngine.page(fetch, api)
                try walk.accept(page)
                _ = walk.commit()
                walk.committed()
                for message in page.messages { seen[message.id] = message }
            }
        }
        counts += try await store.reconcile(listings, seen: Array(seen.values))
    }

    /// Reads the whole list of drafts; answers `false` when this sign-in does not cover drafts.
    func drafts() async throws -> Bool {
        var drafts: [Draft] = []
        var known: Set<DraftID> = []
        var next: String?
        var cursors: Set<String> = []
        do {
            repeat {
                let page = try await api.drafts(next: next)
                for draft in page.drafts where known.insert(draft.id).inserted { drafts.append(draft) }
                next = page.next
                if let next, cursors.count >= SyncEngine.draftPagesMax || !cursors.insert(next).inserted {
                    throw MailAPIError.endlessPages
                }
            } while next != nil
        } catch let error as MailAPIError where error.isScope {
            return false
        }
        counts += try await store.replaceDrafts(drafts)
        return true
    }
}
