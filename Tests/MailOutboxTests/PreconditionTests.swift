import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import MailTestSupport
import Synchronization
import Testing

/// Operations that demand something of the server's message, from the disk to the verdict.
@Suite(.timeLimit(.minutes(10))) struct PreconditionTests {
    private static let now: Int64 = 1_767_312_000_000
    private static let owner = "http://127.0.0.1 one"

    private let scratch: Scratch
    private let outbox: OutboxStore
    private let cache: MailStore

    init() throws {
        scratch = try Scratch()
        let path = scratch.path + "/outbox.sqlite"
        outbox = try OutboxStore(path: path, owner: PreconditionTests.owner)
        cache = try MailStore(path: scratch.path + "/cache.sqlite", owner: PreconditionTests.owner, outbox: path)
    }

    private func drain(_ server: FakeServer, at time: Int64 = 0) async throws -> DrainReport {
        try await OutboxDrain(
            queue: outbox, api: server, truth: cache, lockPath: scratch.path + "/drain.lock",
            now: { PreconditionTests.now + time }
        ).run()
    }

    private func queue(_ action: TriageAction, _ names: [String], if precondition: String?) async throws {
        let operations = names.map {
            NewOperation(action, on: FakeServer.message($0), precondition: precondition)
        }
        _ = try await outbox.enqueue(operations, name: action.title, at: PreconditionTests.now)
    }

    private func isRead(_ name: String) -> MessageSummary {
        var message = FakeServer.message(name)
        message.readAt = Timestamp("2026-11-30T09:00:00.000Z")
        return message
    }

    /// Fails when the state at queueing decides, when one verdict takes another operation along, or is not told.
    @Test func `what no longer fits right before it is sent is dropped, and the others go`() async throws {
        try await queue(.archive, ["a", "b", "c"], if: "is:unread")
        try await queue(.star, ["b"], if: nil)
        let server = FakeServer()
        server.state.withLock { $0.present["b"] = isRead("b") }

        let report = try await drain(server)

        #expect(report.done == 3 && report.dropped == 1 && report.refused == 0 && report.counts.isEmpty)
        #expect(Set(server.asked) == ["archive a", "star b", "archive c"])
        let journal = try await outbox.journal(limit: 9)
        #expect(journal.map(\.verdict) == [Verdict(.rejected, .precondition)])
        #expect(journal.map(\.message) == [MessageID("b")])
        #expect(server.state.withLock { $0.looked }.sorted() == ["a", "b", "c"])
        // There is nothing of it to undo.
        _ = try await outbox.undo(at: PreconditionTests.now)
        #expect(try await outbox.undo(at: PreconditionTests.now)?.operations.count == 2)
    }

    /// Fails when ages count from when the operation is sent: who queued it in time would lose it by being offline.
    @Test func `ages count from when it was queued`() async throws {
        var young = FakeServer.message("a")
        young.createdAt = Timestamp(millisecondsSinceEpoch: PreconditionTests.now - 3_600_000)
        try await queue(.archive, ["a"], if: "newer:1d")
        let server = FakeServer()
        server.state.withLock { $0.present["a"] = young }
        #expect(try await drain(server, at: 30 * 86_400_000).done == 1)
    }

    @Test func `the mailbox is known by its address`() async throws {
        _ = try await cache.replaceMailboxes([
            Mailbox(
                id: MailboxID("mbx"), address: "info@example.test", displayName: "", isActive: true,
                accessLevel: .agent)
        ])
        try await queue(.archive, ["a"], if: "mailbox:info@")
        try await queue(.archive, ["b"], if: "mailbox:sales@")
        let report = try await drain(FakeServer())
        #expect(report.done == 1 && report.dropped == 1)
    }

    /// Fails when an action that this program did itself is told as refused, since its answer was lost.
    @Test func `what was done though its answer was lost is done`() async throws {
        try await queue(.read, ["a"], if: "is:unread")
        let lost = FakeServer { _, _ in WriteFailure(.unknown, .transport(.interrupted)) }
        #expect(try await drain(lost).counts.queued == 1)
        let server = FakeServer()
        server.state.withLock { $0.present["a"] = isRead("a") }
        #expect(try await drain(server).done == 1)
        #expect(server.asked.isEmpty)
        #expect(try await outbox.journal(limit: 9).isEmpty)
    }

    /// Fails when asking for the message is taken for the action: what could not be asked was not done.
    @Test func `a message that cannot be asked for keeps its operation, as if it could not be sent`() async throws {
        try await queue(.archive, ["a"], if: "is:unread")
        let server = FakeServer()
        server.state.withLock { $0.unreadable["a"] = WriteFailure(.notSent, .transport(.interrupted)) }
        #expect(try await drain(server).ending?.code == .offline)
        #expect(try await outbox.operations().map(\.mayHaveArrived) == [false])
        server.state.withLock { $0.unreadable["a"] = WriteFailure(.refused, .notFound(""), status: 404) }
        #expect(try await drain(server).dropped == 1)
        #expect(try await outbox.journal(limit: 9).map(\.verdict) == [.deleteWins])
    }

    @Test func `a condition that cannot be read is not met`() async throws {
        try await queue(.archive, ["a"], if: "colour:red")
        #expect(try await drain(FakeServer()).dropped == 1)
    }
}

