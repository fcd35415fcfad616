import Glibc
import MailModel
import MailStorage
import MailTestSupport
import Platform
import Testing

/// The next value of a stream that is wanted; `nil` when the stream ends before.
func next<Value: Sendable>(_ stream: AsyncStream<Value>, where isWanted: (Value) -> Bool) async -> Value? {
    for await value in stream where isWanted(value) { return value }
    return nil
}

/// The values of a live query as they came.
actor Heard<Value: Sendable> {
    private var values: [Value] = []
    private var failure: (any Error)?

    func add(_ value: Value) { values.append(value) }

    func last(where isWanted: (Value) -> Bool) async -> Value? {
        let hasCome = await eventually { values.last.map(isWanted) ?? false }
        return hasCome ? values.last : nil
    }

    var count: Int { values.count }
}

@Suite(.timeLimit(.minutes(10))) struct LiveQueryTests {
    /// Fails when a commit between a screen's first read and its first look at the commits goes unseen.
    @Test func `a reader knows what was committed after it was opened`() async throws {
        let bench = try Bench()
        let reader = try bench.reader()
        #expect(await !reader.hasMissedCommits)

        _ = try await bench.put(message("m1"))

        #expect(await reader.hasMissedCommits)
        #expect(await !(try bench.reader()).hasMissedCommits)
    }

    /// Fails when a commit is not told, is told with other ids, or an equal row is told as a change.
    @Test func `commits are told with the ids of what changed`() async throws {
        let bench = try Bench()
        let live = LiveQueries(path: bench.path, owner: "test")
        let events = await live.events()
        _ = await next(events) { $0 == .replaced }

        try await bench.put(message("1", thread: "t"))
        try await bench.put(message("1", thread: "t"))
        try await bench.put(message("2", thread: "t"))

        var names: Set<String> = []
        while names != ["1", "2"] {
            guard case .changed(let change)? = await next(events, where: { _ in true }) else { break }
            let messages = try #require(change.messages)
            #expect(messages.updated.isEmpty && messages.deleted.isEmpty && !change.isBootstrap)
            #expect(messages.threads == [ThreadID("t")])
            names.formUnion(messages.inserted.map(\.rawValue))
        }
        #expect(names == ["1", "2"])
    }

    /// Fails when a live query misses a commit of another connection or answers before it is committed.
    @Test func `a live query follows commits of another connection`() async throws {
        let bench = try Bench()
        let live = LiveQueries(path: bench.path, owner: "test")
        let heard = Heard<[ConversationRow]>()
        let values = await live.values(.conversations(in: ListScope(folder: .inbox), limit: 10))
        let listener = Task { for try await value in values { await heard.add(value) } }
        defer { listener.cancel() }
        #expect(await heard.last { $0.isEmpty } != nil)

        let other = try MailStore(path: bench.path, owner: "test")
        _ = try await other.commitChanges([.upsert(message("1"))], cursor: "c1")
        #expect(await heard.last { $0.map(\.threadID) == [ThreadID("t1")] } != nil)
        _ = try await other.commitChanges([.delete(MessageID("1"))], cursor: "c2")
        #expect(await heard.last { $0.isEmpty } != nil)
        let seen = await heard.count

        // Drafts are not in the list, so the query is not answered again.
        _ = try await other.replaceDrafts([draft("d")])
        _ = try await other.commitChanges([.upsert(message("2"))], cursor: "c3")
        #expect(await heard.last { $0.map(\.threadID) == [ThreadID("t2")] } != nil)
        #expect(await heard.count == seen + 1)
    }

    /// Fails when a cache that appears later, or takes the place of another, is not opened.
    @Test func `a cache that appears or is replaced is followed`() async throws {
        let directory = Bench.newPath()
        try Files.makeDirectory(directory)
        defer { Bench.remove(directory) }
        let path = directory + "/cache.sqlite"
        let live = LiveQueries(path: path, owner: "test")
        let heard = Heard<[Draft]>()
        let values = await live.values(.drafts(mailbox: nil))
        let listener = Task { for try await value in values { await heard.add(value) } }
        defer { listener.cancel() }

        let first = try MailStore(path: path, owner: "test")
        _ = try await first.replaceDrafts([draft("old")])
        #expect(await heard.last { $0.map(\.id) == [DraftID("old")] } != nil)
        let second = try MailStore(path: path + ".new", owner: "test")
        _ = try await second.replaceDrafts([draft("new")])
        await second.tidy()
        try Files.rename(path + ".new", to: path)

        #expect(await heard.last { $0.map(\.id) == [DraftID("new")] } != nil)
    }

    /// Fails when one who missed more commits than the log holds is told less than everything.
    @Test func `the log is bounded and says so`() async throws {
        let bench = try Bench()
        try await bench.put(message("1"))
        let reader = try bench.reader()
        let start = try await reader.revision()

        for number in 0..<300 { try await bench.put(message("1", at: number + 1)) }

        let (change, revision) = try await reader.changes(after: start)
        #expect(change == .everything)
        #expect(revision == start + 300)
        let (late, _) = try await reader.changes(after: revision - 2)
        #expect(late.messages?.updated == [MessageID("1")])
    }
}
