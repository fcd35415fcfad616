import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailTestSupport
import Platform
import Synchronization
import Testing

/// A drain over a queue in memory.
struct DrainTests {
    private let queue = FakeQueue()
    private let truth = FakeTruth()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var lockPath: String { scratch.path + "/drain.lock" }

    private func drain(_ server: FakeServer, at time: Int64 = 0) -> OutboxDrain {
        OutboxDrain(
            queue: queue, api: server, truth: truth, lockPath: lockPath, now: { 1_767_312_000_000 + time })
    }

    private static let offline = WriteFailure(.notSent, .transport(.unreachable))

    private static func refused(_ status: Int, _ code: String = "X", wait: Int64? = nil) -> WriteFailure {
        let error: MailAPIError = status >= 500 ? .server(status) : .refused(status, code)
        return WriteFailure(
            status >= 500 ? .unknown : .refused, error, status: status, code: code, retryAfterMilliseconds: wait)
    }

    @Test func `everything is sent, at most four at once and never two on one message, in order`() async throws {
        let actions: [TriageAction] = [.read, .star, .archive]
        queue.add(actions.flatMap { action in (0..<300).map { (action, "m\($0)") } })
        let server = FakeServer()
        let report = try await drain(server).run()
        #expect(report.done == 900 && report.ending == nil && report.counts.isEmpty)
        #expect(queue.rows.isEmpty && truth.answers.withLock(\.count) == 900)
        server.state.withLock { state in
            #expect(!state.isClash)
            #expect((2...4).contains(state.activeMax))
            for number in 0..<300 {
                #expect(state.asked.filter { $0.1 == "m\(number)" }.map(\.0) == actions)
            }
        }
        // A commit for each operation would make the disk the limit.
        #expect(queue.state.withLock { $0.commits } < 100)
        #expect(queue.state.withLock { $0.claimedMax } <= 256 + 132)
    }

    @Test func `a long row of actions on one message goes on without a pause`() async throws {
        queue.add((0..<60).map { ($0 % 2 == 0 ? .star : .unstar, "m") })
        let server = FakeServer()
        #expect(try await drain(server).run().done == 60)
        #expect(server.state.withLock { $0.activeMax } == 1)
        #expect(server.asked == (0..<60).map { $0 % 2 == 0 ? "star m" : "unstar m" })
    }

    /// Fails when an offline hour, or a server that is down, costs more than one request or any operation.
    @Test(arguments: [offline, refused(503), refused(500), WriteFailure(.elsewhere, .notJSON, status: 302)])
    func `a failure of the environment ends the drain with one request and never counts`(
        failure: WriteFailure
    ) async throws {
        queue.add((0..<50).map { (.star, "m\($0)") })
        for round in 1...20 {
            let server = FakeServer { _, _ in failure }
            let report = try await drain(server).run()
            #expect(report.ending?.code == FailureCode(failure) && report.done == 0)
            #expect(server.asked.count == 1 && report.counts.queued == 50, "\(round)")
        }
        #expect(queue.rows.allSatisfy { $0.refusals == 0 && $0.status != .inFlight })
        #expect(try await drain(FakeServer()).run().done == 50)
    }

    /// Fails when one operation that the server fails at keeps all others back.
    @Test func `what was never tried goes before what failed`() async throws {
        queue.add([(.star, "bad"), (.star, "a"), (.star, "b"), (.star, "c")])
        let server = FakeServer { _, message in message == "bad" ? DrainTests.refused(500) : nil }
        _ = try await drain(server).run()
        let report = try await drain(server).run()
        #expect(report.done == 3 && report.counts.queued == 1)
    }

    @Test func `a refused sign-in has everything wait, and costs one request a drain`() async throws {
        queue.add((0..<9).map { (.star, "m\($0)") })
        let server = FakeServer { _, _ in DrainTests.refused(401) }
        for round in 1...3 {
            let report = try await drain(server).run()
            #expect(report.ending?.code == .signedOut && report.counts == OutboxCounts(blocked: 9))
            #expect(server.asked.count == round)
        }
        #expect(try await drain(FakeServer()).run().done == 9)
    }