/// What is told of an outbox, whichever process it happens in.
@Suite(.timeLimit(.minutes(10))) struct OutboxEventsTests {
    /// Fails when another process's drain is not heard, or an answer that nobody can read passes in silence.
    @Test func `failures and drops of another process's drain are told`() async throws {
        let scratch = try Scratch()
        let (path, owner) = (scratch.path + "/outbox.sqlite", "http://127.0.0.1 one")
        let outbox = try OutboxStore(path: path, owner: owner)
        let events = await OutboxEvents(path: path, owner: owner).stream()
        let operations = ["odd", "gone", "dead"].map { NewOperation(.star, on: FakeServer.message($0)) }
        let ids = try await outbox.enqueue(operations, name: "Star", at: 1).operations
        let server = FakeServer { _, name in
            switch name {
            case "odd": WriteFailure(.done, .notJSON, status: 200)
            case "gone": WriteFailure(.refused, .notFound(""), status: 404)
            default: WriteFailure(.refused, .refused(418, ""), status: 418)
            }
        }
        let cache = try MailStore(path: scratch.path + "/cache.sqlite", owner: owner, outbox: path)
        for _ in 0..<5 {
            _ = try await OutboxDrain(
                queue: outbox, api: server, truth: cache, lockPath: scratch.path + "/drain.lock", now: { 2 }
            ).run()
        }

        var heard: [OutboxEvent] = []
        for await event in events {
            heard.append(event)
            if event == .queueDepth(OutboxCounts()) { break }
        }
        #expect(heard.contains(.failed(ids[0], .unreadableAnswer)))
        #expect(heard.contains(.mutationDropped(ids[1], MessageID("gone"), .deleteWins)))
        #expect(heard.filter { $0 == .failed(ids[2], .unclassified) }.count == 4)
        #expect(heard.contains(.deadLetter(ids[2], .permanentTransport)))
    }

    @Test func `an answer that nobody can read is told though the action is done`() {
        var machine = OutboxMachine()
        let operation = Operation(
            id: OperationID("o"), batch: BatchID("b"), sequence: 1, message: MessageID("m"), mailbox: nil,
            kind: .triage(.star), createdAt: Timestamp("2026-11-30T08:00:00.000Z"))
        let settlement = machine.settle(
            operation, .failed(WriteFailure(.done, .notJSON, status: 200)), now: 0)
        #expect(settlement.outcome == .done && settlement.warning == .unreadableAnswer)
        #expect(machine.settle(operation, .answered(FakeServer.message("m")), now: 0).warning == nil)
    }
}
