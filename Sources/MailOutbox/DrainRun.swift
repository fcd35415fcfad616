internal import MailAPI
internal import MailModel

/// One run over the queue: requests side by side, and beside them the commits of what they came to.
///
/// Operations are claimed and settled many at a time, since each commit waits for the disk. The next ones are claimed
/// while requests are under way, so that the server never waits for the disk either.
struct DrainRun {
    let queue: any DrainQueue
    let api: any MailActing
    let truth: any ServerTruth
    let now: @Sendable () -> Int64
    let zone: @Sendable () -> ZoneOffsets
    let tell: @Sendable (OutboxEvent) -> Void

    private var machine = OutboxMachine()
    private var report = DrainReport()
    /// Claimed and not sent.
    private var ready: ArraySlice<Operation> = []
    /// Decided and not committed.
    private var settled: [Settlement] = []
    /// Those that stay claimed until the end, so that this run does not send them again.
    private var held: [Settlement] = []
    private var active = 0
    private var isCommitting = false
    /// Whether the last claim brought nothing; a commit of what was decided may free more.
    private var isDry = false

    init(
        queue: any DrainQueue, api: any MailActing, truth: any ServerTruth, now: @escaping @Sendable () -> Int64,
        zone: @escaping @Sendable () -> ZoneOffsets, tell: @escaping @Sendable (OutboxEvent) -> Void
    ) {
        self.queue = queue
        self.api = api
        self.truth = truth
        self.now = now
        self.zone = zone
        self.tell = tell
    }

    /// What a child task came to.
    private enum Step: Sendable {
        case attempted(Operation, OutboxMachine.Attempt)
        case committed([Operation])
    }

    /// Runs until nothing is due or the machine ends it.
    mutating func run() async throws -> DrainReport {
        try await withThrowingTaskGroup(of: Step.self) { group in
            while true {
                startRequests(&group)
                startCommit(&group)
                guard active > 0 || isCommitting, let step = try await group.next() else { break }
                switch step {
                case .attempted(let operation, let attempt): note(operation, attempt)
                case .committed(let claimed):
                    isCommitting = false
                    ready += claimed
                    isDry = claimed.isEmpty
                }
            }
        }
        try await end()
        report.ending = machine.ending
        return report
    }

    private mutating func startRequests(_ group: inout ThrowingTaskGroup<Step, any Error>) {
        guard machine.ending == nil else { return }
        while active < machine.window, let operation = ready.popFirst() {
            active += 1
            let request = Request(api: api, truth: truth, zone: zone)
            group.addTask { .attempted(operation, try await request.attempt(operation)) }
        }
    }

    /// Commits what is decided and claims more, beside the requests, when enough of either is due.
    private mutating func startCommit(_ group: inout ThrowingTaskGroup<Step, any Error>) {
        guard !isCommitting else { return }
        let isFull = settled.count >= OutboxDrain.batch / 2
        guard isFull || runsOut else { return }
        let isLow = machine.ending == nil && ready.count <= OutboxDrain.batch / 2
        let wanted = isLow ? max(0, claimSize - ready.count) : 0
        let settlements = settled
        settled.removeAll(keepingCapacity: true)
        isCommitting = true
        let commit = Commit(queue: queue, truth: truth, time: now(), tell: tell)
        group.addTask { .committed(try await commit.run(settlements, claiming: wanted)) }
    }

    /// Whether connections are about to stand idle, and the queue may have something for them.
    private var runsOut: Bool {
        guard machine.ending == nil, ready.count < machine.window else { return false }
        // The first request of a run is alone.
        if machine.window == 1, active > 0 { return false }
        return !isDry || !settled.isEmpty
    }

    /// One while the server has not answered yet, so that little has to be given back when it does not.
    private var claimSize: Int { machine.window == 1 ? 1 : OutboxDrain.batch }

