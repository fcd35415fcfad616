import MailAPI
import MailModel
import MailStorage
import MailSync
import Testing

/// What a member's feed says nothing of.
struct SilentStory: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Verbs between two passes.
    var before: [String] = []
    /// Verbs before a pass reads the changes, and after that.
    var during: [String] = []
    var after: [String] = []

    private static func support(_ level: String) -> String {
        "/access?user=member&mailbox=support@example.test&level=\(level)"
    }

    static let table = [
        SilentStory(
            testDescription: "mail moved to a hidden mailbox", before: ["/move?id=SUPPORT&to=sales@example.test"]),
        SilentStory(
            testDescription: "mail moved to a mailbox that is removed",
            before: [
                "/make-mailbox?address=gone@example.test&id=mbx_gone", "/move?id=SUPPORT&to=gone@example.test",
                "/delete-mailbox?address=gone@example.test",
            ]),
        SilentStory(
            testDescription: "access taken while changes are read and given back",
            before: ["/touch?id=SUPPORT&action=star"], during: [support("none")], after: [support("agent")]),
        SilentStory(
            testDescription: "access taken between two passes and given back",
            before: [
                support("none"), "/touch?id=SUPPORT&action=star", support("agent"),
            ]),
    ]
}

/// Fails when a difference that no list and no feed tells of stays longer than a day.
@Test(arguments: SilentStory.table)
func `a pass a day later heals what nothing told`(_ story: SilentStory) async throws {
    let site = try Site()
    let id = try site.firstID(try await site.control("/deliver?to=support@example.test&count=105&seed=1"))
    @Sendable func run(_ verbs: [String]) async throws {
        for verb in verbs { try await site.control(verb.replacing("id=SUPPORT", with: "id=" + id)) }
    }
    let tap = TapTrigger(isArmed: false)
    let ending = TapTrigger(isArmed: false)
    let cache = try SiteCache(
        TappedClient(site.api("member")) { request in
            if tap.fires(request == "changes") {
                try await run(story.during)
                ending.arm()
            }
        })
    _ = try await cache.engine.pass()
    try await run(story.before)
    tap.arm()
    _ = try await cache.engine.pass()
    if ending.fires(true) { try await run(story.after) }

    cache.clock.advance(milliseconds: 86_400_000)
    _ = try await cache.engine.pass()

    #expect(try await cache.view() == site.fresh("member"))
}

/// Fails when the mail of others has everything listed more than once a day.
@Test func `a day beside a busy hidden mailbox costs one listing more`() async throws {
    let site = try Site()
    try await site.control("/deliver?to=support@example.test&count=205&seed=1")
    let cache = try SiteCache(site.api("member"))
    let first = try await cache.engine.pass().requests

    var requests = 0
    for hour in 0..<24 {
        try await site.control("/deliver?to=sales@example.test&count=2&seed=\(hour + 9)")
        cache.clock.advance(milliseconds: 3_600_000)
        requests += try await cache.engine.pass().requests
    }

    // Three of each pass, then the features, the three pages, the changes after them and the list that confirms.
    #expect(requests == 24 * 3 + 6)
    #expect(first > 6)
}

/// Fails when an account that sees all there is pays for what only others need.
@Test func `an owner's mail is not listed again`() async throws {
    let site = try Site()
    try await site.control("/deliver?to=support@example.test&count=105&seed=1")
    let cache = try SiteCache(site.api("owner"))
    _ = try await cache.engine.pass()
    try await site.control("/deliver?to=sales@example.test&count=2&seed=9")
    _ = try await cache.engine.pass()

    cache.clock.advance(milliseconds: 86_400_000)
    #expect(try await cache.engine.pass().requests <= 5)
}

