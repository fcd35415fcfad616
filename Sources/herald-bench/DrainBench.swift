internal import Glibc
internal import HTTPTransport
internal import MailAPI
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailSync
internal import Platform

/// Ten thousand queued actions sent to a local server, against `curl` sending as many over as many connections.
struct DrainBench {
    static let count = 10_000

    let mail: LocalMail
    private let client: CurlClient
    private var owner: String { SeededCache.owner(mail.origin, LocalMail.token) }
    private func path(_ name: String) -> String { mail.directory + "/" + name }

    init(_ mail: LocalMail) throws {
        self.mail = mail
        client = try CurlClient(version: "bench")
    }

    /// What a drain took, what it took of this process, and by how much the process grew meanwhile.
    struct Found {
        var time: Duration
        var processor: Duration
        var megabytes: Double
    }

    /// The messages to act on, from a first pass into a new cache.
    private func prepare() async throws -> (store: MailStore, messages: [MessageSummary]) {
        for suffix in ["", "-wal", "-shm"] {
            Files.remove(path("drained.sqlite" + suffix))
            Files.remove(path("outbox.sqlite" + suffix))
        }
        let store = try MailStore(path: path("drained.sqlite"), owner: owner, outbox: path("outbox.sqlite"))
        let api = HTTPMailAPIClient(origin: mail.origin, token: LocalMail.token, client: client)
        _ = try await SyncEngine(api: api, store: store).pass()
        guard let reader = try MailReader(path: path("drained.sqlite"), owner: owner) else {
            throw BenchError("the cache did not open")
        }
        return (store, try await reader.messages(mailbox: nil, folder: nil, limit: DrainBench.count))
    }

    /// `curl` over four connections, then the drain: each turns every star round.
    func run() async throws -> (peer: Duration, drain: Found) {
        let (store, messages) = try await prepare()
        guard messages.count == DrainBench.count else { throw BenchError("\(messages.count) messages came") }
        let peer = try curl(messages)
        let outbox = try OutboxStore(path: path("outbox.sqlite"), owner: owner)
        let operations = messages.map { message in
            NewOperation(message.starredAt == nil ? .star : .unstar, on: message)
        }
        _ = try await outbox.enqueue(operations, name: "Star", at: Environment.millisecondsSinceEpoch)
        try await store.rematerialise()
        let drain = OutboxDrain(
            queue: outbox, api: HTTPMailAPIClient(origin: mail.origin, token: LocalMail.token, client: client),
            truth: store, lockPath: path("drain.lock"), now: { Environment.millisecondsSinceEpoch })
        let before = (ContinuousClock.now, ProcessorTime.now, DrainBench.peakMegabytes)
        let report = try await drain.run()
        let found = Found(
            time: ContinuousClock.now - before.0, processor: ProcessorTime.now - before.1,
            megabytes: DrainBench.peakMegabytes - before.2)
        guard report.done == DrainBench.count else { throw BenchError("\(report.done) actions were done") }
        return (peer, found)
    }

    /// The most memory that this process ever had.
    private static var peakMegabytes: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Double(usage.ru_maxrss) / 1_024
    }

    private func curl(_ messages: [MessageSummary]) throws -> Duration {
        var chains: [[String]] = Array(repeating: [], count: OutboxMachine.windowMax)
        for (place, message) in messages.enumerated() {
            let action: TriageAction = message.starredAt == nil ? .star : .unstar
            chains[place % chains.count].append("\(mail.origin)/api/v1/messages/\(message.id)/\(action.rawValue)")
        }
        return try mail.curl(chains, method: "POST")
    }
}
