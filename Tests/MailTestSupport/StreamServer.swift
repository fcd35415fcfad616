internal import Glibc
package import Platform
internal import Synchronization

/// A server on a loopback port whose answers a test writes by hand, also long after the request.
///
/// Each connection has a thread, takes one request, and ends when its script returns.
package final class StreamServer: Sendable {
    private struct State {
        var requests: [String] = []
        var open: Set<Int32> = []
        var isStopped = false
    }

    private let listener: LoopbackListener
    private let script: @Sendable (StreamConnection, _ number: Int) -> Void
    private let state = Mutex(State())

    /// Listens on a port, by default a free one; `number` counts requests from 1.
    package init(
        port: Int = 0, _ script: @escaping @Sendable (StreamConnection, _ number: Int) -> Void
    ) throws(SystemError) {
        listener = try LoopbackListener(port: port)
        self.script = script
        listener.serve { [self] in serve($0) }
    }

    package var port: Int { listener.port }
    package var origin: String { "http://127.0.0.1:\(port)" }
    /// The header of every request so far.
    package var requests: [String] { state.withLock { $0.requests } }
    /// The connections that neither side has closed.
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Whether the port is free again, after `stop`.
    package var isClosed: Bool { listener.isClosed && openConnections == 0 }

    /// Writes to every open connection.
    package func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// Writes bytes to every open connection.
    package func write(bytes: [UInt8]) {
        state.withLock { state in
            for connection in state.open { Loopback.write(bytes, to: connection) }
        }
    }

    /// Closes every open connection.
    package func dropAll() {
        state.withLock { state in
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the port and every connection, as a killed server would.
    package func stop() {
        state.withLock { $0.isStopped = true }
        listener.stop()
        dropAll()
    }

    private func serve(_ connection: Int32) {
        let isWelcome = state.withLock { state in
            if !state.isStopped { state.open.insert(connection) }
            return !state.isStopped
        }
        if isWelcome, let request = Loopback.readRequest(connection) {
            let number = state.withLock { state in
                state.requests.append(request)
                return state.requests.count
            }
            script(StreamConnection(descriptor: connection, request: request), number)
        }
        // Closed under the lock, so that no one writes to a descriptor that is another's by then.
        state.withLock { state in
            state.open.remove(connection)
            close(connection)
        }
    }
}

/// One request at a `StreamServer`, to be answered.
package struct StreamConnection: Sendable {
    package let descriptor: Int32
    package let request: String

    /// The value of a header field of the request.
    package func header(_ name: String) -> String? {
        for line in request.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name { return String(parts[1].drop { $0 == " " }) }
        }
        return nil
    }

    /// Sends text as it is.
    package func write(_ text: String) { Loopback.write(text, to: descriptor) }

    /// Whether the other side has taken so little that nothing more can be written.
    package var isFull: Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&room, 1, 0) == 0
    }

    /// Sends a header without a length, so that the body ends with the connection.
    package func begin(_ status: String = "200 OK", type: String = "text/event-stream", headers: String = "") {
        write("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n\(headers)\r\n")
    }

    /// Waits until the other side closes.
    package func hold() { while Loopback.read(descriptor) != nil {} }
}
