import HTTP
import HTTPTransport
import MailAPI
import MailSync
import MailTestSupport
import Synchronization
import Testing

/// Notes what a test wants to look at later.
final class Notes: Sendable {
    private let kept = Mutex<[String]>([])
    var all: [String] { kept.withLock { $0 } }
    func add(_ text: String) { kept.withLock { $0.append(text) } }
}

/// Live events of a server, with waits too short to matter.
func liveEvents(
    _ origin: String, client: CurlClient, lastEventID: String = "", silenceMax: Duration = .seconds(60),
    notes: Notes = Notes(), openings: Notes = Notes()
) -> LiveEvents {
    let feed = HTTPEventFeed(
        origin: origin, bearers: StaticBearer("secret"), client: client, silenceMax: silenceMax)
    let timing = ReconnectMachine.Timing(first: 1, longest: 20, good: 0, noteEvery: 0)
    return LiveEvents(
        feed: feed, lastEventID: lastEventID, timing: timing, listening: { openings.add($0 ? "open" : "lost") },
        note: { notes.add($0) })
}

/// What a stream says next.
func next(_ events: AsyncThrowingStream<LiveEvent, any Error>) async throws -> LiveEvent? {
    var iterator = events.makeAsyncIterator()
    return try await iterator.next()
}

@Suite(.timeLimit(.minutes(20)))
struct ListeningTests {
    private func heldServer(_ greeting: String = "") throws -> StreamServer {
        try StreamServer { connection, _ in
            connection.begin()
            connection.write(greeting)
            connection.hold()
        }
    }

    @Test func `events ring, and comments and ids alone do not`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let events = liveEvents(server.origin, client: try CurlClient(version: "1")).events()
        #expect(try await next(events) == .opened)

        server.write(":\n\nid: 4\n\nretry: 700\n\nevent: empty\n\n:\r\r")
        server.write("id: 5\nevent: changed\ndata: {}\n\n")

