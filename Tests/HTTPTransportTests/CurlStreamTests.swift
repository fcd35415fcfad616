import HTTP
import HTTPTransport
import MailTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct CurlStreamTests {
    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `the header comes before the body, and each piece when it is sent`() async throws {
        let server = try StreamServer { connection, _ in
            connection.begin(headers: "X-A: 1\r\n")
            connection.hold()
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120))
        var body = stream.body.makeAsyncIterator()

        #expect(stream.status == 200 && stream.value(of: "x-a") == "1" && stream.mediaType == "text/event-stream")
        for piece in ["one", "two", "three"] {
            server.write(piece)
            #expect(text(try await body.next()) == piece)
        }
        server.dropAll()
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
    }

    @Test(arguments: [("204 No Content", 204), ("302 Found", 302), ("401 Unauthorized", 401), ("503 Busy", 503)])
    func `any status is an answer and nothing is followed`(line: String, status: Int) async throws {
        let server = try StreamServer { connection, _ in
            connection.begin(line, headers: "Location: /elsewhere\r\nContent-Length: 0\r\n")
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120))

        #expect(stream.status == status)
        #expect(server.requests.count == 1)
    }

    @Test func `an interim answer is not the answer`() async throws {
        let server = try StreamServer { connection, _ in
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            connection.begin(headers: "X-A: 1\r\n")
            connection.write("x")
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120))

        #expect(stream.status == 200 && stream.value(of: "Link") == nil && stream.value(of: "X-A") == "1")
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", HTTPError.interrupted),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .interrupted),
    ])
    func `a body that breaks off is read and then an error`(answer: String, expected: HTTPError) async throws {
        let server = try StreamServer { connection, _ in connection.write(answer) }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120))
        var received = ""
        await #expect(throws: expected) {
            for try await piece in stream.body { received += text(piece) ?? "" }
        }

        #expect(received == "abc")
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le"])
    func `a header that breaks off is an error`(answer: String) async throws {
        let server = try StreamServer { connection, _ in connection.write(answer) }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        await #expect(throws: HTTPError.interrupted) {
            try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120))
        }
    }

    /// Fails when a connection whose other end is gone without a word is kept for ever.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nabc"])
    func `silence ends a stream at any point`(answer: String) async throws {
        let server = try StreamServer { connection, _ in
            connection.write(answer)
            connection.hold()
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        await #expect(throws: HTTPError.timedOut) {
            let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .milliseconds(150))
            for try await _ in stream.body {}
        }

        #expect(await eventually { server.openConnections == 0 })
    }

    /// Fails when a deadline for the whole answer, or for ordinary requests, also ends a stream.
    @Test func `a stream that speaks outlives every deadline`() async throws {
        let server = try StreamServer { connection, _ in
            connection.begin()
            connection.hold()
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")
        let request = HTTPRequest(url: server.origin, timeout: .milliseconds(1), responseBytesMax: 1)

        let stream = try await client.stream(request, silenceMax: .seconds(120))
        var body = stream.body.makeAsyncIterator()
        for _ in 0..<20 {
            server.write("xx")
            #expect(try await body.next() != nil)
        }
    }

    @Test func `a slow reader holds the sender back and gets every byte`() async throws {
        let total = 24 << 20
        let sent = Atomic(0)
        let sender = Mutex<StreamConnection?>(nil)
        let server = try StreamServer { connection, _ in
            connection.begin()
            sender.withLock { $0 = connection }
            for number in 0..<(total >> 16) {
                let piece = String(repeating: number % 2 == 0 ? "a" : "b", count: 1 << 16)
                connection.write(piece)
                sent.add(1 << 16, ordering: .relaxed)
            }
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(120))
        // Full when the sender comes no further while the client's thread does other work again and again.
        let witness = try StreamServer { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { witness.stop() }
        let isHeld = try await eventually {
            let before = sent.load(ordering: .relaxed)
            for _ in 0..<20 { _ = try await client.send(HTTPRequest(url: witness.origin)) }
            return sender.withLock { $0?.isFull == true } && sent.load(ordering: .relaxed) == before
        }
        #expect(isHeld && sent.load(ordering: .relaxed) < total)
        var (received, largest, misplaced) = (0, 0, 0)
        for try await piece in stream.body {
            if piece.first != UInt8(ascii: (received >> 16) % 2 == 0 ? "a" : "b") { misplaced += 1 }
            received += piece.count
            largest = max(largest, piece.count)
        }
        #expect(received == total && misplaced == 0)
        #expect(largest <= 1 << 20)
    }

    /// Fails when the silence is also counted while the reader, not the sender, is the slow one.
    @Test func `a reader may pause longer than the silence allowed`() async throws {
        let total = 8 << 20
        let text = String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: total), as: UTF8.self)
        let server = try StreamServer { connection, _ in
            connection.begin()
            connection.write(text)
            connection.hold()
        }
        defer { server.stop() }
        let client = try CurlClient(version: "1")

        let stream = try await client.stream(HTTPRequest(url: server.origin), silenceMax: .seconds(2))
        // Two silences end one after the other, each counted as the one that must not be counted here.
        let silent = try StreamServer { connection, _ in
            connection.begin()
            connection.hold()
        }
        defer { silent.stop() }
        for _ in 0..<2 {
            let witness = try await client.stream(
                HTTPRequest(url: silent.origin), silenceMax: .seconds(2))
            await #expect(throws: HTTPError.timedOut) { for try await _ in witness.body {} }
        }
        var received = 0
        for try await piece in stream.body {
            received += piece.count
            if received == total { break }
        }

        #expect(received == total)
    }

    @Test func `many streams leave room for ordinary requests`() async throws {
        let server = try StreamServer { connection, _ in
            guard connection.request.hasPrefix("GET /stream") else {
                return connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            }
            connection.begin()
            connection.hold()
        }
        defer { server.stop() }
        let client = try CurlClient(settings: CurlClient.Settings(userAgent: "t", connectionsPerHostMax: 2))

        var streams: [HTTPStream] = []
        for _ in 0..<10 {
            let request = HTTPRequest(url: server.origin + "/stream")
            streams.append(try await client.stream(request, silenceMax: .seconds(120)))
        }
        let answer = try await client.send(HTTPRequest(url: server.origin + "/plain", timeout: .seconds(120)))

        #expect(answer.body == Array("ok".utf8) && streams.count == 10)
        #expect(server.openConnections >= 10)
        streams = []
        #expect(await eventually { server.openConnections == 0 })
    }
}
