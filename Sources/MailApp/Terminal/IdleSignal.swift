internal import Glibc
internal import Platform
internal import Synchronization
internal import TerminalDriver

/// Knows whether an effect runs, and tells a test when none does and no event waits.
///
/// Only debug builds tell, on the descriptor that `HERALD_IDLE_FD` names. Each time the loop goes to sleep with
/// nothing to wait for but the person and the clock, one byte is written: how many bytes of input the program
/// has read so far, modulo 256. A test that counts what it types knows by it that its keys were acted on.
final class IdleSignal: Sendable {
    private let running = Mutex(0)

    /// Counts an effect that begins.
    func begin() { running.withLock { $0 += 1 } }

    /// Counts an effect that is over.
    func end() { running.withLock { $0 -= 1 } }

    /// Begins to tell, where this is asked for.
    func start() {
        #if DEBUG
            guard let text = Environment.value("HERALD_IDLE_FD"), let file = Int32(text), file > 2 else { return }
            Environment.remove("HERALD_IDLE_FD")
            // Neither a child process nor a test that does not read may hold the program up.
            guard fcntl(file, F_SETFD, FD_CLOEXEC) == 0, fcntl(file, F_SETFL, O_NONBLOCK) == 0 else { return }
            UILoop.shared.onIdle { inputBytes in
                guard self.running.withLock({ $0 == 0 }) else { return }
                var byte = UInt8(truncatingIfNeeded: inputBytes)
                _ = write(file, &byte, 1)
            }
        #endif
    }
}