extension Bench {
    /// A second mailbox beside the first, each with mail, and the first pass.
    fileprivate func bootstrapMember() async throws {
        server.change { state in
            state.mailboxes = [FakeServer.mailbox("a"), FakeServer.mailbox("b")]
            state.isOwner = false
        }
        for number in 0..<5 { server.put(FakeServer.message("a\(number)")) }
        for number in 0..<3 { server.put(FakeServer.message("b\(number)", mailbox: "b")) }
        _ = try await engine.pass()
        _ = server.takeLog()
    }
}

/// Fails when a changed level costs a listing of everything, or none.
@Test func `a mailbox whose level changed is listed again and no other`() async throws {
    let bench = try Bench()
    try await bench.bootstrapMember()
    bench.server.change { $0.mailboxes[1] = FakeServer.mailbox("b", .read) }
    bench.server.change { $0.messages.append(FakeServer.message("missed", mailbox: "b")) }

    _ = try await bench.engine.pass()

    #expect(bench.server.takeLog().filter { $0.hasPrefix("mailbox ") } == ["mailbox b", "mailbox b 2"])
    #expect(try await bench.rows().contains("missed inbox"))
    #expect(try await bench.engine.pass().requests == 3)
}

/// Fails when rows that can still be read are removed because pages were read while their mailbox was out of sight.
@Test func `a listing that missed what can be read removes nothing and is made again`() async throws {
    let bench = try Bench()
    try await bench.bootstrapMember()
    try await bench.store.beginRelisting(.repair)
    bench.server.change { state in
        state.onRequest["everything"] = { state in
            state.mailboxes[1] = FakeServer.mailbox("b", nil)
            state.onRequest["changes"] = { $0.mailboxes[1] = FakeServer.mailbox("b") }
        }
    }
    let before = try await bench.rows()

    _ = try await bench.engine.pass()

    #expect(try await bench.rows() == before)
    #expect(try await bench.store.syncState().isDoubtful)
    bench.clock.advance(milliseconds: 86_400_000)
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
    #expect(try await !bench.store.syncState().isDoubtful)
}

/// Fails when pages read before a pass was cut off are trusted, though access may have come and gone since.
@Test func `a listing that was cut off is doubted for a day`() async throws {
    let bench = try Bench()
    bench.server.change { state in
        state.mailboxes = [FakeServer.mailbox("a"), FakeServer.mailbox("b")]
        state.isOwner = false
        for number in 0..<5 { state.messages.append(FakeServer.message("a\(number)")) }
        state.messages.append(FakeServer.message("b", mailbox: "b"))
        state.onRequest["inbox 4"] = { $0.mailboxes[1] = FakeServer.mailbox("b", nil) }
        state.failures["changes"] = .server(503)
    }
    await #expect(throws: SyncError.server(.server(503))) { _ = try await bench.engine.pass() }
    bench.server.change { state in
        state.failures = [:]
        state.mailboxes[1] = FakeServer.mailbox("b")
    }
    _ = try await bench.engine.pass()
    #expect(try await bench.store.syncState().isDoubtful)

    bench.clock.advance(milliseconds: 86_400_000)
    _ = try await bench.engine.pass()

    #expect(try await bench.rows() == bench.truth())
    #expect(try await !bench.store.syncState().isDoubtful)
}

/// Fails when a mailbox lost while pages are read, and not given back, is taken for one that was read.
@Test func `a mailbox lost while pages are read is gone after the same pass`() async throws {
    let bench = try Bench()
    bench.server.change { state in
        state.mailboxes = [FakeServer.mailbox("a"), FakeServer.mailbox("b")]
        state.isOwner = false
        for number in 0..<5 { state.messages.append(FakeServer.message("b\(number)", mailbox: "b")) }
        state.onRequest["inbox 2"] = { $0.mailboxes = [FakeServer.mailbox("a")] }
    }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == [])
    bench.server.change { $0.mailboxes.append(FakeServer.mailbox("b")) }
    _ = try await bench.engine.pass()
    #expect(try await bench.rows() == bench.truth())
}