    @Test func `a limit of the server is kept, also by the next process`() async throws {
        queue.add((0..<9).map { (.star, "m\($0)") })
        let limited = FakeServer { _, _ in DrainTests.refused(429, wait: 30_000) }
        let report = try await drain(limited).run()
        #expect(
            report.ending
                == DrainEnding(
                    .rateLimited, error: .refused(429, "X"), notBefore: 1_767_312_030_000))
        let early = FakeServer()
        #expect(try await drain(early, at: 29_999).run().ending?.notBefore == 1_767_312_030_000)
        #expect(early.asked.isEmpty)
        #expect(try await drain(FakeServer(), at: 30_000).run().done == 9)
    }

    @Test func `a refusal that nobody knows is given up the fifth time`() async throws {
        queue.add([(.star, "odd"), (.star, "a")])
        let server = FakeServer { _, message in message == "odd" ? DrainTests.refused(418) : nil }
        for round in 1...4 {
            let report = try await drain(server).run()
            #expect(report.ending == nil && report.counts.queued == 1, "\(round)")
        }
        let news = Mutex<[OutboxEvent]>([])
        let last = OutboxDrain(
            queue: queue, api: server, truth: truth, lockPath: lockPath, now: { 1_767_312_000_000 },
            tell: { event in news.withLock { $0.append(event) } })
        #expect(try await last.run().dropped == 1)
        #expect(server.asked.filter { $0 == "star odd" }.count == 5 && queue.rows.isEmpty)
        let verdict = Verdict(.deadLetter, .permanentTransport)
        #expect(queue.state.withLock { Array($0.dropped.values) } == [verdict])
        #expect(news.withLock { $0.map(\.name) } == [.mutationDropped, .deadLetter, .queueDepth])
    }

    @Test func `one refusal does not touch the others`() async throws {
        queue.add((0..<20).map { (.archive, "m\($0)") })
        let server = FakeServer { _, message in
            message == "m3"
                ? DrainTests.refused(403, "MAILBOX_FORBIDDEN")
                : message == "m7" ? DrainTests.refused(404, "MESSAGE_NOT_FOUND") : nil
        }
        let report = try await drain(server).run()
        #expect(report.done == 18 && report.dropped == 2 && report.ending == nil && queue.rows.isEmpty)
        let reasons = queue.state.withLock { Set($0.dropped.values.map(\.reason)) }
        #expect(reasons == [.rlsDenied, .deleteWins])
    }

    @Test func `an answer that cannot be read is done, and not asked for again`() async throws {
        queue.add([(.star, "m")])
        let server = FakeServer { _, _ in WriteFailure(.done, .notJSON, status: 200) }
        #expect(try await drain(server).run().done == 1)
        #expect(queue.rows.isEmpty && truth.answers.withLock(\.isEmpty))
    }

    /// Fails when two processes could send one operation.
    @Test func `nothing is sent while another drain holds the lock`() async throws {
        queue.add([(.star, "m")])
        let lock = try FileLock.take(lockPath)
        let server = FakeServer()
        let report = try await drain(server).run()
        #expect(report.ending?.code == .busy && report.counts.queued == 1 && server.asked.isEmpty)
        _ = consume lock
        #expect(try await drain(server).run().done == 1)
    }

    @Test func `what a killed drain had under way is sent again`() async throws {
        queue.add([(.star, "m"), (.unstar, "m")])
        _ = queue.claim(limit: 9, now: 0)
        let server = FakeServer()
        #expect(try await drain(server).run().done == 2)
        #expect(server.asked == ["star m", "unstar m"])
    }

    @Test func `a cancelled drain leaves nothing under way and loses nothing`() async throws {
        queue.add((0..<600).map { (.star, "m\($0)") })
        let started = Mutex<Task<DrainReport, any Error>?>(nil)
        let server = FakeServer { _, message in
            if message == "m300" { started.withLock { $0?.cancel() } }
            return nil
        }
        let drain = drain(server)
        let task = Task { try await drain.run() }
        started.withLock { $0 = task }
        let result = await task.result
        let done = truth.answers.withLock(\.count)
        #expect(queue.rows.allSatisfy { $0.status != .inFlight } && queue.rows.count == 600 - done)
        if case .success(let report) = result { #expect(report.done == 600) }
        #expect(try await drain.run().counts.isEmpty)
    }
}
