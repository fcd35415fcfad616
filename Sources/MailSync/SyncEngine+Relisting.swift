internal import MailAPI
internal import MailModel
internal import MailStorage

extension SyncEngine {
    /// Rows removed in one commit at the end of a re-listing.
    private static let removalsMax = 500

    /// Lists everything again when rows may be wrong, and ends a re-listing whose pages were all read.
    ///
    /// Comes after a round of changes. What is not done stays for the next pass.
    func repair() async throws {
        for _ in 0...limits.repairsMax * 2 {
            guard let relisting = try await store.syncState().relisting else { return }
            if relisting.isListed { return try await finishRelisting() }
            guard relisting.purpose == .repair else { return }
            do {
                try await relist(from: relisting.next)
            } catch MailAPIError.invalidCursor {
                try await store.beginRelisting(.repair)
                continue
            }
            // What changed meanwhile is met before anything counts as gone; a round that loses rows starts over.
            guard let cursor = try await store.syncState().cursor else { return }
            try await readChanges(from: cursor)
        }
    }

    /// Lists everything again when something may have changed without a word and a day has passed since the last
    /// listing began, unless there is so much mail that only an audit can do it.
    func repairDoubts() async throws {
        let state = try await store.syncState()
        guard AuditPace.isOverdue(state, now: now()), state.relisting?.purpose != .repair,
            try await store.messagesEstimate() <= AuditPace.relistableMax
        else { return }
        try await store.beginRelisting(.repair)
        try await repair()
    }

    /// Reads the pages of a re-listing; the next one is in flight while one is written.
    private func relist(from start: String?) async throws {
        let reads = reads
        var cycle = CycleGuard(start: start, pagesMax: limits.pagesMax)
        var page = try await reads.messages(.everything, next: start)
        while let next = page.next {
            try Task.checkCancellation()
            try cycle.accept(next)
            async let following = reads.messages(.everything, next: next)
            try await commitRelisting(page)
            page = try await following
        }
        try await commitRelisting(page)
    }

    private func commitRelisting(_ page: MessagePage) async throws {
        counts += try await store.commitRelisting(page.messages, next: page.next, at: now())
        note(page.messages.count)
    }

    /// Removes what the re-listing did not meet, unless some of it can still be read.
    ///
    /// A mailbox that was out of sight while pages were read, and is back, leaves no trace but that.
    private func finishRelisting() async throws {
        for id in try await store.unmetSamples(limit: SyncEngine.removalsMax) {
            do {
                _ = try await reads.message(id)
                return try await store.dropRelisting()
            } catch MailAPIError.notFound {
                continue
            } catch MailAPIError.forbidden("MAILBOX_FORBIDDEN") {
                continue
            }
        }
        var end = try await store.finishRelisting(after: 0, limit: SyncEngine.removalsMax)
        counts += end.counts
        while let next = end.next {
            try Task.checkCancellation()
            end = try await store.finishRelisting(after: next, limit: SyncEngine.removalsMax)
            counts += end.counts
        }
    }

    /// Reads one page of a slow check of all rows when one is due; answers whether it did.
    ///
    /// For idle time right after a pass; over a week it meets every row. Its end is left to the next pass.
    /// - Throws: `SyncError`, or `CancellationError` when the task is cancelled.
    package func audit() async throws -> Bool {
        guard beginExclusive() else { return false }
        defer { endExclusive() }
        defer { countRequests() }
        do {
            let state = try await store.syncState()
            guard AuditPace.isDue(state, messages: try await store.messagesEstimate(), now: now()) else { return false }
            if state.relisting == nil { try await store.beginRelisting(.audit) }
            do {
                let page = try await reads.messages(.everything, next: state.relisting?.next)
                _ = try await store.commitRelisting(page.messages, next: page.next, at: now())
            } catch MailAPIError.invalidCursor {
                try await store.beginRelisting(.audit)
            }
            return true
        } catch {
            try Task.checkCancellation()
            throw SyncError(error) ?? error
        }
    }
}
