import MailModel
import MailStorage
import Testing

/// The outbox as it changes.
@Suite(.timeLimit(.minutes(10))) struct LiveOutboxTests {
    private static let owner = "https://x.example one"

    /// Fails when an outbox that is made later, or what another connection does to it, goes unseen.
    @Test func `what waits is followed from before there is an outbox`() async throws {
        let cache = Bench.newPath()
        defer { Bench.remove(cache) }
        let path = String(cache.dropLast("cache.sqlite".count)) + "outbox.sqlite"
        let live = LiveOutbox(path: path, owner: Self.owner)
        let heard = Heard<[Operation]>()
        let values = await live.operations(limit: 10)
        let listener = Task { for try await value in values { await heard.add(value) } }
        defer { listener.cancel() }
        #expect(await heard.last { $0.isEmpty } != nil)

        let store = try OutboxStore(path: path, owner: Self.owner)
        _ = try await store.enqueue(
            ["1", "2"].map { NewOperation(.archive, on: message($0)) }, name: "Archive", at: 1)
        let waiting = await heard.last { $0.map(\.message) == [MessageID("1"), MessageID("2")] }
        #expect(waiting != nil)

        #expect(try await store.giveUp(waiting?.map(\.id) ?? [], at: 2) == 2)
        #expect(await heard.last { $0.isEmpty } != nil)
    }

    /// Fails when an operation that was given up is told twice, not at all, or from before the watch.
    @Test func `what ends without being done is told once`() async throws {
        let bench = try OutboxBench()
        func giveUp(_ id: String) async throws {
            try await bench.act(.archive, message(id))
            _ = try await bench.store.giveUp(try await bench.store.operations().map(\.id), at: 2)
        }
        try await giveUp("before")
        let heard = Heard<JournalEntry>()
        let dropped = try await LiveOutbox(path: bench.path, owner: Self.owner).dropped()
        let listener = Task { for try await entry in dropped { await heard.add(entry) } }
        defer { listener.cancel() }

        for id in ["1", "2"] {
            try await giveUp(id)
            #expect(await heard.last { $0.message == MessageID(id) } != nil)
        }

        #expect(await heard.count == 2)
    }

    @Test func `an outbox of somebody else shows nothing`() async throws {
        let bench = try OutboxBench()
        try await bench.act(.archive, message("1"))

        #expect(try OutboxReader(path: bench.path, owner: "another") == nil)
        #expect(try OutboxReader(path: bench.path + ".none", owner: Self.owner) == nil)
        let reader = try #require(try OutboxReader(path: bench.path, owner: Self.owner))
        #expect(try await reader.operations(limit: 9).count == 1)
    }
}
