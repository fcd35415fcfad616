internal import Glibc
internal import Platform
internal import Synchronization

/// Lets the main thread wait for work that runs elsewhere.
final class BlockingOutcome: Sendable {
    /// How the work ended.
    enum Ending: Hashable, Sendable {
        case done
        case failed(CommandFailure)
        case cancelled
        /// The other descriptor can be read; the work goes on.
        case interrupted
    }

    private let state = Mutex<Ending?>(nil)
    private let pipeEnds: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipeEnds = (ends[0], ends[1])
    }

    deinit {
        close(pipeEnds.read)
        close(pipeEnds.write)
    }

    /// Ends the wait.
    func finish(_ ending: Ending) {
        state.withLock { $0 = ending }
        var byte: UInt8 = 0
        _ = write(pipeEnds.write, &byte, 1)
    }

    /// Waits for `finish`, or for another descriptor to be readable, at most so long when a time is given; `nil` when
    /// that was not enough.
    func wait(milliseconds: Int64? = nil, or descriptor: Int32 = -1) -> Ending? {
        let end = milliseconds.map { Environment.monotonicMilliseconds + $0 }
        while true {
            let left = end.map { max(0, $0 - Environment.monotonicMilliseconds) }
            var polled = [
                pollfd(fd: pipeEnds.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&polled, 2, left.map { Int32(clamping: $0) } ?? -1)
            if count > 0, polled[0].revents != 0 { return state.withLock { $0 } }
            if count > 0 { return .interrupted }
            if count == 0, left == 0 { return nil }
        }
    }
}
