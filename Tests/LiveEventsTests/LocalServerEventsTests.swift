import HTTP
import HTTPTransport
import LocalServer
import MailAPI
import MailSync
import MailTestSupport
import Testing

/// The local server's route, spoken to by the real client.
@Suite(.timeLimit(.minutes(20)))
struct LocalServerEventsTests {
    private func started(
        heartbeatMilliseconds: Int64 = 15_000, retryMilliseconds: Int64 = 3_000
    ) throws -> RunningServer {
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.heartbeatMilliseconds = heartbeatMilliseconds
        options.retryMilliseconds = retryMilliseconds
        return try MailServer.start(options)
    }

    private func feed(_ server: RunningServer, _ user: String, client: CurlClient) -> HTTPEventFeed {
        HTTPEventFeed(origin: server.origin, bearers: StaticBearer("hqb_access_" + user), client: client)
    }

    private func mail(_ subject: String) -> String {
        "From: a@client.example\r\nTo: info@example.test\r\nSubject: \(subject)\r\n\r\nHello\r\n"
    }

    @Test func `every kind of write rings for who may see it`() async throws {
        let server = try started()
        defer { server.stop() }
        let control = try Control(server)
        let connection = try await feed(server, "owner", client: try CurlClient(version: "1")).open(lastEventID: "")
        let greeting = try #require(try await connection.next())
        #expect(greeting.events == 0 && greeting.lastEventID == "0.0" && greeting.retryMilliseconds == 3_000)

        let id = try await control.ids("/deliver?to=info@example.test", body: mail("One"))[0]
        #expect(try await connection.next()?.lastEventID == "1.0")
        for (verb, position) in [
            ("/touch?id=\(id)&action=read", "2.0"), ("/touch?id=\(id)&action=archive", "3.0"),
            ("/delete?id=\(id)", "4.0"),
        ] {
            _ = try await control.ids(verb)
            #expect(
                try await connection.next() == EventPulse(events: 1, lastEventID: position, retryMilliseconds: 3_000))
        }
        _ = try await control.ids("/draft", body: #"{"subject":"A draft"}"#)
        #expect(try await connection.next()?.lastEventID == "4.1")
    }

    /// Fails when a stream tells of mail, or of drafts, that its reader may not see.
    @Test func `nobody hears of what they may not see`() async throws {
        let server = try started(heartbeatMilliseconds: 20)
        defer { server.stop() }
        let control = try Control(server)
        let client = try CurlClient(version: "1")
        let nobody = Notes()
        let task = Task {
            for try await event in LiveEvents(feed: feed(server, "nogrant", client: client)).events() {
                nobody.add("\(event)")
            }
        }
        let reader = try await feed(server, "owner_read", client: client).open(lastEventID: "")
        #expect(try await reader.next()?.events == 0)
        #expect(await eventually { nobody.all == ["opened"] })

        // A draft first: were it told of, its position would come before that of the mail.
        _ = try await control.ids("/draft", body: #"{"subject":"A draft"}"#)
        _ = try await control.ids("/deliver?to=info@example.test", body: mail("One"))

        #expect(try await reader.next()?.lastEventID == "1.1")
        #expect(nobody.all == ["opened"])
        task.cancel()
        _ = await task.result
    }

    @Test func `a stream resumes after the event it names`() async throws {
        let server = try started()
        defer { server.stop() }
        let control = try Control(server)
        let feed = feed(server, "owner", client: try CurlClient(version: "1"))
        _ = try await control.ids("/deliver?to=info@example.test", body: mail("One"))

        // Behind: there is news. Ahead or unreadable: it is of another store, which is news too.
        for last in ["0.0", "9.0", "0.9", "what", "-1.0", "1"] {
            let connection = try await feed.open(lastEventID: last)
            var pulse = try await connection.next()
            while pulse?.events == 0 { pulse = try await connection.next() }
            #expect(pulse?.lastEventID == "1.0", "\(last)")
        }
        // At the end: nothing until something happens.
        let connection = try await feed.open(lastEventID: "1.0")
        #expect(try await connection.next() == EventPulse(events: 0, lastEventID: "1.0", retryMilliseconds: 3_000))
        _ = try await control.ids("/deliver?to=info@example.test", body: mail("Two"))
        #expect(try await connection.next()?.lastEventID == "2.0")
    }

    @Test(arguments: [
        ("owner_send", EventFeedError.forbidden), ("unknown", .signInNeeded),
    ])
    func `the route takes the scope for reading`(user: String, expected: EventFeedError) async throws {
        let server = try started()
        defer { server.stop() }
        await #expect(throws: expected) {
            try await feed(server, user, client: try CurlClient(version: "1")).open(lastEventID: "")
        }
    }

    /// Fails when a stream goes on for a token that the server takes no more.
    @Test func `losing access ends the stream for good`() async throws {
        let server = try started(retryMilliseconds: 500)
        defer { server.stop() }
        let control = try Control(server)
        let client = try CurlClient(version: "1")
        let events = LiveEvents(feed: feed(server, "owner", client: client)).events()
        #expect(try await next(events) == .opened)

        _ = try await control.count("/revoke?token=hqb_access_owner")

        await #expect(throws: EventFeedError.signInNeeded) { while try await next(events) != nil {} }
        #expect(await eventually { (try? await control.count("/streams")) == 0 })
    }

