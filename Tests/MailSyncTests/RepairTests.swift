import MailAPI
import MailModel
import MailStorage
import MailSync
import Testing

/// Fails when a repair that was cut off starts from the top, so that a short deadline never gets through one.
@Test func `a repair that broke off is taken up where it was`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    for number in 0..<3 { bench.server.put(FakeServer.message("n\(number)")) }
    bench.server.change {
        $0.messages.insert(FakeServer.message("lost"), at: 0)
        $0.failures["everything 6"] = .server(503)
    }
    await #expect(throws: SyncError.server(.server(503))) { _ = try await bench.engine.pass() }
    bench.server.change { $0.failures = [:] }
    _ = bench.server.takeLog()
    _ = try await bench.engine.pass()
    let log = bench.server.takeLog()
    #expect(!log.contains("everything") && log.contains("everything 6"))
    #expect(try await bench.rows() == bench.truth())
    #expect(try await bench.reader().status().repaired == 1)
}

/// Fails when a message that moves or arrives while everything is listed is lost or removed for a moment.
@Test func `mail that moves while everything is listed is kept`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    for number in 0..<3 { bench.server.put(FakeServer.message("n\(number)")) }
    // Of a page that was listed before: the fake puts what changes at the end.
    bench.server.change {
        $0.onRequest["everything 8"] = { state in
            state.messages.removeAll { $0.id.rawValue == "i0" }
            let moved = FakeServer.message("i0", folder: "trash")
            state.messages.insert(moved, at: 0)
            state.journal.append(.upsert(moved))
        }
    }
    let report = try await bench.engine.pass()
    #expect(report.deleted == 0)
    #expect(try await bench.rows() == bench.truth())
}

@Test func `a cursor of a repair that the server forgot starts the repair over`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    for number in 0..<3 { bench.server.put(FakeServer.message("n\(number)")) }
    bench.server.change { state in
        state.messages.append(FakeServer.message("lost"))
        state.failures["everything 4"] = .invalidCursor
        state.onRequest["everything 4"] = { $0.failures = [:] }
    }
    _ = try await bench.engine.pass()
    let log = bench.server.takeLog()
    #expect(log.count { $0 == "everything" } == 2 && !log.dropFirst(5).contains("checkpoint"))
    #expect(try await bench.rows() == bench.truth())
}

/// Fails when silent changes of the server stay unnoticed for ever, or are looked for in a hurry.
@Test func `a slow check meets every row, a page at a time, and repairs what no feed told`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    bench.server.change {
        $0.messages.removeAll { $0.id.rawValue == "i2" }
        $0.messages.append(FakeServer.message("hidden"))
    }
    _ = bench.server.takeLog()
    var pages = 0
    for _ in 0..<20 {
        if try await bench.engine.audit() { pages += 1 }
        #expect(try await bench.engine.audit() == false)
        _ = try await bench.engine.pass()
        bench.clock.advance(milliseconds: 3_600_000)
        if try await bench.rows() == bench.truth() { break }
    }
    #expect(try await bench.rows() == bench.truth())
    #expect(pages == 5)
    #expect(try await bench.reader().status().repaired == 2)
    #expect(bench.server.takeLog().count { $0.hasPrefix("everything") } == pages)
}

@Test func `a pass never does the slow check`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    for _ in 0..<5 {
        bench.clock.advance(milliseconds: 604_800_000)
        _ = try await bench.engine.pass()
    }
    #expect(!bench.server.takeLog().contains { $0.hasPrefix("everything") })
}

@Test func `a mailbox that is lost in the middle of its listing is no failure`() async throws {
    for error in [MailAPIError.forbidden("MAILBOX_FORBIDDEN"), .notFound("MAILBOX_NOT_FOUND")] {
        let bench = try Bench()
        _ = try await bench.engine.pass()
        for number in 0..<5 {
            bench.server.change { $0.messages.append(FakeServer.message("b\(number)", mailbox: "b")) }
        }
        bench.server.change {
            $0.mailboxes.append(FakeServer.mailbox("b"))
            $0.failures["mailbox b 2"] = error
        }
        _ = try await bench.engine.pass()
        bench.server.change {
            $0.mailboxes = [FakeServer.mailbox("a")]
            $0.failures = [:]
        }
        _ = try await bench.engine.pass()
        #expect(try await bench.rows() == [])
        bench.server.change { $0.mailboxes.append(FakeServer.mailbox("b")) }
        _ = try await bench.engine.pass()
        #expect(try await bench.rows() == bench.truth())
    }
}

@Test func `unassigned mail comes and goes with the role, seen or silent`() async throws {
    let bench = try Bench()
    bench.fill()
    bench.server.change { $0.mailboxes = [FakeServer.mailbox("a", .manager)] }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows().contains("u catchall"))
    // Silently, since the grant that stays says manager too.
    bench.server.change { $0.isOwner = false }
    _ = try await bench.engine.pass()
    bench.clock.advance(milliseconds: 86_400_000)
    _ = try await bench.engine.pass()
    #expect(try await !bench.rows().contains("u catchall"))
    bench.server.change { $0.isOwner = true }
    bench.clock.advance(milliseconds: 86_400_000)
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
    bench.server.change {
        $0.isOwner = false
        $0.mailboxes = [FakeServer.mailbox("a", .read)]
    }
    _ = try await bench.engine.pass()
    #expect(try await !bench.rows().contains("u catchall"))
    bench.server.change {
        $0.isOwner = true
        $0.mailboxes = [FakeServer.mailbox("a", .manager)]
    }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
}

/// Fails when a terminal is woken, or a disk written, because a pass found nothing.
@Test func `an idle pass writes nothing to the cache and is recorded elsewhere`() async throws {
    let bench = try Bench()
    bench.fill()
    bench.server.change { $0.drafts = [FakeServer.draft("d")] }
    _ = try await bench.engine.pass()
    let reader = try bench.reader()
    let version = try await reader.dataVersion()
    for _ in 0..<3 {
        bench.clock.advance(milliseconds: 60_000)
        let report = try await bench.engine.pass()
        #expect(report.requests == 3)
    }
    #expect(try await reader.dataVersion() == version)
    #expect(bench.journal.history.finishedAtMilliseconds == bench.clock.milliseconds)
    #expect(bench.journal.history.requestsToday == bench.server.takeLog().count)
}

@Test func `a failure is recorded and a success after it too`() async throws {
    let bench = try Bench()
    _ = try await bench.engine.pass()
    bench.server.change { $0.failures["changes"] = .server(500) }
    await #expect(throws: SyncError.server(.server(500))) { _ = try await bench.engine.pass() }
    #expect(bench.journal.history.failure == SyncError.server(.server(500)).message)
    bench.server.change { $0.failures = ["drafts": .forbidden("INSUFFICIENT_SCOPE")] }
    _ = try await bench.engine.pass()
    #expect(bench.journal.history.failure == nil && !bench.journal.history.hasDrafts)
    _ = try await bench.engine.pass(includingDrafts: false)
    #expect(!bench.journal.history.hasDrafts)
}
