internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import Testing

/// `herald outbox`, and how commands end while something waits.
@Suite(.serialized, .ownThread)
struct OutboxCommandTests {
    private var setting: Setting

    init() throws {
        setting = try Setting()
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    private var herald: Herald { setting.herald }

    /// Queues an action on the first messages; answers the operations.
    private func queue(_ action: TriageAction, _ count: Int = 1) async throws -> [OperationID] {
        let shown = try await herald.shown().prefix(count)
        return try await herald.outbox().enqueue(
            shown.map { NewOperation(action, on: $0) }, name: action.title, at: Environment.millisecondsSinceEpoch
        ).operations
    }

    private func fault(_ status: Int, _ code: String, times: Int = 99, nth: Int = 1) throws {
        try setting.control("/fault?kind=status&method=POST&status=\(status)&code=\(code)&times=\(times)&nth=\(nth)")
    }

    private func lines(_ arguments: String...) throws -> [Substring] {
        let ended = try herald.run(arguments)
        #expect(ended.code == 0, "\(ended.errors)")
        return ended.text.split(separator: "\n")
    }

    @Test func `nothing waits at first, and looking makes no file`() throws {
        defer { setting.server.stop() }
        #expect(try lines("outbox").isEmpty && lines("outbox", "journal").isEmpty)
        #expect(try lines("outbox", "--json") == ["{\"version\":1,\"items\":[]}"])
        #expect(!Files.exists(herald.outboxPath))
        #expect(try herald.run("outbox", "show", "none").code == 65)
        #expect(try herald.run("outbox", "drop", "none").code == 65)
        for words in [["outbox", "wash"], ["outbox", "show"], ["outbox", "drop"], ["outbox", "list", "x"]] {
            #expect(try herald.run(words).code == 64)
        }
    }

    @Test func `what waits is listed, counted, shown and sent by the next pass`() async throws {
        defer { setting.server.stop() }
        let ids = try await queue(.archive, 2)
        let listed = try lines("outbox", "list")
        #expect(listed.count == 2 && listed.allSatisfy { $0.contains("Archive") && $0.contains("queued") })
        let json = try lines("outbox", "--json").joined()
        for name in ["id", "batchId", "kind", "messageId", "status", "createdAt", "attempts", "lastFailure"] {
            #expect(json.contains("\"\(name)\":"))
        }
        #expect(try lines("outbox", "show", ids[0].rawValue).contains { $0.contains("queued") })
        #expect(try lines("status", "--json").joined().contains("\"queued\":2,\"blocked\":0,\"unknown\":0"))
        #expect(try lines("status").contains { $0.hasPrefix("outbox") && $0.contains("2 queued") })
        #expect(try lines("--sync-once").count == 1)
        #expect(try lines("outbox").isEmpty)
    }

    /// Fails when a pass fetches before it sends, or does not fetch since sending failed.
    @Test func `a pass sends first, and fetches also when nothing can be sent`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.star)
        try fault(503, "INTERNAL_ERROR")
        try setting.control("/deliver?to=info@example.test&count=1&seed=9")
        let ended = try herald.run("--sync-once", "--json")
        #expect(ended.code == 79 && ended.text.contains("\"inserted\":1"))
        #expect(ended.errors.contains("1 queued") && ended.errors.filter { $0 == "\n" }.count == 1)
        #expect(try lines("outbox").contains { $0.contains("tried once: the server could not answer") })
        try setting.control("/fault")
        #expect(try herald.run("--sync-once").code == 0)
    }

    @Test func `a quiet pass tells once that something remains, and always by its code`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.star)
        try fault(500, "INTERNAL_ERROR")
        let first = try herald.run("--sync-once", "--quiet")
        #expect(first.code == 79 && first.errors.contains("Operations remain"))
        let second = try herald.run("--sync-once", "--quiet")
        #expect(second.code == 79 && second.errors.isEmpty && second.text.isEmpty)
    }

    @Test func `a refused write ends with 80, is in the journal, and touches no other`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.archive, 3)
        try fault(403, "MAILBOX_FORBIDDEN", times: 1, nth: 2)
        let ended = try herald.run("--sync-once")
        #expect(ended.code == 80 && ended.errors.contains("outbox journal"))
        let journal = try lines("outbox", "journal", "--json").joined()
        #expect(journal.contains("\"verdict\":\"rejected\",\"reason\":\"RLS_DENIED\""))
        #expect(try lines("outbox", "journal").count == 1 && lines("outbox").isEmpty)
        #expect(try await herald.shown().count { $0.folder == "archived" } == 2)
        #expect(try herald.run("--sync-once").code == 0)
    }

    @Test func `a refused sign-in blocks all and costs one request, and the fetching tells of it`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.star, 3)
        try setting.control("/fault?kind=status&status=401&code=INVALID_OAUTH_TOKEN&times=99")
        #expect(try herald.run("--sync-once").code == 77)
        #expect(try lines("status", "--json").joined().contains("\"queued\":0,\"blocked\":3"))
        #expect(try lines("outbox").allSatisfy { $0.contains("waits for a sign-in") })
        try setting.control("/fault")
        #expect(try herald.run("--sync-once").code == 0)
    }

    @Test func `offline, everything is as it was`() async throws {
        let ids = try await queue(.star, 2)
        setting.server.stop()
        for _ in 0..<3 { #expect(try herald.run("--sync-once").code == 69) }
        #expect(try lines("outbox").count == 2)
        let ended = try herald.run("outbox", "retry", ids[0].rawValue)
        #expect(ended.code == 79 && ended.errors.contains("2 queued"))
        #expect(try lines("outbox", "drop", ids[0].rawValue) == ["1 given up."])
        #expect(try lines("outbox", "drop", "--all") == ["1 given up."])
        #expect(try lines("outbox").isEmpty && lines("outbox", "journal").count == 2)
        #expect(try await herald.shown().allSatisfy { $0.starredAt == nil })
    }

    @Test func `retry sends at once`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.star, 2)
        #expect(try lines("outbox", "retry") == ["2 sent, 0 refused."])
        #expect(try await herald.shown().count { $0.starredAt != nil } == 2)
    }

    @Test func `a rebuild tells what waits, shows it, and leaves it alone`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.archive, 2)
        let ended = try herald.run("--rebuild-cache", "--sync-once")
        #expect(ended.code == 0 && ended.text.contains("2 operations wait to be sent"))
        #expect(try lines("outbox").count == 2)
        #expect(try await herald.shown().count { $0.folder == "archived" } == 2)
    }

    /// Fails when one person's actions could go out under another's name.
    @Test func `another sign-in sends nothing until it is told to`() async throws {
        defer { setting.server.stop() }
        _ = try await queue(.star, 2)
        var other = herald
        other.token = "hqb_access_admin"
        try setting.control("/access?user=admin&mailbox=info@example.test&level=manager")
        let refused = try other.run("--sync-once")
        #expect(refused.code == 78 && refused.errors.contains("outbox adopt"))
        #expect(try other.run("outbox").code == 78)
        #expect(try DoneWrite.all(setting.server.controlPort).isEmpty)
        #expect(try other.run("outbox", "adopt").text.contains("2 changes will be sent"))
        #expect(try other.run("--sync-once").code == 0)
        #expect(try DoneWrite.all(setting.server.controlPort).count == 2)
    }

    @Test func `a damaged outbox is told of and kept`() throws {
        defer { setting.server.stop() }
        try Files.replace(herald.outboxPath, with: Array("This is no database, but long enough for a header.".utf8))
        let before = try Files.read(herald.outboxPath)
        #expect(try herald.run("--sync-once").code == 74)
        #expect(try herald.run("outbox").code == 74)
        #expect(try lines("status", "--json").joined().contains("\"queued\":null"))
        #expect(try Files.read(herald.outboxPath) == before)
    }
}
