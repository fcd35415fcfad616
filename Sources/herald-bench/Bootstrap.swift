internal import HTTPTransport
internal import MailAPI
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// Passes against a local server: the first one, idle ones, and reading while the first one writes.
struct BootstrapBench {
    static let runs = 3
    static let idleRuns = 20
    private static let chainRuns = 3

    let mail: LocalMail
    let client: CurlClient

    var path: String { mail.directory + "/cache.sqlite" }
    private var owner: String { SeededCache.owner(mail.origin, LocalMail.token) }

    init(_ mail: LocalMail) throws {
        self.mail = mail
        client = try CurlClient(version: "bench")
    }

    /// `curl` on the same chains, after they were once read in full.
    func peer() async throws -> Samples {
        var chains: [[String]] = []
        for folder in Folder.stored { chains.append(try await mail.chain(folder.rawValue, client)) }
        var samples = Samples()
        for _ in 0..<BootstrapBench.chainRuns { samples.add(try mail.curl(chains)) }
        return samples
    }

    /// The folders side by side through the program's own client, decoded and thrown away: what storing adds.
    func fetching() async throws -> Samples {
        let api = HTTPMailAPIClient(origin: mail.origin, token: LocalMail.token, client: client)
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for folder in Folder.stored {
                group.addTask {
                    var next: String?
                    repeat {
                        next = try await api.messages(listing: .folder(folder), next: next, limit: 100).next
                    } while next != nil
                }
            }
            try await group.waitForAll()
        }
        var samples = Samples()
        samples.add(ContinuousClock.now - started)
        return samples
    }

    /// An engine on a new cache.
    func engine() throws -> SyncEngine {
        for suffix in ["", "-wal", "-shm"] { Files.remove(path + suffix) }
        let store = try MailStore(path: path, owner: owner)
        let api = HTTPMailAPIClient(origin: mail.origin, token: LocalMail.token, client: client)
        return SyncEngine(api: api, store: store)
    }

    /// The time of an engine's first pass, which must store as many messages as expected, and its processor time.
    func first(_ engine: SyncEngine, expecting count: Int) async throws -> (time: Duration, processor: Duration) {
        let started = (ContinuousClock.now, ProcessorTime.now)
        let report = try await engine.pass()
        let time = (ContinuousClock.now - started.0, ProcessorTime.now - started.1)
        guard report.inserted == count else { throw BenchError("\(report.inserted) messages came") }
        return time
    }

    /// Passes with nothing to do; answers the most requests of one.
    func idle(_ engine: SyncEngine) async throws -> (times: Samples, requests: Int) {
        var samples = Samples()
        var requests = 0
        for _ in 0..<BootstrapBench.idleRuns {
            let started = ContinuousClock.now
            let report = try await engine.pass()
            samples.add(ContinuousClock.now - started)
            requests = max(requests, report.requests)
        }
        return (samples, requests)
    }

    /// Reads the first conversations again and again while a first pass writes.
    func reading() async throws -> Samples {
        let engine = try engine()
        guard let reader = try MailReader(path: path, owner: owner) else { throw BenchError("the cache did not open") }
        let pass = Task { try await engine.pass() }
        let reads = Task {
            var samples = Samples()
            while !Task.isCancelled {
                let started = ContinuousClock.now
                _ = try await reader.conversations(in: ListScope(folder: .inbox), limit: 50)
                samples.add(ContinuousClock.now - started)
                try? await Task.sleep(for: .milliseconds(5))
            }
            return samples
        }
        let outcome = await pass.result
        reads.cancel()
        _ = try outcome.get()
        return try await reads.value
    }
}
