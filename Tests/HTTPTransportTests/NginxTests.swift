import HTTP
import HTTPTransport
import Testing

@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: NginxServer.isInstalled, "needs /usr/sbin/nginx and /usr/bin/openssl"))
struct NginxTests {
    @Test func `a trusted server is asked over one connection of the newer protocol`() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1", certificateAuthorityFile: server.certificateFile)
        let response = try await client.send(HTTPRequest(url: server.url("/protocol")))
        #expect(response.body == Array("HTTP/2.0".utf8))
        #expect(response.value(of: "Content-Type") == "text/plain")
        let connections = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<30 {
                group.addTask { try await client.send(HTTPRequest(url: server.url("/connection"))).body }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(connections.count == 1)
    }

    @Test func `a certificate nobody vouches for is refused`() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        await #expect(throws: HTTPError.tlsFailed) {
            try await client.send(HTTPRequest(url: server.url("/protocol")))
        }
    }

    @Test func `a body is sent and a method kept over the newer protocol`() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1", certificateAuthorityFile: server.certificateFile)
        for method in ["POST", "PATCH"] {
            let request = HTTPRequest(
                method: method, url: server.url("/echo"), headers: [HTTPHeader("X-A", "b")], body: [1, 2, 3])
            let response = try await client.send(request)
            #expect(response.body == Array("\(method) 3 b".utf8))
        }
    }

    @Test func `a compressed body is unpacked, and bounded by its unpacked size`() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let client = try CurlClient(version: "1", certificateAuthorityFile: server.certificateFile)
        let response = try await client.send(HTTPRequest(url: server.url("/zip")))
        #expect(response.value(of: "Content-Encoding") == "gzip")
        #expect(response.body == [UInt8](repeating: UInt8(ascii: "a"), count: 2000))
        await #expect(throws: HTTPError.tooLarge(limit: 1000)) {
            try await client.send(HTTPRequest(url: server.url("/zip"), responseBytesMax: 1000))
        }
    }
}
