internal import Glibc
internal import Synchronization

/// Lets the main thread wait for work that runs elsewhere.
final class BlockingOutcome: Sendable {
    private struct State {
        var isFinished = false
        var failure: CommandFailure?
    }

    private let state = Mutex(State())
    private let pipeEnds: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        pipeEnds = (ends[0], ends[1])
    }

    /// Whether `finish` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends the wait; `nil` means success.
    func finish(_ failure: CommandFailure?) {
        state.withLock {
            $0.isFinished = true
            $0.failure = failure
        }
        var byte: UInt8 = 0
        _ = write(pipeEnds.write, &byte, 1)
    }

    /// Waits for `finish`; answers what it was given.
    func wait() -> CommandFailure? {
        var byte: UInt8 = 0
        while read(pipeEnds.read, &byte, 1) < 0, errno == EINTR {}
        return state.withLock { $0.failure }
    }
}
