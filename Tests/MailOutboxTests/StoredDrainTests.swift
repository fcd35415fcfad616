import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import MailTestSupport
import Synchronization
import Testing

/// A drain over the outbox and the cache on the disk.
struct StoredDrainTests {
    private static let now: Int64 = 1_767_312_000_000

    private let scratch: Scratch
    private let outbox: OutboxStore
    private let cache: MailStore

    init() throws {
        scratch = try Scratch()
        let path = scratch.path + "/outbox.sqlite"
        outbox = try OutboxStore(path: path, owner: "http://127.0.0.1 one")
        cache = try MailStore(path: scratch.path + "/cache.sqlite", owner: "http://127.0.0.1 one", outbox: path)
    }

    private func drain(_ server: any MailActing, at time: Int64 = 0) -> OutboxDrain {
        OutboxDrain(
            queue: outbox, api: server, truth: cache, lockPath: scratch.path + "/drain.lock",
            now: { StoredDrainTests.now + time })
    }

    private func queue(_ action: TriageAction, _ messages: [String]) async throws {
        let operations = messages.map { NewOperation(action, on: FakeServer.message($0)) }
        _ = try await outbox.enqueue(operations, name: action.title, at: StoredDrainTests.now)
    }

    private static func refused(_ status: Int, _ code: String = "X", wait: Int64? = nil) -> WriteFailure {
        WriteFailure(
            status >= 500 ? .unknown : .refused, status >= 500 ? .server(status) : .refused(status, code),
            status: status, code: code, retryAfterMilliseconds: wait)
    }

    @Test func `many operations go out in order and leave nothing`() async throws {
        let names = (0..<700).map { "m\($0)" }
        for action: TriageAction in [.read, .star, .archive] { try await queue(action, names) }
        let server = FakeServer()
        let report = try await drain(server).run()
        #expect(report.done == 2_100 && report.ending == nil && report.counts.isEmpty)
        server.state.withLock { state in
            #expect(!state.isClash && state.activeMax <= 4)
            for name in names.prefix(50) {
                #expect(state.asked.filter { $0.1 == name }.map(\.0) == [.read, .star, .archive])
            }
        }
        #expect(try await outbox.operations().isEmpty)
    }

    @Test func `a week offline leaves everything as it was`() async throws {
        try await queue(.star, ["a", "b"])
        let offline = FakeServer { _, _ in WriteFailure(.notSent, .transport(.unreachable)) }
        for _ in 0..<20 { _ = try await drain(offline).run() }
        let waiting = try await outbox.operations()
        #expect(waiting.count == 2 && waiting.allSatisfy { $0.refusals == 0 && $0.status != .inFlight })
        #expect(waiting.reduce(0) { $0 + $1.attempts } == 20)
        // Nothing reached the server, so undo needs no request either.
        let undone = try #require(try await outbox.undo(at: StoredDrainTests.now))
        #expect(undone.cancelled == 2 && undone.operations.isEmpty)
    }

    @Test func `what an odd refusal has tried is undone by its opposite only when it may have arrived`() async throws {
        try await queue(.star, ["a"])
        _ = try await drain(FakeServer { _, _ in WriteFailure(.unknown, .transport(.interrupted)) }).run()
        #expect(try await outbox.undo(at: StoredDrainTests.now)?.operations.count == 1)
    }

    @Test func `the fifth odd refusal in a row ends in the journal, and those between are kept in mind`() async throws {
        try await queue(.star, ["a"])
        let odd = FakeServer { _, _ in StoredDrainTests.refused(418) }
        let down = FakeServer { _, _ in StoredDrainTests.refused(503) }
        for _ in 0..<4 {
            _ = try await drain(odd).run()
            _ = try await drain(down).run()
        }
        #expect(try await outbox.operations().map(\.refusals) == [4])
        let report = try await drain(odd).run()
        #expect(report.dropped == 1 && report.refused == 1)
        #expect(try await outbox.journal(limit: 9).map(\.verdict) == [Verdict(.deadLetter, .permanentTransport)])
    }

    @Test func `a refused sign-in blocks all, and a good one releases all`() async throws {
        try await queue(.star, ["a", "b", "c"])
        let signedOut = FakeServer { _, _ in StoredDrainTests.refused(401) }
        #expect(try await drain(signedOut).run().counts == OutboxCounts(blocked: 3))
        #expect(try await drain(signedOut).run().counts == OutboxCounts(blocked: 3))
        #expect(signedOut.asked.count == 2)
        #expect(try await drain(FakeServer()).run().done == 3)
    }

    @Test func `a wait that the server asked for outlives the process, and a clock that goes back`() async throws {
        try await queue(.star, ["a", "b"])
        _ = try await drain(FakeServer { _, _ in StoredDrainTests.refused(429, wait: 60_000) }).run()
        let early = FakeServer()
        #expect(try await drain(early, at: 59_999).run().ending?.code == .rateLimited && early.asked.isEmpty)
        let yesterday = FakeServer()
        #expect(try await drain(yesterday, at: -86_400_000).run().done == 2)
    }

    @Test func `what was claimed and not sent is given back untouched`() async throws {
        try await queue(.star, ["a", "b"])
        let claimed = try await outbox.claim(limit: 9, now: 0)
        #expect(claimed.map(\.status) == [.inFlight, .inFlight])
        #expect(try await outbox.claim(limit: 9, now: 0).isEmpty)
        try await outbox.giveBack(claimed.map(\.id))
        let waiting = try await outbox.operations()
        #expect(waiting.map(\.status) == [.pending, .pending] && waiting.map(\.attempts) == [0, 0])
    }

    @Test func `an outbox of another sign-in is taken over only when told`() async throws {
        try await queue(.star, ["a"])
        let path = scratch.path + "/outbox.sqlite"
        let other = "http://127.0.0.1 two"
        #expect(throws: OutboxError.anothers(path: path)) { _ = try OutboxStore(path: path, owner: other) }
        #expect(try OutboxStore.foreign(path: path, owner: other) == OutboxCounts(queued: 1))
        #expect(try OutboxStore.foreign(path: path, owner: "http://127.0.0.1 one") == nil)
        #expect(throws: OutboxError.self) { try OutboxStore.adopt(path: path, owner: "http://127.0.0.2 two") }
        try OutboxStore.adopt(path: path, owner: other)
        #expect(try await OutboxStore(path: path, owner: other).operations().count == 1)
    }
}
