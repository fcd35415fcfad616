internal import Glibc
internal import Synchronization

/// A call of the system that failed.
package struct SocketError: Error {
    package let code: Int32
}

/// A server on a loopback port whose answers a test writes by hand, also long after the request.
///
/// Each connection has a thread, takes one request, and ends when its script returns.
package final class StreamServer: Sendable {
    private struct State {
        var requests: [String] = []
        var open: Set<Int32> = []
        var isStopped = false
        var isClosed = false
    }

    package let port: UInt16
    private let listener: Int32
    private let script: @Sendable (StreamConnection, _ number: Int) -> Void
    private let state = Mutex(State())

    /// Listens on a port, by default a free one; `number` counts requests from 1.
    package init(
        port: UInt16 = 0, _ script: @escaping @Sendable (StreamConnection, _ number: Int) -> Void
    ) throws(SocketError) {
        (listener, self.port) = try Loopback.listen(port)
        self.script = script
        TestThread.start { [self] in acceptAll() }
    }

    package var origin: String { "http://127.0.0.1:\(port)" }
    /// The header of every request so far.
    package var requests: [String] { state.withLock { $0.requests } }
    /// The connections that neither side has closed.
    package var openConnections: Int { state.withLock { $0.open.count } }

    /// Whether the port is free again, after `stop`.
    package var isClosed: Bool { state.withLock { $0.isClosed && $0.open.isEmpty } }

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
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
        dropAll()
    }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let isWelcome = state.withLock { state in
                if !state.isStopped { state.open.insert(connection) }
                return !state.isStopped
            }
            guard isWelcome else {
                close(connection)
                continue
            }
            TestThread.start { [self] in serve(connection) }
        }
        state.withLock { state in
            close(listener)
            state.isClosed = true
        }
    }

    private func serve(_ connection: Int32) {
        if let request = Loopback.readHeader(connection) {
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
    package func write(_ text: String) { Loopback.write(Array(text.utf8), to: descriptor) }

    /// Sends a header without a length, so that the body ends with the connection.
    package func begin(_ status: String = "200 OK", type: String = "text/event-stream", headers: String = "") {
        write("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n\(headers)\r\n")
    }

    /// Waits until the other side closes.
    package func hold() { while Loopback.read(descriptor) != nil {} }
}