    private mutating func note(_ operation: Operation, _ attempt: OutboxMachine.Attempt) {
        active -= 1
        let settlement = machine.settle(operation, attempt, now: now())
        switch settlement.outcome {
        case .done: report.done += 1
        case .drop(_, let verdict):
            report.dropped += 1
            if verdict.kind != .superseded, verdict.reason != .precondition { report.refused += 1 }
        case .retry, .block:
            held.append(settlement)
            return
        }
        settled.append(settlement)
    }

    /// Commits what is left and gives back what was not sent.
    private mutating func end() async throws {
        let commit = Commit(queue: queue, truth: truth, time: now(), tell: tell)
        _ = try await commit.run(settled + held, claiming: 0)
        try await truth.showQueue()
        if !ready.isEmpty { try await queue.giveBack(ready.map(\.id)) }
        if case .allBlocked(let reason) = machine.ending.map({ FailureTable.rule($0.code).outcome }) {
            try await queue.blockAll(reason)
        }
    }
}

/// What one operation asks of the server.
private struct Request: Sendable {
    let api: any MailActing
    let truth: any ServerTruth
    let zone: @Sendable () -> ZoneOffsets

    func attempt(_ operation: Operation) async throws -> OutboxMachine.Attempt {
        do {
            switch operation.kind {
            case .triage(let action):
                if let ended = try await hindrance(operation, action) { return ended }
                return .answered(try await api.act(action, on: operation.message, requestID: operation.id))
            }
        } catch let failure as WriteFailure {
            return .failed(failure)
        } catch is CancellationError {
            return .cancelled
        }
    }

    /// Asks for the message first where that decides; `nil` when the action is to be asked for.
    ///
    /// A message that is as the action leaves it after a request whose answer was lost was changed by that request.
    private func hindrance(
        _ operation: Operation, _ action: TriageAction
    ) async throws -> OutboxMachine.Attempt? {
        guard let text = operation.precondition else { return nil }
        let detail = try await api.current(operation.message)
        if operation.mayHaveArrived, !action.hasEffect(on: detail.summary) { return .answered(detail.summary) }
        var address: String?
        if let mailbox = detail.summary.mailboxID { address = try await truth.address(of: mailbox) }
        let isMet = Precondition.isMet(
            text, by: detail, mailbox: address, at: operation.createdAt, zone: zone())
        return isMet ? nil : .unmet(detail.summary)
    }
}

/// One commit of decisions, in the order that a kill at any point is harmless in.
///
/// First the answers become part of the cache, then the operations leave the queue. Killed in between, an operation is
/// sent once more, which changes nothing but a stamp; the other way round, the cache would forget what was done.
private struct Commit: Sendable {
    let queue: any DrainQueue
    let truth: any ServerTruth
    let time: Int64
    let tell: @Sendable (OutboxEvent) -> Void

    /// Commits, claims up to so many operations, and then tells of what was committed.
    func run(_ settlements: [Settlement], claiming limit: Int) async throws -> [Operation] {
        let answers = settlements.compactMap(\.answer)
        let done = settlements.filter { $0.outcome == .done && $0.answer != nil }.map(\.operation.message)
        if !answers.isEmpty { try await truth.apply(serverAnswers: answers, ending: Set(done)) }
        // Each commit waits for the disk, so there is one for both.
        var claimed: [Operation] = []
        if !settlements.isEmpty {
            claimed = try await queue.settle(settlements, claiming: limit, at: time)
        } else if limit > 0 {
            claimed = try await queue.claim(limit: limit, now: time)
        }
        // What was not done is shown as it is on the server before anybody hears of it.
        if settlements.contains(where: \.isDropped) { try await truth.showQueue() }
        for settlement in settlements { settlement.events.forEach(tell) }
        return claimed
    }
}

extension Settlement {
    /// Whether the operation left the queue without being done.
    var isDropped: Bool {
        if case .drop = outcome { return true }
        return false
    }

    /// What is told of it.
    var events: [OutboxEvent] {
        switch outcome {
        case .done: warning.map { [.failed(operation.id, $0)] } ?? []
        case .retry(let code, _, _), .block(let code, _): [.failed(operation.id, code)]
        case .drop(_, let verdict): OutboxEvent.ended(operation.id, operation.message, verdict)
        }
    }
}
