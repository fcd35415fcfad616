internal import MailFilter
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform
internal import TerminalDriver

/// What people do to mail, one after another, beside the loop.
struct TriageWork {
    /// The last order given; each waits for the one before it, so that undo takes back what was done before it.
    var last: Task<Void, Never>?
    /// When times that the state waits for are over, by the clock that counts a suspended machine's time.
    var timers: [Int: Int64] = [:]
    /// Whether the outbox is read for its list, and whether it has changed since that began.
    var outboxReading = (isUnderWay: false, isStale: false)

    /// The times that are over, which are forgotten.
    mutating func due(at now: Int64) -> [Int] {
        let due = timers.filter { $0.value <= now }.keys.sorted()
        for timer in due { timers[timer] = nil }
        return due
    }

    /// How long the loop may sleep: a second, or to the end of the next time.
    ///
    /// Never less than a moment, since a clock that a test has stopped does not get there by waiting.
    func sleep(from now: Int64) -> Duration {
        let wait = (timers.values.min() ?? .max).subtractingReportingOverflow(now)
        return wait.overflow ? .seconds(1) : .milliseconds(max(TriageWork.leastSleep, min(1_000, wait.partialValue)))
    }

    private static let leastSleep: Int64 = 20
}

/// Acting on mail, and the outbox's list.
extension TerminalProgram {
    func performTriage(_ effect: Effect, _ run: AccountRun) {
        let backend = run.backend
        switch effect {
        case .triage(let order):
            inOrder(order.number, run) { [.triageQueued(order.number, try await backend.enqueue(order))] }
        case .undo(let number): inOrder(number, run) { [.undone(number, try await backend.undo())] }
        case .settle(let question): settle(question, run)
        case .loadOutbox: loadOutbox(run)
        case .retryOperation(let id):
            inOrder(0, run) {
                try await backend.retryOperation(id)
                return []
            }
        case .dropOperation(let id):
            inOrder(0, run) {
                let sentence =
                    try await backend.dropOperation(id) ? "Given up." : "It is being sent, or was sent already."
                return [.notice(sentence)]
            }
        case .wake(let timer, let milliseconds): wake(timer, after: milliseconds, run)
        default: break
        }
    }

    /// Does what changes the outbox after all that was asked for before, tells its answers, and sends what waits.
    private func inOrder(
        _ number: Int, _ run: AccountRun, _ work: @escaping @Sendable () async throws -> [AppEvent]
    ) {
        let before = run.triage.last
        run.triage.last = effect {
            await before?.value
            do {
                await self.queued(try await work(), run)
            } catch {
                await self.orderFailed(number, error, run)
            }
        }
    }

    private func orderFailed(_ number: Int, _ error: any Error, _ run: AccountRun) {
        tellAndPaint(.triageFailed(number, Failures.failure(error).message), run)
        if let change = error as? AccountChange { follow(change, run) }
    }

    private func queued(_ answers: [AppEvent], _ run: AccountRun) {
        for answer in answers { tell(answer, run) }
        countOutbox(run)
        drainSoon(run)
        paint()
    }

    /// Reads all that the screen shows in one go.
    private func settle(_ question: SettleQuestion, _ run: AccountRun) {
        guard let reader = run.reader else { return tell(.settled(nil), run) }
        effect {
            do {
                let answer = try await SettleAnswer(question, from: reader)
                await self.tellAndPaint(.settled(answer), run)
            } catch {
                await self.tellAndPaint(.notice(Failures.failure(error).message), run)
                await self.tellAndPaint(.settled(nil), run)
            }
        }
    }

    /// Tells how much waits, where that is news; also what other processes queued and sent.
    ///
    /// Nothing waits for it, and no loop is woken for what is known.
    func countOutbox(_ run: AccountRun) {
        let (backend, known) = (run.backend, run === current ? state.outboxCounts : nil)
        Task.detached {
            // An outbox that cannot be read is told of when it is used.
            guard let counts = try? await backend.outboxCounts(), counts != known else { return }
            await self.counted(counts, run)
        }
    }

    /// Shows how much waits, where that is news.
    func counted(_ counts: OutboxCounts, _ run: AccountRun) {
        guard run !== current || counts != state.outboxCounts else { return }
        tellAndPaint(.outboxCounted(counts), run)
    }

    /// Reads the outbox for its list, once more when it changes meanwhile.
    private func loadOutbox(_ run: AccountRun) {
        if run.triage.outboxReading.isUnderWay { return run.triage.outboxReading.isStale = true }
        run.triage.outboxReading = (true, false)
        let (backend, reader) = (run.backend, run.reader)
        effect {
            do {
                let (operations, journal) = try await backend.outbox(limit: AppState.outboxMax)
                var entries: [OutboxEntry] = []
                for operation in operations {
                    let reason = operation.lastFailure.flatMap(FailureCode.init(rawValue:)).map(OutboxText.words)
                    let subject = try await reader?.message(operation.message)?.summary.subject
                    entries.append(OutboxEntry(operation: operation, subject: subject, reason: reason))
                }
                var endings: [OutboxEnding] = []
                for entry in journal {
                    let subject = try await reader?.message(entry.message)?.summary.subject
                    endings.append(OutboxEnding(entry: entry, subject: subject))
                }
                await self.outboxRead(.outboxLoaded(entries, endings), run)
            } catch {
                await self.outboxRead(.outboxFailed(Failures.failure(error).message), run)
            }
        }
    }

    private func outboxRead(_ event: AppEvent, _ run: AccountRun) {
        let isStale = run.triage.outboxReading.isStale
        run.triage.outboxReading = (false, false)
        tellAndPaint(event, run)
        if isStale { loadOutbox(run) }
    }

    private func wake(_ timer: Int, after milliseconds: Int, _ run: AccountRun) {
        let now = WallClock.bootMilliseconds()
        run.triage.timers[timer] = now + Int64(milliseconds)
        sleepUntilDue(from: now)
    }

    /// Tells which times are over and how far long work is, and sets when to look again.
    func tellTimers() {
        if state.isWaitingForOutbox { countOutbox(current) }
        for run in runs {
            for timer in run.triage.due(at: WallClock.bootMilliseconds()) { tell(.woke(timer), run) }
            drainMailIfDue(run, now: WallClock.bootMilliseconds())
        }
        sleepUntilDue(from: WallClock.bootMilliseconds())
    }

    /// Lets the loop sleep until the next time of any account.
    private func sleepUntilDue(from now: Int64) {
        UILoop.shared.setDeadline(.now + (runs.map { $0.triage.sleep(from: now) }.min() ?? .seconds(1)))
    }
}

extension SettleAnswer {
    /// What the cache shows now of what was asked for.
    init(_ question: SettleQuestion, from reader: MailReader) async throws {
        var list = ConversationList(rows: [], horizon: 0)
        var hasMore = false
        if let limit = question.limit, let filter = try? FilterParser.parse(question.filter) {
            let clock = FilterClock(nowMilliseconds: WallClock.milliseconds(), zone: WallClock.zone())
            (list, hasMore) = try await reader.conversations(
                in: question.scope, SearchQuestion(filter, clock: clock, limit: limit))
        } else if let limit = question.limit {
            list = try await reader.conversationList(in: question.scope, limit: limit + 1)
            hasMore = list.rows.count > limit
            list.rows = Array(list.rows.prefix(limit))
        }
        var messages: [ConversationMessage] = []
        if let thread = question.thread { messages = try await reader.conversation(thread) }
        self.init(
            question: question, counts: try await reader.mailboxCounts(), rows: list.rows, hasMore: hasMore,
            horizon: list.horizon, messages: messages)
    }
}
