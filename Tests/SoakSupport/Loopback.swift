internal import Glibc
package import HTTP
internal import Synchronization

/// Why a request over loopback has no answer.
package enum LoopbackError: Error {
    case noSocket
    case refusedVerb(String)
}

/// A client that holds its thread until the answer is there, so that requests never overtake each other.
package final class LoopbackClient: HTTPClient {
    private struct State {
        var sent = 0
        var diesAt: Int?
        var secondsMax = 30.0
    }

    private let state = Mutex(State())
    private let pageRows: Int?
    private let beforeEach: @Sendable () -> Void
    private let note: @Sendable (String) -> Void

    /// A client that calls `beforeEach` before every request, so that things happen on the server during a pass.
    ///
    /// `note` is told of each request and its end. `pageRows` asks for pages of that length, so that a little mail
    /// has many.
    package init(
        pageRows: Int? = nil, beforeEach: @escaping @Sendable () -> Void = {},
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.pageRows = pageRows
        self.beforeEach = beforeEach
        self.note = note
    }

    /// Has the client stop for ever before the n-th request from now, and sets how long it waits.
    package func plan(diesAt: Int?, secondsMax: Double) {
        state.withLock { state in
            state = State(sent: 0, diesAt: diesAt, secondsMax: secondsMax)
        }
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (dies, secondsMax) = state.withLock { state in
            state.sent += 1
            return (state.diesAt.map { state.sent >= $0 } ?? false, state.secondsMax)
        }
        guard !dies else { throw Killed() }
        beforeEach()
        guard let url = URLParts(request.url), url.isLoopback else { throw HTTPError.badURL }
        var target = url.path + (url.query.map { "?" + $0 } ?? "")
        if let pageRows { target = target.replacing("limit=100", with: "limit=\(pageRows)") }
        let headers = request.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "\(request.method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(url.port)\r\nConnection: close\r\n"
        do {
            let answer = try Loopback.exchange(
                url.port, Array((head + headers + "\r\n").utf8) + (request.body ?? []), secondsMax: secondsMax,
                bytesMax: request.responseBytesMax)
            note("  \(Loopback.short(target)): \(answer.status), \(answer.body.count) bytes")
            return answer
        } catch {
            note("  \(Loopback.short(target)): \(error)")
            throw error
        }
    }
}

/// Thrown where a real process would have died.
package struct Killed: Error {}

/// Plain exchanges with a port of this machine.
package enum Loopback {
    /// Carries out a verb of the server's control port.
    ///
    /// - Throws: `HTTPError`, or `LoopbackError.refusedVerb` when the server did not do it.
    package static func control(_ port: Int, _ target: String, body: [UInt8] = []) throws {
        let head = """
            POST \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """
        let answer = try exchange(port, Array(head.utf8) + body, secondsMax: 30, bytesMax: 1 << 24)
        guard answer.isSuccess else { throw LoopbackError.refusedVerb(target) }
    }

    static func exchange(
        _ port: Int, _ request: [UInt8], secondsMax: Double, bytesMax: Int
    ) throws -> HTTPResponse {
        let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard end >= 0 else { throw LoopbackError.noSocket }
        defer { close(end) }
        var wait = timeval(
            tv_sec: Int(secondsMax), tv_usec: Int((secondsMax * 1_000_000).truncatingRemainder(dividingBy: 1_000_000)))
        setsockopt(end, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        guard isConnected(end, port) else { throw HTTPError.unreachable }
        guard write(end, request, request.count) == request.count else { throw HTTPError.interrupted }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = read(end, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw errno == EAGAIN ? HTTPError.timedOut : HTTPError.interrupted }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= bytesMax + 65_536 else { throw HTTPError.tooLarge(limit: bytesMax) }
        }
        return try answer(bytes)
    }

    /// A target with the end of its cursor only.
    static func short(_ target: String) -> String {
        guard let cursor = target.firstRange(of: "cursor=")?.upperBound else { return target }
        return target[..<cursor] + ".." + target[cursor...].suffix(9)
    }

    private static func isConnected(_ end: Int32, _ port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(end, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Reads an answer that ended with its connection; one shorter than it says is no answer.
    private static func answer(_ bytes: [UInt8]) throws -> HTTPResponse {
        guard let split = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw HTTPError.interrupted }
        let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { throw HTTPError.badResponse }
        let headers = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map { colon in
                HTTPHeader(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
            }
        }
        let body = Array(bytes[split.upperBound...])
        if let length = headers.value(of: "Content-Length").flatMap({ Int($0) }), body.count < length {
            throw HTTPError.interrupted
        }
        return HTTPResponse(status: status, headers: headers, body: body)
    }
}
