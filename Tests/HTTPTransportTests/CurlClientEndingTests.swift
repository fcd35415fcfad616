import HTTP
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct CurlClientEndingTests {
    @Test func `cancelling ends the request and its connection`() async throws {
        let server = try LoopbackServer { _, _ in Reply(text: "HTTP/1.1 200 OK\r\n\r\nabc", end: .hold) }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let task = Task { try await client.send(HTTPRequest(url: server.url())) }
        for await _ in server.arrivals { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        for await _ in server.endings { break }
    }

    @Test func `a task cancelled beforehand sends nothing`() async throws {
        let server = try LoopbackServer { _, _ in .ok("") }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(HTTPRequest(url: server.url()))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await client.send(HTTPRequest(url: server.url("/after")))
        #expect(server.seen.requests.count == 1)
    }

    @Test func `cancelling at any moment leaves the client working`() async throws {
        let server = try LoopbackServer { _, _ in .ok("ok") }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let task = Task { try await client.send(HTTPRequest(url: server.url())) }
                group.addTask {
                    for _ in 0..<(number % 20) { await Task.yield() }
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        #expect(try await client.send(HTTPRequest(url: server.url())).status == 200)
    }

    @Test func `stopping ends what is in flight and refuses what comes after`() async throws {
        let server = try LoopbackServer { _, _ in Reply(text: "", end: .hold) }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let task = Task { try await client.send(HTTPRequest(url: server.url())) }
        for await _ in server.arrivals { break }
        client.stop()
        client.stop()
        await #expect(throws: HTTPError.stopped) { try await task.value }
        await #expect(throws: HTTPError.stopped) { try await client.send(HTTPRequest(url: server.url())) }
        for await _ in server.endings { break }
    }

    @Test func `a client nobody holds closes its connections`() async throws {
        let server = try LoopbackServer { _, _ in .ok("") }
        defer { server.stop() }
        _ = try await CurlClient(version: "1").send(HTTPRequest(url: server.url()))
        for await _ in server.endings { break }
    }
}