        #expect(try await next(events) == .changed)
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("GET /api/v1/events HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer secret\r\n"))
        #expect(request.contains("Accept: text/event-stream\r\n"))
        #expect(!request.lowercased().contains("last-event-id"))
    }

    /// Fails when only a piece of the network with a whole event in it is understood.
    @Test func `an event that comes byte by byte rings once`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let notes = Notes()
        let live = liveEvents(server.origin, client: try CurlClient(version: "1"), notes: notes)
        let events = live.events()
        #expect(try await next(events) == .opened)

        for byte in "id: é7\r\nevent: changed\r\ndata: {}\r\n\r\n".utf8 {
            server.write(bytes: [byte])
            await Task.yield()
        }

        #expect(try await next(events) == .changed)
        #expect(notes.all == ["é7"])
    }

    @Test func `a lost connection is opened again where it was`() async throws {
        let server = try StreamServer { connection, number in
            connection.begin()
            connection.write("id: é\(number)\ndata: x\n\nid: unfinished\ndata: y\n")
        }
        defer { server.stop() }
        let openings = Notes()
        let events = liveEvents(server.origin, client: try CurlClient(version: "1"), openings: openings).events()

        var heard: [LiveEvent?] = []
        for _ in 0..<6 { heard.append(try await next(events)) }

        #expect(heard == [.opened, .changed, .opened, .changed, .opened, .changed])
        #expect(server.requests.count == 3)
        #expect(server.requests[1].contains("Last-Event-ID: é1\r\n"))
        #expect(server.requests[2].contains("Last-Event-ID: é2\r\n"))
        #expect(openings.all == ["open", "lost", "open", "lost", "open"])
    }

    @Test func `the id of an earlier run is sent, and one that no header can carry is not`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        for id in ["128.7", "a\u{1}b", String(repeating: "x", count: 2_000)] {
            let events = liveEvents(server.origin, client: client, lastEventID: id).events()
            #expect(try await next(events) == .opened)
        }
        #expect(server.requests.filter { $0.contains("Last-Event-ID: 128.7\r\n") }.count == 1)
        #expect(server.requests.filter { $0.contains("Last-Event-ID") }.count == 1)
    }

    @Test(arguments: ["503 Busy", "500 Oops", "502 Bad Gateway"])
    func `a server in trouble is asked again`(status: String) async throws {
        let server = try StreamServer { connection, number in
            connection.begin(number < 3 ? status : "200 OK")
            connection.hold()
        }
        defer { server.stop() }
        let events = liveEvents(server.origin, client: try CurlClient(version: "1")).events()

        #expect(try await next(events) == .opened)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [
        ("401 Unauthorized", "application/json", EventFeedError.signInNeeded),
        ("403 Forbidden", "application/json", .forbidden), ("404 Not Found", "application/json", .notOffered),
        ("405 No", "text/plain", .notOffered), ("501 No", "text/plain", .notOffered),
        ("200 OK", "text/html", .notEvents), ("200 OK", "application/json", .notEvents),
        ("206 Partial", "text/event-stream", .notEvents), ("302 Found", "text/event-stream", .notEvents),
        ("418 Teapot", "text/plain", .refused(418)),
    ])
    func `an answer that means no ends it for good`(status: String, type: String, expected: EventFeedError) async throws
    {
        let server = try StreamServer { connection, _ in
            connection.begin(status, type: type)
            connection.hold()
        }
        defer { server.stop() }
        let events = liveEvents(server.origin, client: try CurlClient(version: "1")).events()

        await #expect(throws: expected) { try await next(events) }

        #expect(try await next(events) == nil)
        #expect(server.requests.count == 1)
        #expect(await eventually { server.openConnections == 0 })
    }

    @Test func `a server that asks not to come back is not asked again`() async throws {
        let server = try StreamServer { connection, number in
            connection.begin(number == 1 ? "200 OK" : "204 No Content")
        }
        defer { server.stop() }
        var heard: [LiveEvent] = []
        for try await event in liveEvents(server.origin, client: try CurlClient(version: "1")).events() {
            heard.append(event)
        }
        #expect(heard == [.opened])
        #expect(server.requests.count == 2)
    }

    /// Fails when the token follows an answer to another origin.
    @Test(arguments: ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
    func `a pointer to another host is refused`(status: String) async throws {
        let other = try heldServer("data: x\n\n")
        defer { other.stop() }
        let location = "Location: \(other.origin)/api/v1/events\r\n"
        let server = try StreamServer { connection, _ in connection.begin(status, headers: location) }
        defer { server.stop() }
        let events = liveEvents(server.origin, client: try CurlClient(version: "1")).events()

        await #expect(throws: EventFeedError.notEvents) { try await next(events) }

        #expect(other.requests.isEmpty && server.requests.count == 1)
    }

    /// Fails when a line without end fills the memory, or an event before it is lost.
    @Test func `what is too long ends the connection after what came before`() async throws {
        let long = String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20), as: UTF8.self)
        let server = try StreamServer { connection, number in
            connection.begin()
            connection.write("id: \(number)\ndata: a\n\ndata: " + long)
            connection.hold()
        }
        defer { server.stop() }
        let events = liveEvents(server.origin, client: try CurlClient(version: "1")).events()

        var heard: [LiveEvent?] = []
        for _ in 0..<4 { heard.append(try await next(events)) }

        #expect(heard == [.opened, .changed, .opened, .changed])
        #expect(server.requests[1].contains("Last-Event-ID: 1\r\n"))
    }

    @Test func `a connection that says nothing is opened anew`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let live = liveEvents(server.origin, client: try CurlClient(version: "1"), silenceMax: .milliseconds(100))
        let events = live.events()

        #expect(try await next(events) == .opened)
        #expect(try await next(events) == .opened)
    }

    @Test func `a server that is killed and comes back is found again`() async throws {
        let first = try heldServer()
        let client = try CurlClient(version: "1")
        let events = liveEvents(first.origin, client: client).events()
        let notes = Notes()
        let task = Task { for try await event in events { notes.add("\(event)") } }
        #expect(await eventually { notes.all == ["opened"] })

        first.stop()
        #expect(await eventually { first.isClosed })
        let second = try StreamServer(port: first.port) { connection, _ in
            connection.begin()
            connection.write("data: x\n\n")
            connection.hold()
        }
        defer { second.stop() }

        #expect(await eventually { notes.all == ["opened", "opened", "changed"] })
        task.cancel()
        _ = await task.result
    }

    @Test func `a burst that nobody reads is one ring`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let notes = Notes()
        let live = liveEvents(server.origin, client: try CurlClient(version: "1"), notes: notes)
        let events = live.events()
        #expect(try await next(events) == .opened)

        server.write((1...5_000).map { "id: \($0)\ndata: {}\n\n" }.joined())
        var rings = 0
        while notes.all.last != "5000" {
            #expect(try await next(events) == .changed)
            rings += 1
        }

        // A piece of the network is one ring, however many events it has.
        #expect(rings < 1_000)
    }

    @Test func `readers have connections of their own`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let live = liveEvents(server.origin, client: try CurlClient(version: "1"))
        let first = live.events()
        do {
            let second = live.events()
            #expect(try await next(first) == .opened)
            #expect(try await next(second) == .opened)
            #expect(server.openConnections == 2)
        }
        #expect(await eventually { server.openConnections == 1 })
        server.write("data: x\n\n")
        #expect(try await next(first) == .changed)
    }
}
