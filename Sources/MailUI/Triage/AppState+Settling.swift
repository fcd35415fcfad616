internal import MailModel

/// The outbox's answers, and the cache's once it shows what the outbox has.
extension AppState {
    mutating func handleTriage(_ event: AppEvent) -> [Effect] {
        switch event {
        case .triageQueued(let number, let receipt): return takeQueued(number, receipt)
        case .triageFailed(let number, let sentence):
            triage.pending.removeAll { $0.number == number }
            triage.forget(number)
            acted.forget(number, of: accountLabel)
            if triage.bulk?.number == number { triage.bulk = nil }
            notice = sentence
            return [.bell] + settle(number)
        case .undone(let number, let receipt): return takeUndone(number, receipt)
        case .settled(let answer): return takeSettled(answer)
        case .outboxCounted(let counts): return takeCounts(counts)
        case .outboxLoaded(let entries, let journal):
            if let sentence = outbox.take(entries, journal) { notice = sentence }
            return []
        case .outboxChanged: return outbox.isOpen ? [.loadOutbox] : []
        case .matchesFound(let place, let filter, let threads):
            takeMatches(place, filter, threads)
            return []
        case .outboxFailed(let sentence):
            outbox.failure = sentence
            return []
        case .woke(let timer): return takeWritingTimer(timer) + takeTimer(timer)
        case .triageConfigured(let settings):
            triage.settings = settings
            return []
        default: return []
        }
    }

    private mutating func takeQueued(_ number: Int, _ receipt: BatchReceipt) -> [Effect] {
        triage.note(receipt.batch, of: number)
        if receipt.count == 0 {
            triage.forget(number)
            acted.forget(number, of: accountLabel)
            // What the list showed was not there any more, or another process was quicker.
            if number == triage.lastActed, receipt.idle == 0, receipt.readOnly.isEmpty {
                notice = "Nothing was changed: the list was not up to date."
            }
        }
        if !receipt.readOnly.isEmpty, number == triage.lastActed {
            let count = receipt.readOnly.count
            let what = count == 1 ? "1 message" : Formatting.grouped(count) + " messages"
            notice = "\(what) may only be read and stayed as before."
        }
        if triage.bulk?.number == number {
            triage.bulk?.total = receipt.operations.count
            triage.bulk?.waiting = receipt.operations.count
            if receipt.operations.count < BulkWork.least { triage.bulk = nil }
        }
        return settle(number)
    }

    private mutating func takeUndone(_ number: Int, _ receipt: UndoReceipt?) -> [Effect] {
        guard let receipt else {
            notice = "There is nothing to undo."
            return [.bell]
        }
        triage.bulk = nil
        outbox.retried = [:]
        let own = receipt.batch.count
        let count = combined?.noteUndone(own, of: accountLabel) ?? own
        let place = triage.takeBack(receipt.batch.id, undone: number, from: list.selected)
        let what =
            (count == own ? place?.what : nil) ?? (count == 1 ? "1 message" : Formatting.grouped(count) + " messages")
        notice = "Undone: \(MailDisplay.line(receipt.batch.name)), \(what)."
        return settle(number)
    }

    /// Asks the cache anew for all that is shown, once for all orders that were queued meanwhile.
    private mutating func settle(_ number: Int) -> [Effect] {
        triage.queued = max(triage.queued, number)
        guard triage.settling == nil, triage.queued > triage.settled else { return [] }
        triage.settling = triage.queued
        // Answers that are under way may be of before.
        list.generation += 1
        return [
            .settle(
                SettleQuestion(
                    number: triage.queued, scope: scope, filter: list.filter,
                    limit: scope.folder == .drafts ? nil : list.limit, generation: list.generation,
                    thread: openThread))
        ] + (outbox.isOpen ? [.loadOutbox] : [])
    }

    private mutating func takeSettled(_ answer: SettleAnswer?) -> [Effect] {
        let number = answer?.question.number ?? triage.settling ?? 0
        triage.settling = nil
        triage.settled = max(triage.settled, number)
        triage.pending.removeAll { $0.number <= number }
        guard let answer else { return [.loadCounts, loadList()] + settle(number) }
        var effects = handle(.countsLoaded(answer.counts))
        let question = answer.question
        if question.limit != nil {
            effects += take(
                answer.rows, of: question.scope, generation: question.generation, hasMore: answer.hasMore,
                horizon: answer.horizon)
        }
        if let thread = question.thread { effects += take(answer.messages, of: thread) }
        effects += goToReturned(number)
        return effects + settle(number)
    }

    /// Goes to what undo brought back, unless the cursor was moved meanwhile; what was put away in the reader is
    /// opened there again.
    private mutating func goToReturned(_ number: Int) -> [Effect] {
        guard let returning = triage.returning, returning.number <= number else { return [] }
        triage.returning = nil
        let place = returning.place
        let item = ItemID.thread(place.thread)
        guard place.scope == scope, items.contains(item) else { return [] }
        guard let pane = reader else {
            let isMoved = list.selected != returning.cursor && returning.cursor.map(items.contains) == true
            if !isMoved { list.selected = item }
            selectReturned(place.selected)
            return []
        }
        guard place.isReading, pane.item != item else { return [] }
        list.selected = item
        return open(item)
    }

    /// Selects again what was selected when it left the list, if all of it is back and nothing else is selected.
    private mutating func selectReturned(_ threads: [ThreadID]) {
        // What an undo before this one brought back is not what the next key is meant for.
        if !triage.broughtBack.isEmpty, !selection.isRanging, selection.chosen == Set(triage.broughtBack) {
            selection.clear()
        }
        let isAllHere = Set(threads).isSubset(of: list.rows.map(\.threadID))
        triage.broughtBack = selection.isEmpty && isAllHere ? threads : []
        selection.add(triage.broughtBack)
    }

    private mutating func takeCounts(_ counts: OutboxCounts) -> [Effect] {
        // Mail may have been sent, held or refused by another process.
        let isMailMoved = counts != outbox.counts && max(counts.mails, outbox.counts.mails) > 0
        outbox.counts = counts
        if let total = triage.bulk?.total {
            triage.bulk?.waiting = min(total, counts.queued)
            if counts.queued == 0 { triage.bulk = nil }
        }
        return (outbox.isOpen ? [.loadOutbox] : []) + (isMailMoved ? [.writing(.loadDrafts)] : [])
    }

    /// What is done for long, and how far it is; `nil` while nothing is.
    var bulkText: String? {
        guard let bulk = triage.bulk, !sync.isOffline else { return nil }
        guard let total = bulk.total else { return "\(bulk.name): queueing…" }
        let sent = Formatting.grouped(max(0, total - bulk.waiting))
        return "\(bulk.name): \(sent) of \(Formatting.grouped(total)) sent; Esc calls it off"
    }

    /// Calls long work off: what was sent is taken back, too; `nil` when there is none that undo would meet first.
    mutating func callOffBulk() -> [Effect]? {
        guard let bulk = triage.bulk, bulk.number == triage.lastActed else { return nil }
        return performTriage(.undo)
    }
}
