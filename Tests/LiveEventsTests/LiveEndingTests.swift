import HTTP
import HTTPTransport
import MailAPI
import MailSync
import MailTestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct LiveEndingTests {
    @Test func `cancelling closes the connection at once and notes the id`() async throws {
        let server = try StreamServer { connection, _ in
            connection.begin()
            connection.write("id: 12\n\ndata: x\n\n")
            connection.hold()
        }
        defer { server.stop() }
        let notes = Notes()
        let feed = HTTPEventFeed(
            origin: server.origin, bearers: StaticBearer("secret"), client: try CurlClient(version: "1"))
        let heard = Notes()
        let task = Task {
            for try await event in LiveEvents(feed: feed, note: { notes.add($0) }).events() { heard.add("\(event)") }
        }
        #expect(await eventually { heard.all.count == 2 && server.openConnections == 1 })

        task.cancel()

        _ = await task.result
        #expect(await eventually { server.openConnections == 0 })
        #expect(notes.all == ["12"])
    }

    @Test func `cancelling ends a wait for the next try`() async throws {
        let server = try StreamServer { connection, _ in connection.begin("503 Busy") }
        defer { server.stop() }
        let feed = HTTPEventFeed(
            origin: server.origin, bearers: StaticBearer("secret"), client: try CurlClient(version: "1"))
        let timing = ReconnectMachine.Timing(first: 3_600_000, longest: 3_600_000)
        let task = Task { for try await _ in LiveEvents(feed: feed, timing: timing).events() {} }
        #expect(await eventually { server.requests.count == 1 })

        task.cancel()

        _ = await task.result
        #expect(server.requests.count == 1)
    }

    @Test func `a stopped client ends the stream`() async throws {
        let server = try StreamServer { connection, _ in
            connection.begin()
            connection.hold()
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let events = liveEvents(server.origin, client: client).events()
        #expect(try await next(events) == .opened)

        client.stop()

        await #expect(throws: EventFeedError.transport(.stopped)) { try await next(events) }
        #expect(try await next(events) == nil)
    }

    /// Fails when a reconnect leaves anything open, on either side.
    @Test func `a thousand reconnects leave nothing behind`() async throws {
        let server = try StreamServer { connection, number in
            connection.begin()
            connection.write("id: \(number)\ndata: x\n\n")
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        var opened = 0
        var before = ThisProcess.residentBytes
        var growths: [Int] = []

        for try await event in liveEvents(server.origin, client: client).events() {
            if event == .opened { opened += 1 }
            if event == .opened, opened % 100 == 0 {
                let now = ThisProcess.residentBytes
                growths.append(now - before)
                before = now
            }
            if opened == 1_000 { break }
        }

        #expect(await eventually { server.openConnections == 0 && ThisProcess.connections(to: server.port) == 0 })
        // A leak grows with each hundred; what other tests take and give back beside this one, with some of them.
        #expect(growths.count == 10 && growths.sorted()[2] < 10 << 20, "\(growths)")
    }
}
