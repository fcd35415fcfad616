internal import SQLite
internal import Synchronization

/// The server's shared state: one database behind a lock, and the count of requests.
final class Service: Sendable {
    private let store: Mutex<Store>
    private let counts = Mutex<[String: Int]>([:])
    private let writes = Mutex<[WriteEntry]>([])
    private static let writesMax = 100_000
    /// The clock once it is not the machine's, apart from the database, for the date of every answer.
    private let moved = Mutex<ServerClock?>(nil)
    /// The event streams; `nil` when the server offers none.
    let events: EventHub?
    /// The faults that tests set.
    let faults = FaultPlan()

    /// The release of the real server that this one behaves like.
    let tier: ServerTier

    init(_ store: sending Store, tier: ServerTier = .main, events: EventHub? = nil) {
        self.store = Mutex(store)
        self.tier = tier
        self.events = events
    }

    /// Runs a function on the database, alone; the event streams hear of what it wrote.
    ///
    /// - Throws: what `body` throws.
    func withStore<Result: Sendable>(_ body: (Store) throws -> Result) throws -> Result {
        try store.withLock { store in
            let before = store.database.totalChanges
            defer { if store.database.totalChanges != before { events?.noteChange() } }
            return try body(store)
        }
    }

    /// Has answers say the time of a clock that was set.
    func note(_ clock: ServerClock) { moved.withLock { $0 = clock.isMoved ? clock : nil } }

    /// The date that answers say; `nil` for the machine's.
    var date: String? { moved.withLock { $0?.milliseconds }.map { TimeText.webDate(TimeText.text($0)) } }

    /// Counts a request by its path.
    func count(_ request: ServerRequest) {
        counts.withLock { $0[request.method + " " + request.path, default: 0] += 1 }
    }

    /// Remembers a write that was carried out, in the order of their commits.
    func noteWrite(_ request: ServerRequest, status: UInt32) {
        writes.withLock { writes in
            if writes.count < Service.writesMax {
                writes.append(WriteEntry(path: request.path, requestID: request.requestID ?? "", status: status))
            }
        }
    }

    /// The writes so far that were carried out, in the order of their commits.
    var writeLog: [WriteEntry] { writes.withLock { $0 } }

    /// The requests so far, by method and path.
    var requestCounts: [String: Int] { counts.withLock { $0 } }
}

/// A write as the log for tests has it.
struct WriteEntry: Sendable {
    let path: String
    /// What the client called the request; empty when it did not.
    let requestID: String
    let status: UInt32
}
