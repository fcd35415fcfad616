internal import MailModel
internal import MailStorage
internal import Platform

/// Ten thousand operations queued at once, shown, and taken back, beside a cache of as many messages.
struct OutboxBench {
    static let operations = 10_000
    private static let runs = 5
    private static let owner = "bench"

    let mail: MadeMail
    let directory: String

    /// How long each takes.
    struct Found {
        var queueing = Samples()
        var showing = Samples()
        var ending = Samples()
    }

    /// Measures on new files each time; nothing is kept.
    func run() async throws -> Found {
        var found = Found()
        for _ in 0..<OutboxBench.runs { try await measure(&found) }
        return found
    }

    private func measure(_ found: inout Found) async throws {
        Files.removeTree(directory)
        try Files.makeDirectory(directory)
        defer { Files.removeTree(directory) }
        let (cache, outbox) = (directory + "/cache.sqlite", directory + "/outbox.sqlite")
        let store = try MailStore(path: cache, owner: OutboxBench.owner, outbox: outbox)
        let queue = try OutboxStore(path: outbox, owner: OutboxBench.owner)
        let messages = (0..<OutboxBench.operations).map(mail.message)
        _ = try await store.commitChanges(messages.map { .upsert($0) }, cursor: "bench")
        let operations = messages.map { NewOperation($0.isIn(.archived) ? .trash : .archive, on: $0) }

        found.queueing.add(
            try await timed {
                guard try await queue.enqueue(operations, name: "Archive", at: 1).count == operations.count else {
                    throw BenchError("not all operations were queued")
                }
            })
        found.showing.add(try await timed { try await store.rematerialise() })
        found.ending.add(try await timed { _ = try await queue.undo(at: 2) })
        try await store.rematerialise()
        guard try await queue.counts().isEmpty else { throw BenchError("not all operations were taken back") }
    }

    private func timed(_ body: () async throws -> Void) async throws -> Duration {
        let started = ContinuousClock.now
        try await body()
        return ContinuousClock.now - started
    }
}
