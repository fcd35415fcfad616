internal import MailAPI
internal import MailModel
internal import MailStorage
internal import MailTestSupport

// What a person does meanwhile: it waits in the outbox, and every cache shows it.
extension SoakRun {
    /// Queues actions on what is shown, takes some back, or gives some up.
    mutating func act() async throws {
        let outbox = try stage.outbox()
        for _ in 0..<random.below(5) {
            switch random.below(8) {
            case 0: _ = try await outbox.undo(at: 2)
            case 1: try await giveUp(outbox)
            default: try await queue(outbox)
            }
            // The next writer of the cache may have to show it as well.
            if random.percent(50) { try await store.store.rematerialise() }
        }
    }

    private mutating func queue(_ outbox: OutboxStore) async throws {
        let ids = try CacheDump(path: stage.cachePath).ids("messages").sorted()
        guard let action = random.pick(TriageAction.allCases), let reader = try stage.reader() else { return }
        var targets: [MessageID] = []
        for _ in 0..<(1 + random.below(6)) { if let id = random.pick(ids) { targets.append(MessageID(id)) } }
        let operations = try await reader.operations(
            for: TriageRequest(action: action, targets: .messages(targets))
        ).operations
        let receipt = try await outbox.enqueue(operations, name: action.title, at: 1_790_000_000_000)
        note("\(action) on \(receipt.count) of \(targets.count)")
    }

    private mutating func giveUp(_ outbox: OutboxStore) async throws {
        guard let operation = random.pick(try await outbox.operations()) else { return }
        _ = try await outbox.giveUp([operation.id], at: 3)
    }

    /// Operations of mail that is gone end, as after each pass.
    mutating func settle() async throws {
        let ended = try await store.store.settleLost(in: try stage.outbox(), at: 4)
        if ended > 0 { note("\(ended) operations ended with their messages") }
    }

    /// Sends what waits, up to a number; answers are written down or get lost, and refusals end what was refused.
    mutating func drain(limit: Int) async throws {
        let outbox = try stage.outbox()
        try await outbox.restart()
        let api = stage.api(client)
        for operation in try await outbox.claim(limit: limit, now: 0) {
            guard case .triage(let action) = operation.kind else { continue }
            do {
                let answer = try await api.act(action, on: operation.message, requestID: operation.id)
                if random.percent(10) { continue }
                try await store.store.apply(answer)
                // Killed here, the next drain repeats it.
                if random.percent(10) { continue }
                try await outbox.settle([OperationOutcome(operation.id, .done)], at: 4)
                if random.percent(50) { try await store.store.rematerialise() }
            } catch let failure as WriteFailure {
                note("\(action) was not done: \(failure.reach)")
                guard failure.reach == .refused else { continue }
                try await outbox.settle([OperationOutcome(operation.id, .dropped(.deleteWins))], at: 4)
            }
        }
    }

    /// Sends everything, and hears of it.
    mutating func sendAll() async throws {
        let outbox = try stage.outbox()
        while try await !outbox.counts().isEmpty { try await drain(limit: 100) }
        if await pass(hoursLater: 0) == nil { outcome.differences.append("the pass after a drain failed") }
    }

    /// Gives everything up: the cache must then be as if nothing had ever waited.
    mutating func giveAllUp() async throws {
        let outbox = try stage.outbox()
        let ids = try await outbox.operations().map(\.id)
        note("giving up \(ids.count) operations")
        try await outbox.restart()
        let count = try await outbox.giveUp(ids, at: 5)
        if count != ids.count { outcome.differences.append("only \(count) of \(ids.count) operations were given up") }
        try await store.store.rematerialise()
    }
}
