import MailAPI
import MailModel
import MailStorage
import MailSync
import Testing

/// Fails when one unassigned message that came by the feed is taken for all of them.
@Test func `one made owner in the middle of a pass gets all unassigned mail, and is then idle`() async throws {
    let bench = try Bench()
    bench.server.change { $0.isOwner = false }
    bench.fill()
    _ = try await bench.engine.pass()
    #expect(try await !bench.rows().contains("u catchall"))
    // The list was read as a member's, the changes are an owner's; no list will ever differ.
    bench.server.change { state in
        state.onRequest["changes"] = { state in
            state.isOwner = true
            let late = FakeServer.message("late", folder: "catchall", mailbox: nil)
            state.messages.append(late)
            state.journal.append(.upsert(late))
        }
    }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
    _ = bench.server.takeLog()
    #expect(try await bench.engine.pass().requests == 3)
}

/// Fails when an owner's first pass is not known to have listed unassigned mail, so that all is listed twice.
@Test func `an owner lists everything once`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    #expect(try await bench.store.knownAccess().isUnassignedListed)
    #expect(try await bench.engine.pass().requests == 3)
    bench.clock.advance(milliseconds: 86_400_000)
    _ = try await bench.engine.pass()
    #expect(!bench.server.takeLog().contains { $0.hasPrefix("everything") })
}

/// Fails when a listing of everything that is cut off is begun from the top by each pass that follows.
@Test func `an owner's listing of everything that breaks off goes on where it was`() async throws {
    let bench = try Bench()
    bench.server.change { $0.isOwner = false }
    bench.fill()
    _ = try await bench.engine.pass()
    bench.server.change { state in
        state.isOwner = true
        state.failures["everything 6"] = .server(503)
    }
    bench.server.put(FakeServer.message("late", folder: "catchall", mailbox: nil))
    await #expect(throws: SyncError.server(.server(503))) { _ = try await bench.engine.pass() }
    bench.server.change { $0.failures = [:] }
    _ = bench.server.takeLog()
    _ = try await bench.engine.pass()
    let log = bench.server.takeLog()
    #expect(!log.contains("everything") && log.contains("everything 6"))
    #expect(try await bench.rows() == bench.truth())
}

/// Fails when mail that came in a moment of ownership stays with one who is an owner no more.
@Test func `unassigned mail met in a moment of ownership goes again`() async throws {
    let bench = try Bench()
    bench.server.change { state in
        state.mailboxes = [FakeServer.mailbox("a")]
        state.isOwner = false
    }
    bench.fill()
    _ = try await bench.engine.pass()
    bench.server.change { state in
        state.onRequest["changes"] = { state in
            let late = FakeServer.message("late", folder: "catchall", mailbox: nil)
            state.messages.append(late)
            state.journal.append(.upsert(late))
        }
    }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows().contains("late catchall"))
    _ = try await bench.engine.pass()
    #expect(try await !bench.rows().contains("late catchall"))
    #expect(try await bench.engine.pass().requests == 3)
}

/// Fails when an owner who manages everything, made a member and owner again between looks, misses what came meanwhile.
@Test func `rows hidden from one who was an owner are noticed at once`() async throws {
    let bench = try Bench()
    bench.fill()
    _ = try await bench.engine.pass()
    bench.server.change { $0.isOwner = false }
    bench.server.put(FakeServer.message("other"))
    _ = try await bench.engine.pass()
    #expect(try await !bench.rows().contains("u catchall"))
    bench.server.change { $0.isOwner = true }
    bench.clock.advance(milliseconds: 86_400_000)
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
}

/// Fails when a message that was just removed has an owner list everything again.
@Test func `the message that is asked for may be gone`() async throws {
    let bench = try Bench()
    bench.fill()
    bench.server.put(FakeServer.message("u2", folder: "catchall", mailbox: nil))
    _ = try await bench.engine.pass()
    bench.server.remove("u2")
    bench.clock.advance(milliseconds: 86_400_000)
    _ = bench.server.takeLog()
    _ = try await bench.engine.pass()
    let log = bench.server.takeLog()
    #expect(log.contains("message u2") && log.contains("message u"))
    #expect(try await bench.rows() == bench.truth())
}
