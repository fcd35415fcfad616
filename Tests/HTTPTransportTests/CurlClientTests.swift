import HTTP
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct CurlClientTests {
    @Test func `an answer comes back whole`() async throws {
        let server = try LoopbackServer { _, _ in .ok("hello", headers: "X-A:  b \r\nX-Empty:\r\n") }
        defer { server.stop() }
        let client = try CurlClient(version: "1.2")
        let response = try await client.send(HTTPRequest(url: server.url("/a?b=c#d")))
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.value(of: "x-a") == "b")
        #expect(response.value(of: "X-Empty")?.isEmpty == true)
        let request = try #require(server.seen.requests.first)
        #expect(request.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(request.contains("User-Agent: herald/1.2\r\n"))
        #expect(request.contains("gzip"))
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `a body is sent under the method asked for`(method: String) async throws {
        let server = try LoopbackServer { _, _ in .ok("") }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let body = String(repeating: "x", count: 3000)
        let headers = [HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Empty", "")]
        let request = HTTPRequest(method: method, url: server.url(), headers: headers, body: Array(body.utf8))
        _ = try await client.send(request)
        let seen = try #require(server.seen.requests.first)
        #expect(seen.hasPrefix("\(method) / "))
        #expect(seen.contains("Content-Type: application/json\r\n") && seen.contains("X-Empty:\r\n"))
        #expect(!seen.contains("Expect"))
        #expect(seen.hasSuffix("\r\n\r\n\(body)"))
    }

    @Test func `an empty post announces no type and no bytes`() async throws {
        let server = try LoopbackServer { _, _ in .ok("") }
        defer { server.stop() }
        _ = try await CurlClient(version: "1").send(HTTPRequest(method: "POST", url: server.url()))
        let seen = try #require(server.seen.requests.first)
        #expect(seen.contains("Content-Length: 0\r\n"))
        #expect(!seen.contains("Content-Type"))
    }

    @Test func `a redirect is returned and not followed`() async throws {
        let server = try LoopbackServer { _, _ in .ok("", status: "302 Found", headers: "Location: /b\r\n") }
        defer { server.stop() }
        let response = try await CurlClient(version: "1").send(HTTPRequest(url: server.url()))
        #expect(response.status == 302)
        #expect(response.value(of: "Location") == "/b")
        #expect(server.seen.requests.count == 1)
    }

    @Test func `a connection is kept for the next request`() async throws {
        let server = try LoopbackServer { _, number in .ok("\(number)") }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        for number in 1...5 {
            let response = try await client.send(HTTPRequest(url: server.url()))
            #expect(response.body == Array("\(number)".utf8))
        }
        #expect(server.seen.connections == 1)
    }

    @Test func `many requests at once get their own answers`() async throws {
        let server = try LoopbackServer { request, _ in .ok(String(request.prefix { $0 != "\r\n" })) }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = try await client.send(HTTPRequest(url: server.url("/\(number)")))
                    return response.body == Array("GET /\(number) HTTP/1.1".utf8)
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(server.seen.connections <= 8)
    }

    @Test func `interim answers and trailers are not headers`() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
            + "X-Folded: a\r\n b\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n"
        let server = try LoopbackServer { _, _ in Reply(text: text, end: .keepOpen) }
        defer { server.stop() }
        let response = try await CurlClient(version: "1").send(HTTPRequest(url: server.url()))
        #expect(response.status == 200)
        #expect(response.body == Array("ok".utf8))
        #expect(response.value(of: "X-Folded") == "a b")
        #expect(response.value(of: "X-Early") == nil && response.value(of: "X-Trailer") == nil)
    }
}
