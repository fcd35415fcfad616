import Glibc
import HTTP
import HTTPTransport
import MailTestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct CurlClientFailureTests {
    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .close, .interrupted),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .close, .interrupted),
            ("HTTP/1.1 200 OK\r\nContent-Le", .close, .interrupted),
            ("", .close, .interrupted),
            ("", .hold, .timedOut),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .hold, .timedOut),
            ("220 mail.example SMTP\r\n", .close, .badResponse),
            ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", .hold, .tooLarge(limit: 100)),
            ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101), .hold, .tooLarge(limit: 100)),
        ] as [(String, Reply.End, HTTPError)])
    func `a bad answer is an error that says what happened`(
        text: String, end: Reply.End, expected: HTTPError
    ) async throws {
        let server = try LoopbackServer { _, _ in Reply(text: text, end: end) }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let timeout: Duration = expected == .timedOut ? .milliseconds(150) : .seconds(120)
        let request = HTTPRequest(url: server.url(), timeout: timeout, responseBytesMax: 100)
        await #expect(throws: expected) { try await client.send(request) }
    }

    @Test func `a header without end is cut off`() async throws {
        let line = "X-A: 0123456789abcdef\r\n"
        let server = try LoopbackServer { _, _ in
            Reply(text: "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 20_000), end: .hold)
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        await #expect(throws: HTTPError.tooLarge(limit: 262_144)) {
            try await client.send(HTTPRequest(url: server.url()))
        }
    }

    @Test func `a port nobody listens on is unreachable`() async throws {
        let (descriptor, port) = try Loopback.listen()
        close(descriptor)
        let client = try CurlClient(version: "1")
        await #expect(throws: HTTPError.unreachable) {
            try await client.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
        }
    }

    @Test(arguments: [
        HTTPRequest(url: "ftp://127.0.0.1/"), HTTPRequest(url: "http://u:p@127.0.0.1/"), HTTPRequest(url: ""),
    ])
    func `an address that cannot be asked is refused`(request: HTTPRequest) async throws {
        let client = try CurlClient(version: "1")
        await #expect(throws: HTTPError.badURL) { try await client.send(request) }
    }

    @Test func `a header with a line break is refused`() async throws {
        let client = try CurlClient(version: "1")
        let request = HTTPRequest(url: "http://127.0.0.1/", headers: [HTTPHeader("X", "a\r\nY: b")])
        await #expect(throws: HTTPError.badRequest) { try await client.send(request) }
    }

    @Test func `a post is never sent twice`() async throws {
        let server = try LoopbackServer { request, _ in
            request.hasPrefix("POST") ? Reply(text: "", end: .close) : .ok("")
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        _ = try await client.send(HTTPRequest(url: server.url()))
        await #expect(throws: HTTPError.interrupted) {
            try await client.send(HTTPRequest(method: "POST", url: server.url(), body: [1]))
        }
        #expect(server.seen.requests.filter { $0.hasPrefix("POST") }.count == 1)
    }

    @Test func `a get on a dead kept connection is repeated`() async throws {
        let server = try LoopbackServer { _, number in number == 2 ? Reply(text: "", end: .close) : .ok("\(number)") }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        _ = try await client.send(HTTPRequest(url: server.url()))
        let response = try await client.send(HTTPRequest(url: server.url()))
        #expect(response.body == Array("3".utf8))
    }
}
