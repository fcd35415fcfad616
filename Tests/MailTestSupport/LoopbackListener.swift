internal import Glibc
package import Platform
internal import Synchronization

/// A loopback port that gives each connection a thread of its own.
package final class LoopbackListener: Sendable {
    package let port: Int
    private let descriptor: Int32
    private let isStopped = Atomic(false)
    private let isDescriptorClosed = Atomic(false)

    /// Listens on a port, by default a free one; nothing is accepted before `serve`.
    package init(port: Int = 0, backlog: Int32 = 256) throws(SystemError) {
        (descriptor, self.port) = try Loopback.listen(port: port, backlog: backlog)
    }

    deinit {
        if !isClosed { close(descriptor) }
    }

    /// Has `body` called with each connection, which it closes, until `stop`.
    package func serve(_ body: @escaping @Sendable (Int32) -> Void) {
        TestThread.start { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard connection >= 0 else { break }
                // A program that another test starts would else hold it open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                TestThread.start { body(connection) }
            }
            close(descriptor)
            isDescriptorClosed.store(true, ordering: .releasing)
        }
    }

    /// Wakes the accepting thread, which frees the port and ends.
    package func stop() {
        if !isStopped.exchange(true, ordering: .relaxed) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Whether the port is free again, after `stop`.
    package var isClosed: Bool { isDescriptorClosed.load(ordering: .acquiring) }
}
