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

    @Test func `an outbox of somebody else shows nothing`() async throws {
        let bench = try OutboxBench()
        try await bench.act(.archive, message("1"))

        #expect(try OutboxReader(path: bench.path, owner: "another") == nil)
        #expect(try OutboxReader(path: bench.path + ".none", owner: Self.owner) == nil)
        let reader = try #require(try OutboxReader(path: bench.path, owner: Self.owner))
        #expect(try await reader.operations(limit: 9).count == 1)
    }
}
