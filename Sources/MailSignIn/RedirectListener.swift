internal import Glibc
package import Platform

/// Waits on loopback for a browser to bring the answer of a sign-in (RFC 8252 §7.3).
///
/// On a port of its own that ends with it, for this machine only. Browsers open connections ahead and ask for icons,
/// so several are read at a time and only the answer ends the wait. Runs on a thread of its own, since it blocks.
package actor RedirectListener {
    nonisolated private let executor = ThreadExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The port that the system chose.
    nonisolated let port: Int
    private let socket: Int32
    private var connections: [Connection] = []

    private struct Connection {
        let file: Int32
        var bytes: [UInt8] = []
    }

    /// More at once are not read; the longest-waiting one makes room.
    private static let connectionsMax = 16
    /// How long the thread sleeps before it looks whether it is still wanted, in milliseconds.
    private static let pause: Int32 = 100

    /// Begins to listen.
    ///
    /// - Throws: `SystemError` when there is no port.
    package init() throws(SystemError) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let file = Glibc.socket(AF_INET, Int32(kind), 0)
        guard file >= 0 else { throw SystemError(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, size) == 0 && listen(file, 16) == 0 && getsockname(file, $0, &size) == 0
            }
        }
        guard isListening else {
            let code = errno
            close(file)
            throw SystemError(call: "bind", code: code)
        }
        socket = file
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    isolated deinit {
        for connection in connections { close(connection.file) }
        close(socket)
        executor.stop()
    }

    /// Where the browser is sent back to.
    nonisolated var redirect: String { "http://127.0.0.1:\(port)\(RedirectRequest.path)" }

    /// The fields of the answer that carries our state; `nil` when none came by `end` of the monotonic clock.
    ///
    /// - Throws: `CancellationError`.
    func answer(state: String, until end: Int64) throws -> [String: String]? {
        while Environment.monotonicMilliseconds < end {
            try Task.checkCancellation()
            var polled = ([socket] + connections.map(\.file)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), RedirectListener.pause) > 0 else { continue }
            // From the last, since those that have ended are taken out.
            for index in connections.indices.reversed() where polled[index + 1].revents != 0 {
                if let fields = read(index, state) { return fields }
            }
            if polled[0].revents != 0 { takeConnection() }
        }
        return nil
    }

    private func takeConnection() {
        let file = accept(socket, nil, nil)
        guard file >= 0 else { return }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
        if connections.count >= RedirectListener.connectionsMax { close(connections.removeFirst().file) }
        connections.append(Connection(file: file))
    }

    /// Reads what has come on a connection; answers the fields when it is what is waited for.
    private func read(_ index: Int, _ state: String) -> [String: String]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(connections[index].file, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count > 0 else {
            close(connections.remove(at: index).file)
            return nil
        }
        connections[index].bytes += buffer[..<count]
        let request = RedirectRequest(connections[index].bytes, port: port, state: state)
        if request == .incomplete { return nil }
        let file = connections.remove(at: index).file
        // The page fits the socket's buffer, so a reader that does not read holds nothing up.
        let page = request.page
        _ = send(file, page, page.count, Int32(MSG_NOSIGNAL))
        shutdown(file, Int32(SHUT_WR))
        close(file)
        guard case .answer(let fields) = request else { return nil }
        return fields
    }
}
