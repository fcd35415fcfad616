internal import Glibc
internal import Synchronization

/// Sockets of the servers below.
enum Loopback {
    /// Listens on a free loopback port.
    static func listen(backlog: Int32 = 64) throws -> (end: Int32, port: Int) {
        let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = sockaddr_in()
        guard end >= 0, withLoopback(0, { bind(end, $0, $1) }) == 0, Glibc.listen(end, backlog) == 0 else {
            throw SetupError.noAnswer("listen")
        }
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(end, $0, &size) }
        }
        guard named == 0 else { throw SetupError.noAnswer("getsockname") }
        return (end, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A socket connected to a loopback port, or one whose connecting goes on when it does not block.
    static func connect(_ port: Int, blocks: Bool = true) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let end = socket(AF_INET, flags | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue)), 0)
        _ = withLoopback(port) { Glibc.connect(end, $0, $1) }
        return end
    }

    /// Runs a body on a thread of its own.
    static func onThread(_ body: @escaping @Sendable () -> Void) {
        final class Work: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(body)).toOpaque()
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }
        if pthread_create(&thread, nil, start, context) == 0 { pthread_detach(thread) }
    }

    /// Sends what comes on one socket to another until it ends; `change` answers what is sent for each piece.
    static func pump(_ from: Int32, _ to: Int32, change: ([UInt8]) -> [UInt8]?) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0 else { break }
            guard let bytes = change(Array(buffer[..<count])) else { continue }
            guard send(to, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }
}

/// A way to a server that can be shut: it then swallows requests and keeps every connection open.
final class Gate: Sendable {
    let port: Int
    private let listener: Int32
    private let passed = Atomic(0)
    private let limit: Atomic<Int>

    /// Lets so many requests through.
    init(to upstream: Int, letting limit: Int = .max) throws {
        (listener, port) = try Loopback.listen()
        self.limit = Atomic(limit)
        Loopback.onThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let server = Loopback.connect(upstream)
                Loopback.onThread { [self] in
                    Loopback.pump(client, server) { piece in
                        let number = passed.add(1, ordering: .relaxed).oldValue
                        return number < self.limit.load(ordering: .relaxed) ? renamed(piece, port, upstream) : nil
                    }
                }
                Loopback.onThread { [self] in Loopback.pump(server, client) { renamed($0, upstream, port) } }
            }
        }
    }

    /// The bytes with one port for the other, since the server answers to its own name only; both have five digits.
    private func renamed(_ bytes: [UInt8], _ old: Int, _ new: Int) -> [UInt8] {
        let (from, to) = (Array("127.0.0.1:\(old)".utf8), Array("127.0.0.1:\(new)".utf8))
        var bytes = bytes
        for range in bytes.ranges(of: from).reversed() { bytes.replaceSubrange(range, with: to) }
        return bytes
    }

    /// Whether a request came that was not let through.
    var isShut: Bool { passed.load(ordering: .relaxed) > limit.load(ordering: .relaxed) }

    /// Shuts after so many more requests.
    func shut(after count: Int) { limit.store(passed.load(ordering: .relaxed) + count, ordering: .relaxed) }

    /// Lets everything through again.
    func open() { limit.store(.max, ordering: .relaxed) }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// A server that never comes to an answer.
final class StalledServer: Sendable {
    enum Manner: CaseIterable, Sendable {
        /// Connecting takes for ever.
        case unconnected
        /// A request is read and never answered.
        case silent
        /// A byte of the answer comes each second.
        case dripping
    }

    let port: Int
    private let listener: Int32
    private let fillers: [Int32]

    init(_ manner: Manner) throws {
        (listener, port) = try Loopback.listen(backlog: manner == .unconnected ? 0 : 64)
        // A full queue of connections nobody accepts: the kernel lets further ones wait.
        fillers = manner == .unconnected ? (0..<4).map { [port] _ in Loopback.connect(port, blocks: false) } : []
        if manner == .unconnected { return }
        let listener = listener
        Loopback.onThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Loopback.onThread { StalledServer.serve(client, manner) }
            }
        }
    }

    private static func serve(_ client: Int32, _ manner: Manner) {
        var rest = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[       ]".utf8)[...]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var polled = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, 1_000) > 0, read(client, &buffer, buffer.count) <= 0 { break }
            if manner == .dripping, let byte = rest.popFirst() { _ = send(client, [byte], 1, Int32(MSG_NOSIGNAL)) }
        }
        close(client)
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for end in fillers { close(end) }
    }
}
