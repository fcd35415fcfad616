import MailAPI
import MailModel
import MailStorage
import MailSync
import Testing

/// A message with a thread and a day of its own.
private func message(_ id: String, thread: String, day: Int) -> MessageSummary {
    var message = FakeServer.message(id)
    message.threadID = ThreadID(thread)
    message.receivedAt = Timestamp("2025-12-\(day < 10 ? "0" : "")\(day)T00:00:00.000Z")
    return message
}

private let html = MessageHTML(
    html: "<p>x</p>", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)

extension Bench {
    /// The messages whose bodies are here.
    fileprivate func bodies() async throws -> Set<String> {
        let reader = try reader()
        var ids: Set<String> = []
        for summary in try await reader.messages(mailbox: nil, folder: nil, limit: nil) {
            guard let message = try await reader.message(summary.id), message.detail != nil else { continue }
            ids.insert(summary.id.rawValue)
        }
        return ids
    }
}

@Test func `bodies are fetched ahead, newest first, in steps that go on`() async throws {
    let bench = try Bench()
    for day in 1...9 { bench.server.put(message("m\(day)", thread: "t\(day)", day: day)) }
    bench.server.change { $0.html[MessageID("m9")] = html }
    _ = try await bench.engine.pass()
    _ = bench.server.takeLog()
    var report = try await bench.engine.fillBodies(.all, threadsMax: 2)
    #expect(report == FillReport(threads: 2, isComplete: false))
    #expect(bench.server.takeLog() == ["message m9", "html m9", "message m8"])
    report = try await bench.engine.fillBodies(.all, threadsMax: 100)
    #expect(report == FillReport(threads: 7, isComplete: true))
    #expect(try await bench.bodies().count == 9)
    _ = bench.server.takeLog()
    report = try await bench.engine.fillBodies(.all, threadsMax: 100)
    #expect(report == FillReport(threads: 0, isComplete: true))
    #expect(bench.server.takeLog() == [])
}

@Test func `a policy bounds what is fetched`() async throws {
    let bench = try Bench()
    for day in [1, 20, 31] { bench.server.put(message("m\(day)", thread: "t\(day)", day: day)) }
    _ = try await bench.engine.pass()
    _ = try await bench.engine.fillBodies(.opened, threadsMax: 100)
    #expect(try await bench.bodies() == [])
    _ = try await bench.engine.fillBodies(.recent(days: 15), threadsMax: 100)
    #expect(try await bench.bodies() == ["m20", "m31"])
}

/// Fails when the server is asked again and again for what it does not give.
@Test func `bodies that are not to be had are asked for once`() async throws {
    let bench = try Bench()
    for day in 1...3 { bench.server.put(message("m\(day)", thread: "t\(day)", day: day)) }
    bench.server.change {
        $0.failures["message m1"] = .notFound("MESSAGE_NOT_FOUND")
        $0.failures["message m2"] = .forbidden("MAILBOX_FORBIDDEN")
        $0.html[MessageID("m3")] = html
        $0.failures["html m3"] = .notFound("MESSAGE_HTML_OBJECT_NOT_FOUND")
    }
    _ = try await bench.engine.pass()
    _ = try await bench.engine.fillBodies(.all, threadsMax: 100)
    #expect(try await bench.bodies() == ["m3"])
    _ = bench.server.takeLog()
    #expect(try await bench.engine.fillBodies(.all, threadsMax: 100).threads == 0)
    #expect(bench.server.takeLog() == [])
}

/// Fails when a body that was refused while access was away never comes, or is asked for in every pass.
@Test func `a refused body is asked for again a day later`() async throws {
    let bench = try Bench()
    for day in 1...2 { bench.server.put(message("m\(day)", thread: "t\(day)", day: day)) }
    bench.server.change { $0.failures["message m2"] = .forbidden("MAILBOX_FORBIDDEN") }
    _ = try await bench.engine.pass()
    _ = try await bench.engine.fillBodies(.all, threadsMax: 100)
    bench.server.change { $0.failures = [:] }
    for (hours, wanted) in [(1, Set(["m1"])), (30, ["m1", "m2"])] {
        bench.clock.advance(milliseconds: Int64(hours) * 3_600_000)
        _ = try await bench.engine.pass()
        _ = try await bench.engine.fillBodies(.all, threadsMax: 100)
        #expect(try await bench.bodies() == wanted)
    }
}

@Test func `a failure keeps what came before it and the next step goes on`() async throws {
    let bench = try Bench()
    for day in 1...3 { bench.server.put(message("m\(day)", thread: "t\(day)", day: day)) }
    bench.server.change { $0.failures["message m2"] = .server(503) }
    _ = try await bench.engine.pass()
    await #expect(throws: SyncError.server(.server(503))) {
        _ = try await bench.engine.fillBodies(.all, threadsMax: 100)
    }
    #expect(try await bench.bodies() == ["m3"])
    bench.server.change { $0.failures = [:] }
    _ = try await bench.engine.fillBodies(.all, threadsMax: 100)
    #expect(try await bench.bodies().count == 3)
}

@Test func `fetching ahead can be cancelled`() async throws {
    let bench = try Bench()
    bench.server.put(message("m1", thread: "t", day: 1))
    _ = try await bench.engine.pass()
    let engine = bench.engine
    let work = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await engine.fillBodies(.all, threadsMax: 1)
    }
    await #expect(throws: CancellationError.self) { _ = try await work.value }
    #expect(try await bench.bodies() == [])
}

/// Fails when a text fetched between a message and its files is taken for the whole of it.
@Test func `files that come a moment later are asked for once more`() async throws {
    let bench = try Bench()
    var late = message("m1", thread: "t", day: 1)
    late.hasAttachments = true
    bench.server.put(late)
    _ = try await bench.engine.pass()
    _ = bench.server.takeLog()
    for _ in 0..<4 { _ = try await bench.engine.fillBodies(.all, threadsMax: 9) }
    #expect(bench.server.takeLog() == ["message m1", "message m1"])
}
