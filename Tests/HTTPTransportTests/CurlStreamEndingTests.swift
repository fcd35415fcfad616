import HTTP
import HTTPTransport
import MailTestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct CurlStreamEndingTests {
    private func silentServer() throws -> StreamServer {
        try StreamServer { connection, _ in
            if !connection.request.hasPrefix("GET /never") { connection.begin() }
            connection.hold()
        }
    }

    @Test(arguments: ["/", "/never"])
    func `cancelling the task closes the connection at once`(path: String) async throws {
        let server = try silentServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let task = Task {
            let stream = try await client.stream(HTTPRequest(url: server.origin + path), silenceMax: .seconds(600))
            for try await _ in stream.body {}
        }
        #expect(await eventually { server.requests.count == 1 })

        task.cancel()

        _ = await task.result
        #expect(await eventually { server.openConnections == 0 })
    }

    @Test func `a body nobody holds closes its connection`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        _ = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(600))

        #expect(await eventually { server.openConnections == 0 })
    }

    @Test func `a task cancelled beforehand sends nothing`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(600))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test func `stopping the client ends its streams`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(600))

        client.stop()

        await #expect(throws: HTTPError.stopped) { for try await _ in stream.body {} }
        await #expect(throws: HTTPError.stopped) {
            try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(600))
        }
    }

    /// Fails when a program that is started gets the connections, and with them what they carry.
    @Test func `a started program does not get the connections`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(600))
        #expect(ThisProcess.connections(to: server.port) == 1)
        #expect(ThisProcess.inheritedConnections(to: server.port) == 0)
        _ = consume stream
    }

    @Test func `a stream outlives the last other hold on its client`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let stream = try await CurlClient(version: "1").stream(
            HTTPRequest(url: server.origin), silenceMax: .seconds(600))
        var body = stream.body.makeAsyncIterator()

        server.write("x")

        #expect(try await body.next() == [UInt8(ascii: "x")])
    }

    @Test func `cancelling at any moment leaves no connection and a client that works`() async throws {
        let server = try silentServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let task = Task {
                    let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(600))
                    for try await _ in stream.body {}
                }
                group.addTask {
                    for _ in 0..<(number % 20) { await Task.yield() }
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        let isClosed = await eventually {
            server.openConnections == 0 && ThisProcess.connections(to: server.port) == 0
        }
        #expect(isClosed, "\(server.openConnections) there, \(ThisProcess.connections(to: server.port)) here")
        #expect(try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120)).status == 200)
    }
}
