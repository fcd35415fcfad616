import HTTP
import HTTPTransport
import MailTestSupport
import Testing

/// A stream of events behind a proxy that speaks the newer protocol, in which other requests share one connection.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: NginxServer.isInstalled, "needs /usr/sbin/nginx and /usr/bin/openssl"))
struct NginxStreamTests {
    /// Greets, since this proxy keeps a header back until there is something after it.
    private func heldServer() throws -> StreamServer {
        try StreamServer { connection, _ in
            connection.begin()
            connection.write(":\n\n")
            connection.hold()
        }
    }

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `a stream comes piece by piece, and other requests go beside it`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let proxy = try NginxServer(upstream: server.port)
        defer { proxy.stop() }
        let client = try CurlClient(version: "1", certificateAuthorityFile: proxy.certificateFile)

        let stream = try await client.stream(HTTPRequest(url: proxy.url("/live")), silenceMax: .seconds(500))
        var body = stream.body.makeAsyncIterator()

        #expect(stream.status == 200)
        #expect(text(try await body.next()) == ":\n\n")
        for piece in ["one", "two", "three"] {
            server.write(piece)
            #expect(text(try await body.next()) == piece)
            let beside = try await client.send(HTTPRequest(url: proxy.url("/protocol")))
            #expect(beside.body == Array("HTTP/2.0".utf8))
        }
        server.dropAll()
        #expect(try await body.next() == nil)
    }

    /// Fails when cancelling closes only this side: the proxy would hold the server's stream for ever.
    @Test func `cancelling ends the stream at the server and leaves other requests alone`() async throws {
        let server = try heldServer()
        defer { server.stop() }
        let proxy = try NginxServer(upstream: server.port)
        defer { proxy.stop() }
        let client = try CurlClient(version: "1", certificateAuthorityFile: proxy.certificateFile)

        #expect(try await client.send(HTTPRequest(url: proxy.url("/protocol"))).status == 200)
        for _ in 0..<5 {
            let reading = Task {
                let stream = try await client.stream(HTTPRequest(url: proxy.url("/live")), silenceMax: .seconds(500))
                for try await _ in stream.body {}
            }
            #expect(comesTrue { server.openConnections == 1 })
            reading.cancel()
            // It ends with an error or just ends, as the moment is.
            _ = try? await reading.value
            #expect(comesTrue { server.openConnections == 0 })
        }
        #expect(try await client.send(HTTPRequest(url: proxy.url("/protocol"))).status == 200)
    }
}
