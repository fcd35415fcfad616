import MailAPI
import MailModel
import MailStorage
import MailSync
import Testing

@Test func `a first pass lists everything and an idle one is three requests`() async throws {
    let bench = try Bench()
    bench.fill()
    let first = try await bench.engine.pass()
    #expect(first.isBootstrap && first.inserted == 9)
    #expect(try await bench.rows() == bench.truth())
    #expect(Array(bench.server.takeLog().prefix(4)) == ["features", "mailboxes", "catchall", "checkpoint"])
    let idle = try await bench.engine.pass()
    #expect(bench.server.takeLog() == ["mailboxes", "changes", "drafts"])
    #expect(idle.requests == 3 && idle.inserted + idle.updated + idle.deleted == 0 && !idle.isBootstrap)
}

@Test func `later passes follow the feed and repair after a round of several pages`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    bench.server.put(FakeServer.message("i0", folder: "archived"))
    _ = bench.server.takeLog()
    _ = try await bench.engine.pass()
    // Cursors that cannot be read do not say that nothing was hidden, so an owner's mail is asked for.
    #expect(bench.server.takeLog() == ["mailboxes", "changes", "message u", "drafts"])
    for number in 0..<3 { bench.server.put(FakeServer.message("n\(number)")) }
    bench.server.remove("i1")
    // Lost by the server: no change names it.
    bench.server.change { $0.messages.append(FakeServer.message("lost")) }
    let report = try await bench.engine.pass()
    #expect(report.inserted == 4 && report.deleted == 1)
    #expect(try await bench.rows() == bench.truth())
}

@Test func `a repair that fails is made by the next pass`() async throws {
    let bench = try Bench()
    _ = try await bench.engine.pass()
    for number in 0..<3 { bench.server.put(FakeServer.message("n\(number)")) }
    bench.server.change {
        $0.messages.append(FakeServer.message("lost"))
        $0.failures["everything"] = .server(500)
    }
    await #expect(throws: SyncError.server(.server(500))) { _ = try await bench.engine.pass() }
    bench.server.change { $0.failures = [:] }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
}

@Test func `a listing that broke off is taken up where it was`() async throws {
    let bench = try Bench()
    bench.fill()
    bench.server.change { $0.failures["inbox 4"] = .server(503) }
    await #expect(throws: SyncError.server(.server(503))) { _ = try await bench.engine.pass() }
    bench.server.change { $0.failures = [:] }
    _ = bench.server.takeLog()
    _ = try await bench.engine.pass()
    #expect(!bench.server.takeLog().contains("checkpoint"))
    #expect(try await bench.rows() == bench.truth())
    #expect(try await bench.store.syncState().isBootstrapped)
}

@Test func `a cursor the server forgot starts over in place`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    bench.server.change {
        $0.journal = []
        $0.messages.removeAll { $0.id.rawValue == "i2" }
    }
    let report = try await bench.engine.pass()
    #expect(report.isBootstrap && report.deleted == 1)
    #expect(try await bench.rows() == bench.truth())
}

@Test func `mail comes and goes with access to its mailbox`() async throws {
    let bench = try Bench()
    bench.server.put(FakeServer.message("i"))
    bench.server.put(FakeServer.message("b", folder: "trash", mailbox: "b"))
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == ["i inbox"])
    bench.server.change { $0.mailboxes.append(FakeServer.mailbox("b")) }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == ["i inbox", "b trash"])
    bench.server.change { $0.mailboxes = [FakeServer.mailbox("a", nil), FakeServer.mailbox("b")] }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == ["b trash"])
}

@Test func `a sign-in without drafts still syncs mail`() async throws {
    let bench = try Bench()
    bench.server.change { $0.failures["drafts"] = .forbidden("INSUFFICIENT_SCOPE") }
    #expect(try await bench.engine.pass().hasDrafts == false)
}

@Test func `a server without a change feed is refused`() async throws {
    let bench = try Bench()
    bench.server.change { $0.hasChanges = false }
    await #expect(throws: SyncError.server(.tooOld)) { _ = try await bench.engine.pass() }
    #expect(bench.server.takeLog() == ["features"])
}

@Test func `pages without an end are not read further`() async throws {
    let bench = try Bench()
    bench.fill()
    bench.server.change { $0.repeatsCursors = true }
    await #expect(throws: SyncError.server(.endlessPages)) { _ = try await bench.engine.pass() }
    #expect(bench.server.takeLog().count < 20)
}

@Test func `a cancelled pass is not a failure`() async throws {
    let bench = try Bench()
    let engine = bench.engine
    let pass = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await engine.pass()
    }
    await #expect(throws: CancellationError.self) { _ = try await pass.value }
    _ = try await engine.pass()
}

@Test func `bodies of a thread are fetched at once, those left out one by one`() async throws {
    let bench = try Bench()
    let html = MessageHTML(
        html: "<p>x</p>", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
    for number in 0..<3 {
        var message = FakeServer.message("m\(number)")
        message.threadID = ThreadID("t")
        bench.server.put(message)
    }
    bench.server.change {
        $0.threadCap = 2
        $0.html[MessageID("m2")] = html
    }
    _ = try await bench.engine.pass()
    _ = bench.server.takeLog()
    try await bench.engine.fetchBodies(thread: ["m0", "m1", "m2", "gone"].map { MessageID($0) })
    #expect(bench.server.takeLog() == ["thread", "message m2", "message gone", "html m2"])
    let reader = try #require(try MailReader(path: bench.path, owner: "test"))
    let messages = try await reader.conversation(ThreadID("t"))
    #expect(messages.compactMap(\.detail?.textBody) == ["text of m0", "text of m1", "text of m2"])
    #expect(messages.compactMap(\.html) == [html])
}