    @Test func `a change of rights is news`() async throws {
        let server = try started()
        defer { server.stop() }
        let control = try Control(server)
        let connection = try await feed(server, "nogrant", client: try CurlClient(version: "1")).open(lastEventID: "")
        #expect(try await connection.next()?.events == 0)

        _ = try await control.ids("/access?user=nogrant&mailbox=info@example.test&level=read")
        #expect(try await connection.next()?.events == 1)
        _ = try await control.ids("/deliver?to=info@example.test", body: mail("One"))
        #expect(try await connection.next()?.lastEventID == "1.0")
        _ = try await control.ids("/access?user=nogrant&mailbox=info@example.test&level=none")
        #expect(try await connection.next()?.events == 1)
    }

    @Test func `heartbeats keep a quiet stream alive`() async throws {
        let server = try started(heartbeatMilliseconds: 50)
        defer { server.stop() }
        let quiet = try started()
        defer { quiet.stop() }
        func open(_ server: RunningServer) async throws -> any EventConnection {
            let feed = HTTPEventFeed(
                origin: server.origin, bearers: StaticBearer("hqb_access_owner"),
                client: try CurlClient(version: "1"), silenceMax: .seconds(3))
            return try await feed.open(lastEventID: "")
        }
        let connection = try await open(server)
        #expect(try await connection.next()?.events == 0)
        let waiting = Task { try await connection.next() }

        // One opened later, without heartbeats, ends by the same silence.
        let witness = try await open(quiet)
        #expect(try await witness.next()?.events == 0)
        await #expect(throws: EventFeedError.self) { _ = try await witness.next() }
        _ = try await Control(server).ids("/deliver?to=info@example.test", body: mail("One"))

        #expect(try await waiting.value?.lastEventID == "1.0")
    }

    @Test func `the server sees a reader go`() async throws {
        let server = try started()
        defer { server.stop() }
        let control = try Control(server)
        let client = try CurlClient(version: "1")
        let task = Task {
            for try await _ in LiveEvents(feed: feed(server, "owner", client: client)).events() {}
        }
        let connection = try await feed(server, "owner", client: client).open(lastEventID: "")
        #expect(try await connection.next() != nil)
        #expect(await eventually { (try? await control.count("/streams")) == 2 })

        task.cancel()

        _ = await task.result
        #expect(await eventually { (try? await control.count("/streams")) == 1 })
        _ = try await control.ids("/deliver?to=info@example.test", body: mail("One"))
        #expect(try await connection.next()?.events == 1)
    }

    /// Fails when open streams occupy the server's threads, or the client's connections.
    @Test func `forty streams leave the server answering and all hear the bell`() async throws {
        let server = try started()
        defer { server.stop() }
        let control = try Control(server)
        let client = try CurlClient(version: "1")
        var connections: [any EventConnection] = []
        for _ in 0..<40 {
            let connection = try await feed(server, "owner", client: client).open(lastEventID: "")
            #expect(try await connection.next()?.events == 0)
            connections.append(connection)
        }
        let api = HTTPMailAPIClient(origin: server.origin, token: "hqb_access_owner", client: client)
        #expect(try await api.features().hasEvents)
        #expect(try await api.changes(cursor: nil).changes.isEmpty)

        _ = try await control.ids("/deliver?to=info@example.test&count=500")

        for connection in connections {
            var pulse = try await connection.next()
            while pulse?.lastEventID != "500.0" { pulse = try await connection.next() }
        }
        #expect(try await api.changes(cursor: nil).changes.isEmpty)
    }

    @Test func `a stream that the server drops is opened again, where it was`() async throws {
        let server = try started(retryMilliseconds: 500)
        defer { server.stop() }
        let control = try Control(server)
        let feed = feed(server, "owner", client: try CurlClient(version: "1"))
        let heard = Notes()
        let live = LiveEvents(feed: feed, timing: ReconnectMachine.Timing(first: 1, longest: 1, good: 0))
        let task = Task { for try await event in live.events() { heard.add("\(event)") } }
        #expect(await eventually { heard.all == ["opened"] })

        #expect(try await control.count("/drop-streams") == 1)

        #expect(await eventually { heard.all == ["opened", "opened"] })
        _ = try await control.ids("/deliver?to=info@example.test", body: mail("One"))
        #expect(await eventually { heard.all == ["opened", "opened", "changed"] })
        task.cancel()
        _ = await task.result
    }

    @Test func `a server that stops ends its streams`() async throws {
        let server = try started()
        let connection = try await feed(server, "owner", client: try CurlClient(version: "1")).open(lastEventID: "")
        #expect(try await connection.next()?.events == 0)

        server.stop()

        // Whether the end is seen as one or as a break is up to the moment.
        #expect(await ends(connection))
    }

    private func ends(_ connection: any EventConnection) async -> Bool {
        do {
            while try await connection.next() != nil {}
            return true
        } catch {
            return error is EventFeedError
        }
    }

    @Test func `a server without events says so and has none`() async throws {
        let options = try ServerOptions(arguments: ["--demo-users", "--no-events"])
        let server = try MailServer.start(options)
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let api = HTTPMailAPIClient(origin: server.origin, token: "hqb_access_owner", client: client)
        #expect(try await !api.features().hasEvents)
        await #expect(throws: EventFeedError.notOffered) {
            try await feed(server, "owner", client: client).open(lastEventID: "")
        }
        _ = try await Control(server).ids("/deliver?to=info@example.test", body: mail("One"))
    }
}
