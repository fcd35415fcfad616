internal import Glibc
internal import MailTestSupport
internal import Synchronization

/// A way to a server that can be shut: it then swallows requests and keeps every connection open.
final class Gate: Sendable {
    private let listener: LoopbackListener
    private let passed = Atomic(0)
    private let limit: Atomic<Int>

    /// Lets so many requests through.
    init(to upstream: Int, letting limit: Int = .max) throws {
        listener = try LoopbackListener()
        self.limit = Atomic(limit)
        listener.serve { [self] client in
            if let server = try? Loopback.connect(upstream) {
                TestThread.both { [self] in
                    Loopback.pump(client, server) { isLetThrough() ? renamed($0, port, upstream) : nil }
                } _: {
                    Loopback.pump(server, client) { renamed($0, upstream, port) }
                }
                close(server)
            }
            close(client)
        }
    }

    var port: Int { listener.port }

    private func isLetThrough() -> Bool {
        passed.add(1, ordering: .relaxed).oldValue < limit.load(ordering: .relaxed)
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

    func stop() { listener.stop() }
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

    private let listener: LoopbackListener
    private let fillers: [Int32]

    init(_ manner: Manner) throws {
        let listener = try LoopbackListener(backlog: manner == .unconnected ? 0 : 64)
        self.listener = listener
        // A full queue of connections nobody accepts: the kernel lets further ones wait.
        fillers = manner == .unconnected ? try (0..<4).map { _ in try Loopback.beginConnecting(listener.port) } : []
        if manner != .unconnected { listener.serve { StalledServer.serve($0, manner) } }
    }

    var port: Int { listener.port }

    private static func serve(_ client: Int32, _ manner: Manner) {
        var rest = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[       ]".utf8)[...]
        while true {
            var polled = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, 1_000) > 0, Loopback.read(client) == nil { break }
            if manner == .dripping, let byte = rest.popFirst() { Loopback.write([byte], to: client) }
        }
        close(client)
    }

    func stop() {
        listener.stop()
        for end in fillers { close(end) }
    }
}
