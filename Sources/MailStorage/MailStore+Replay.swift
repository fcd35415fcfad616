package import MailModel
internal import SQLite

extension MailStore {
    /// The key of the outbox's mark that the rows show.
    private static let markKey = "outbox"
    /// The key of the mark of its drafts.
    private static let draftsKey = "outbox_drafts"

    /// Runs a transaction that writes messages, on rows that show all that waits by then.
    ///
    /// The outbox is read inside it: whoever writes the cache last shows the outbox no older than the one before.
    func commitMessages<Result>(_ body: (Database, OutboxView) throws -> Result) throws -> Result {
        try commit { database in
            _ = try catchUp(database)
            try catchUpDrafts(database)
            return try body(database, outbox)
        }
    }

    /// What of the rows does not show what waits.
    private func staleRows(_ database: Database) throws -> OutboxView.Stale {
        let mark = try Meta.value(MailStore.markKey, database)
        do {
            return try outbox.refresh(since: mark)
        } catch {
            throw StoreError.outbox(error)
        }
    }

    /// Replays what waits on the rows that do not show it, and answers what it changed.
    private func catchUp(_ database: Database) throws -> CommitCounts {
        let messages: Set<MessageID>
        switch try staleRows(database) {
        case .nothing: return CommitCounts()
        case .messages(let touched): messages = touched
        case .everything: messages = try ServerRows.messages(in: database).union(outbox.waiting.keys)
        }
        var writes = try MessageWrites(database: database, outbox: outbox)
        try writes.replay(messages)
        try writes.finish()
        try Meta.set(MailStore.markKey, outbox.mark, database)
        return writes.counts
    }

    /// The drafts to show in place of those shown; `nil` when these are the ones.
    private func staleDrafts(_ database: Database) throws -> (drafts: [ShownDraft], mark: String?)? {
        let mark = try Meta.value(MailStore.draftsKey, database)
        do {
            return try outbox.drafts(since: mark)
        } catch {
            throw StoreError.outbox(error)
        }
    }

    /// Shows the drafts that are written here in place of the server's.
    private func catchUpDrafts(_ database: Database) throws {
        guard let (drafts, mark) = try staleDrafts(database) else { return }
        if try DraftRows.replaceLocal(drafts, in: database) {
            var change = StoreChange()
            change.touchesDrafts = true
            try CommitLog.append(change, in: database)
        }
        try Meta.set(MailStore.draftsKey, mark, database)
    }

    /// Has the rows show what waits in the outbox: after something was queued, done, dropped or undone, and at a start.
    ///
    /// Costs microseconds when they show it already. Answers how many rows changed.
    /// - Throws: `StoreError`.
    @discardableResult
    package func rematerialise() throws -> CommitCounts {
        let isFresh = try read { database in
            guard case .nothing = try staleRows(database) else { return false }
            return try staleDrafts(database) == nil
        }
        if isFresh { return CommitCounts() }
        return try commit { database in
            let counts = try catchUp(database)
            try catchUpDrafts(database)
            return counts
        }
    }

    /// Writes what the server answered to actions; a message that is not here is passed over.
    ///
    /// Comes before the outbox finishes the operations, so that the screen never shows the past in between. Pages that
    /// were on their way before are shown with the answer laid over them, until the next pass has ended. Of the
    /// messages in `ending` the first operation is done by its answer and is not replayed on it any more.
    /// - Throws: `StoreError`.
    @discardableResult
    package func apply(_ answers: [MessageSummary], ending: Set<MessageID> = []) throws -> CommitCounts {
        if answers.isEmpty { return CommitCounts() }
        do {
            return try write(answers, ending: ending)
        } catch {
            outbox.forget()
            throw error
        }
    }

    private func write(_ answers: [MessageSummary], ending: Set<MessageID>) throws -> CommitCounts {
        try commitMessages { database, outbox in
            for message in ending { outbox.end(firstOf: message) }
            var present: [MessageSummary] = []
            for answer in answers where try KeyLookup.key(of: answer.id, in: database) != nil {
                try Echoes.note(answer, in: database)
                present.append(answer)
            }
            var writes = try MessageWrites(database: database, outbox: outbox)
            try writes.upsert(present)
            try writes.finish()
            if try Relistings.isRunning(in: database) { try Relistings.markSeen(present.map(\.id), in: database) }
            return writes.counts
        }
    }

    /// Writes what the server answered to an action; see `apply` of several.
    ///
    /// - Throws: `StoreError`.
    @discardableResult
    package func apply(_ answer: MessageSummary) throws -> CommitCounts { try apply([answer]) }

    /// Ends the operations that wait for messages which the sync found gone, with their verdicts in the journal.
    ///
    /// Called after a pass and before a drain. Answers how many ended. Killed in between, the next call ends the rest.
    /// - Throws: `StoreError`, `OutboxError`.
    @discardableResult
    package func settleLost(in store: OutboxStore, at milliseconds: Int64) async throws -> Int {
        let lost = try read { try LostMessages.all(in: $0) }
        if lost.isEmpty { return 0 }
        var ended = 0
        for (reason, messages) in lost {
            let verdict = Verdict(.rejected, reason)
            ended += try await store.drop(messages: messages, verdict: verdict, at: milliseconds).count
        }
        try commit { database in
            // What was queued meanwhile for one of them meets the server's own answer.
            for message in lost.values.joined() { try LostMessages.remove(message, in: database) }
        }
        try rematerialise()
        return ended
    }
}

extension MessageWrites {
    /// Messages replayed with one look for their rows.
    private static let replayChunkMax = 100

    /// Writes rows anew: the server's values with what waits replayed on them.
    ///
    /// A message that is not here has nothing to be replayed on. Rows count as seen by a listing no more than before.
    mutating func replay(_ messages: Set<MessageID>) throws(SQLiteError) {
        var rest = Array(messages)[...]
        let lookup = try KeyLookup(table: "messages", in: database)
        while !rest.isEmpty {
            let chunk = rest.prefix(MessageWrites.replayChunkMax)
            rest = rest.dropFirst(chunk.count)
            let keys: [MessageID: Int64] = try lookup.keys(ofHashes: chunk.map { SortKey.hash($0) })
            for message in chunk {
                if let key = keys[message], let stored = try StoredMessage(key, in: database) {
                    try replay(on: stored)
                }
            }
        }
    }

    private mutating func replay(on stored: StoredMessage) throws(SQLiteError) {
        let (truth, isKept) = try ServerRows.truth(of: stored, in: database)
        let shown = try shown(truth)
        if shown == nil, isKept { try ServerRows.remove(stored.member.pk, in: database) }
        if shown != nil, !isKept { try ServerRows.keep(truth, in: database) }
        try rewrite(stored, as: shown ?? truth)
    }
}
