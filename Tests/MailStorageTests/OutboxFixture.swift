import MailModel
import MailStorage
import Platform
import SQLite

/// An outbox on a new file in a directory of its own.
struct OutboxBench: ~Copyable {
    let path: String
    let store: OutboxStore
    /// The cache's path in the same directory.
    let cache: String

    init() throws {
        cache = Bench.newPath()
        path = cache.dropLast("cache.sqlite".count) + "outbox.sqlite"
        store = try OutboxStore(path: path, owner: "https://x.example one")
    }

    deinit { Bench.remove(cache) }

    /// Another opening of the file.
    func again(owner: String = "https://x.example one") throws -> OutboxStore {
        try OutboxStore(path: path, owner: owner)
    }

    /// How many rows a table has.
    func count(_ table: String) throws -> Int64 {
        try Database(path, mode: .readOnly).scalar("SELECT count(*) FROM \(table)") ?? 0
    }

    /// Queues an action on messages.
    @discardableResult
    func act(_ action: TriageAction, _ messages: MessageSummary..., at milliseconds: Int64 = 1) async throws
        -> BatchReceipt
    {
        try await store.enqueue(
            messages.map { NewOperation(action, on: $0) }, name: action.title, at: milliseconds)
    }

    /// What waits: `archive 1`, with a star for what is under way.
    func queue() async throws -> [String] {
        try await store.operations().map {
            "\($0.kind.name) \($0.message)" + ($0.status == .inFlight ? "*" : "")
        }
    }

    /// Sends the first that are due; answers them.
    @discardableResult
    func send(_ count: Int = 1) async throws -> [OperationID] {
        try await store.next(limit: count, now: 1_000).map(\.id)
    }

    /// Sends and finishes all.
    func drain() async throws {
        while true {
            let ids = try await send(1_000)
            if ids.isEmpty { return }
            try await store.finish(ids)
        }
    }
}

/// Single steps of a drain, by what a drain calls.
extension OutboxStore {
    func next(limit: Int, now milliseconds: Int64) throws -> [Operation] {
        try claim(limit: limit, now: milliseconds)
    }

    func finish(_ ids: [OperationID]) throws { try settle(ids.map { OperationOutcome($0, .done) }, at: 1) }

    func finish(_ id: OperationID) throws { try finish([id]) }

    func drop(_ ids: [OperationID], verdict: Verdict, at milliseconds: Int64) throws {
        try settle(ids.map { OperationOutcome($0, .dropped(verdict)) }, at: milliseconds)
    }

    func drop(_ id: OperationID, verdict: Verdict, at milliseconds: Int64) throws {
        try drop([id], verdict: verdict, at: milliseconds)
    }

    func retry(
        _ id: OperationID, failure: String, at next: Int64? = nil, mayHaveArrived: Bool = true, refusals: Int = 0
    ) throws {
        let outcome = OperationOutcome(
            id, .retry(notBefore: next), failure: failure, mayHaveArrived: mayHaveArrived, refusals: refusals)
        try settle([outcome], at: 1)
    }

    func block(_ id: OperationID, reason: BlockReason) throws {
        // Nobody knows what the answers meant that were one too many.
        let mayHaveArrived = reason == .retriesExhausted
        try settle([OperationOutcome(id, .blocked(reason), mayHaveArrived: mayHaveArrived)], at: 1)
    }
}
