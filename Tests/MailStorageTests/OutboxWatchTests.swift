import MailModel
import MailStorage
import Testing

/// What is told of an outbox that others write.
@Suite(.timeLimit(.minutes(10))) struct OutboxWatchTests {
    private static let owner = "https://x.example one"

    /// The news that come up to and with one.
    private func heard(_ stream: AsyncStream<OutboxNews>, upTo last: (OutboxNews) -> Bool) async -> [OutboxNews] {
        var all: [OutboxNews] = []
        for await one in stream {
            all.append(one)
            if last(one) { break }
        }
        return all
    }

    /// Fails when a failure, an end or a number is not told, told twice, or told of before somebody listened.
    ///
    /// One operation is left at the end: a number that is again what it was is no news to one look.
    @Test func `what fails, what ends undone and how much waits are told to all, each once`() async throws {
        let bench = try OutboxBench()
        try await bench.act(.star, message("0"))
        try await bench.store.drop(bench.send(), verdict: .deleteWins, at: 1)
        let watch = OutboxWatch(path: bench.path, owner: OutboxWatchTests.owner)
        let (first, second) = (await watch.news(), await watch.news())

        let other = try bench.again()
        _ = try await other.enqueue(
            ["1", "2", "3", "4"].map { NewOperation(.archive, on: message($0)) }, name: "Archive", at: 1)
        let ids = try await other.next(limit: 9, now: 9).map(\.id)
        try await other.retry(ids[0], failure: "offline")
        try await other.drop(ids[1], verdict: .accessLost, at: 2)
        try await other.settle([OperationOutcome(ids[2], .done, failure: "unreadable-answer")], at: 3)
        try await other.finish(ids[0])

        for stream in [first, second] {
            let news = await heard(stream) { $0 == .counts(OutboxCounts(queued: 1)) }
            let failures = news.compactMap { if case .failed(let id, let code) = $0 { "\(id) \(code)" } else { nil } }
            #expect(failures == ["\(ids[0]) offline", "\(ids[2]) unreadable-answer"])
            let ended = news.compactMap { if case .ended(let entry) = $0 { entry } else { nil } }
            #expect(ended.map(\.id) == [ids[1]] && ended.map(\.verdict) == [.accessLost])
        }
        // Who comes late hears what comes later.
        let late = await watch.news()
        try await bench.act(.star, message("9"))
        #expect(await heard(late) { _ in true } == [.counts(OutboxCounts(queued: 2))])
    }

    /// Fails when an outbox that is made only later is never heard of, or another sign-in's is told of.
    @Test func `an outbox that is made later is heard of from its beginning, and another's never`() async throws {
        let path = Bench.newPath().dropLast("cache.sqlite".count) + "outbox.sqlite"
        defer { Bench.remove(path.dropLast("outbox.sqlite".count) + "cache.sqlite") }
        let watch = OutboxWatch(path: String(path), owner: OutboxWatchTests.owner)
        let strange = OutboxWatch(path: String(path), owner: "https://x.example two")
        let (news, silence) = (await watch.news(), await strange.news())

        let store = try OutboxStore(path: String(path), owner: OutboxWatchTests.owner)
        let two = [NewOperation(.star, on: message("1")), NewOperation(.read, on: message("1"))]
        _ = try await store.enqueue(two, name: "Star", at: 1)
        #expect(await heard(news) { _ in true } == [.counts(OutboxCounts(queued: 2))])

        _ = try await store.giveUp(store.operations().map(\.id), at: 1)
        try await OutboxStore(path: String(path), owner: "https://x.example two").enqueueStar()
        let one = OutboxNews.counts(OutboxCounts(queued: 1))
        let counts = await heard(silence) { $0 == one }.filter { if case .counts = $0 { true } else { false } }
        #expect(counts == [one])
    }

    /// Fails when failures are kept without end.
    @Test func `only the last failures are kept`() async throws {
        let bench = try OutboxBench()
        try await bench.act(.star, message("1"))
        let id = try #require(try await bench.send().first)
        let many = (0..<2_500).map { _ in OperationOutcome(id, .retry(notBefore: nil), failure: "offline") }
        try await bench.store.settle(many, at: 1)
        #expect(try bench.count("failures") == 1_000)
    }
}

extension OutboxStore {
    fileprivate func enqueueStar() throws {
        _ = try enqueue([NewOperation(.star, on: message("2"))], name: "Star", at: 1)
    }
}
