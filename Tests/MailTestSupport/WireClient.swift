internal import Glibc
package import Platform

/// Why a request has no answer.
package enum WireError: Error, Hashable {
    /// Nobody listens on the port, or the system has no socket left.
    case refused(SystemError)
    /// The connection ended before the answer's header did.
    case cut
    /// The other side sent nothing for too long.
    case timedOut
    /// The answer has more bytes than the client takes.
    case tooLong
    /// What came is no answer of HTTP.
    case noAnswer
}

/// A client with a connection for each request, which holds its thread until the answer is there.
package struct WireClient: Sendable {
    package let port: Int
    /// How long it waits for the next bytes.
    package var secondsMax: Double
    /// The bytes of an answer, its header included.
    package var bytesMax: Int

    package init(port: Int, secondsMax: Double = 120, bytesMax: Int = .max) {
        self.port = port
        self.secondsMax = secondsMax
        self.bytesMax = bytesMax
    }

    /// Sends one request, with fields for host, length and end of connection besides those given.
    package func send(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws(WireError) -> WireAnswer {
        try WireAnswer(exchange(request(method, target, headers: headers, body: body)))
    }

    /// Sends bytes as they are; answers all that comes back until the other side closes.
    ///
    /// `isCut` ends the sending side, so that a server that waits for more can give up at once.
    package func exchange(_ request: [UInt8], isCut: Bool = false) throws(WireError) -> [UInt8] {
        let connection = try begin(request)
        defer { close(connection) }
        if isCut { shutdown(connection, Int32(SHUT_WR)) }
        var bytes: [UInt8] = []
        while true {
            switch Loopback.receive(connection) {
            case .bytes(let more): bytes += more
            case .end: return bytes
            case .nothingInTime: throw .timedOut
            }
            guard bytes.count <= bytesMax else { throw .tooLong }
        }
    }

    /// Sends a request; answers the socket the answer will come from, to be closed by the caller.
    package func begin(_ method: String, _ target: String, headers: [(String, String)]) throws(WireError) -> Int32 {
        try begin(request(method, target, headers: headers, body: nil))
    }

    private func begin(_ request: [UInt8]) throws(WireError) -> Int32 {
        let connection: Int32
        do { connection = try Loopback.connect(port) } catch { throw .refused(error) }
        let microseconds = Int(secondsMax * 1_000_000)
        var wait = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        // A server that answers before the end may have closed its side; its answer is still to be read.
        Loopback.write(request, to: connection)
        return connection
    }

    private func request(
        _ method: String, _ target: String, headers: [(String, String)], body: [UInt8]?
    ) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n"
        if !headers.contains(where: { $0.0.lowercased() == "host" }) { head += "Host: 127.0.0.1:\(port)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}
