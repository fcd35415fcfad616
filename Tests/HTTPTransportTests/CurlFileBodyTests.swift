import Glibc
import HTTP
import HTTPTransport
import MailTestSupport
import Platform
import Synchronization
import Testing

/// A server that reads requests to their end and keeps none of it.
private final class Drain: Sendable {
    private let listener: LoopbackListener
    private let count = Mutex(0)

    init(takes: Bool = true) throws {
        listener = try LoopbackListener()
        listener.serve { [self] connection in
            if takes { take(connection) } else { Drain.hold(connection) }
            close(connection)
        }
    }

    /// Reads a request to its end, and answers.
    private func take(_ connection: Int32) {
        var expected = Int.max
        var all = 0
        while all < expected, let piece = Loopback.read(connection) {
            if all == 0 { expected = Drain.length(piece) }
            all += piece.count
        }
        let total = all
        count.withLock { $0 = total }
        Loopback.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", to: connection)
    }

    /// Holds a connection until the other side is gone.
    private static func hold(_ connection: Int32) {
        var event = pollfd(fd: connection, events: 0, revents: 0)
        poll(&event, 1, -1)
    }

    deinit { listener.stop() }

    var url: String { "http://127.0.0.1:\(listener.port)/" }
    var received: Int { count.withLock { $0 } }

    /// Header and body together, by the header.
    private static func length(_ piece: [UInt8]) -> Int {
        let text = String(decoding: piece, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n"), let name = text.firstRange(of: "Content-Length: "),
            let count = Int(text[name.upperBound...].prefix { $0.isNumber })
        else { return 0 }
        return count + text[..<end.upperBound].utf8.count
    }
}

/// Bodies that are read from a file while they are sent.
struct CurlFileBodyTests {
    private let client: CurlClient
    private let scratch: Scratch

    init() throws {
        client = try CurlClient(version: "1")
        scratch = try Scratch()
    }

    private func request(
        _ url: String, _ path: String, size: Int, silence: Duration = .seconds(60), progress: HTTPProgress? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method: "POST", url: url,
            fileBody: HTTPFileBody(
                head: Array("<<".utf8), path: path, sizeBytes: size, tail: Array(">>".utf8), silenceMax: silence,
                progress: progress))
    }

    private func file(_ bytes: [UInt8]) throws -> String {
        let path = scratch.path + "/file"
        try Files.replace(path, with: bytes)
        return path
    }

    @Test func `a body goes out whole, in its order, with its length told first`() async throws {
        let server = try LoopbackServer { _, _ in .ok("") }
        defer { server.stop() }
        let sent = Mutex<[Int]>([])
        let path = try file(Array("0123456789".utf8))
        let progress = HTTPProgress { count in sent.withLock { $0.append(count) } }
        let answer = try await client.send(request(server.url(), path, size: 10, progress: progress))

        #expect(answer.status == 200 && sent.withLock { $0 } == [10])
        let seen = try #require(server.seen.requests.first)
        #expect(seen.hasSuffix("\r\n\r\n<<0123456789>>") && seen.contains("Content-Length: 14\r\n"))
    }

    /// Fails when a body is held in memory, or its progress goes back.
    @Test func `a body of 200 MiB takes no memory to speak of`() async throws {
        let server = try Drain()
        let size = 200 << 20
        let path = try file([])
        try #require(truncate(path, size) == 0)
        let before = ThisProcess.residentBytes
        let highest = Mutex(0)
        let last = Mutex(0)
        let progress = HTTPProgress { count in
            last.withLock { last in
                #expect(count > last)
                last = count
            }
            // A look at each megabyte is enough.
            if count & 0xFFFFF < 0x10000 { highest.withLock { $0 = max($0, ThisProcess.residentBytes) } }
        }
        let answer = try await client.send(request(server.url, path, size: size, progress: progress))

        #expect(answer.status == 200 && last.withLock { $0 } == size && server.received > size)
        #expect(highest.withLock { $0 } - before < 100 << 20)
    }

    @Test(arguments: [11, 9])
    func `a file of another length is not sent`(size: Int) async throws {
        let server = try LoopbackServer { _, _ in .ok("") }
        defer { server.stop() }
        let path = try file(Array("0123456789".utf8))
        await #expect(throws: HTTPError.badBody) { _ = try await client.send(request(server.url(), path, size: size)) }
        await #expect(throws: HTTPError.badBody) {
            _ = try await client.send(request(server.url(), scratch.path + "/none", size: size))
        }
        await #expect(throws: HTTPError.badBody) {
            _ = try await client.send(request(server.url(), scratch.path, size: size))
        }
        #expect(server.seen.requests.isEmpty)
        #expect(!HTTPError.badBody.mayHaveReachedServer)
    }

    @Test func `a server that takes nothing is given up after its silence`() async throws {
        let server = try Drain(takes: false)
        let size = 64 << 20
        let path = try file([])
        try #require(truncate(path, size) == 0)
        await #expect(throws: HTTPError.timedOut) {
            _ = try await client.send(request(server.url, path, size: size, silence: .seconds(1)))
        }
    }

    @Test func `a cancelled body stops`() async throws {
        let server = try Drain(takes: false)
        let size = 64 << 20
        let path = try file([])
        try #require(truncate(path, size) == 0)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let progress = HTTPProgress { _ in begin.yield() }
        let work = Task { try await client.send(request(server.url, path, size: size, progress: progress)) }
        for await _ in begun { break }
        work.cancel()
        await #expect(throws: CancellationError.self) { _ = try await work.value }
    }
}
