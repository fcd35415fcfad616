internal import Glibc

/// The body of a 200 answer to one request over a loopback socket.
func ask(_ port: Int, _ target: String, method: String = "GET", body: String = "") throws -> [UInt8] {
    let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard end >= 0 else { throw SetupError.noAnswer(target) }
    defer { close(end) }
    guard withLoopback(port, { connect(end, $0, $1) }) == 0 else { throw SetupError.noAnswer(target) }
    let request = Array(
        """
        \(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\
        Authorization: Bearer hqb_access_owner\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
        """.utf8)
    guard write(end, request, request.count) == request.count else { throw SetupError.noAnswer(target) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(end, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
    }
    guard bytes.starts(with: Array("HTTP/1.1 200".utf8)), let start = bodyStart(bytes) else {
        throw SetupError.noAnswer("\(target): \(String(decoding: bytes.prefix(300), as: UTF8.self))")
    }
    return Array(bytes[start...])
}

private func bodyStart(_ bytes: [UInt8]) -> Int? {
    var index = 0
    while index + 3 < bytes.count {
        if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
            return index + 4
        }
        index += 1
    }
    return nil
}

func withLoopback(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// A server that gives every request one fixed answer, on a thread of its own.
final class ScriptedServer {
    let port: Int
    private let end: Int32
    private var thread: pthread_t = 0

    /// Everything the thread needs, handed to it whole.
    private final class Script: Sendable {
        let end: Int32
        let answer: [UInt8]

        init(_ end: Int32, _ answer: [UInt8]) {
            self.end = end
            self.answer = answer
        }
    }

    init(type: String, body: String, status: String = "200 OK") throws {
        let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.end = end
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = sockaddr_in()
        guard end >= 0, withLoopback(0, { bind(end, $0, $1) }) == 0, listen(end, 16) == 0 else {
            throw SetupError.noAnswer("listen")
        }
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(end, $0, &size) }
        }
        guard named == 0 else { throw SetupError.noAnswer("getsockname") }
        port = Int(UInt16(bigEndian: address.sin_port))
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n"
        let answer = Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
        let script = Unmanaged.passRetained(Script(end, answer))
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let script = Unmanaged<Script>.fromOpaque(context).takeRetainedValue()
                ScriptedServer.serve(script.end, script.answer)
                return nil
            }, script.toOpaque())
    }

    private static func serve(_ listener: Int32, _ answer: [UInt8]) {
        while true {
            let end = accept(listener, nil, nil)
            guard end >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            // A client that has read enough closes; that must not be a signal here.
            if read(end, &buffer, buffer.count) > 0 {
                _ = send(end, answer, answer.count, Int32(MSG_NOSIGNAL))
            }
            shutdown(end, Int32(SHUT_WR))
            while read(end, &buffer, buffer.count) > 0 {}
            close(end)
        }
    }

    deinit {
        shutdown(end, Int32(SHUT_RDWR))
        pthread_join(thread, nil)
        close(end)
    }
}

/// A port on which nothing listens.
func deadPort() throws -> Int {
    let server = try ScriptedServer(type: "text/plain", body: "")
    return server.port
}
