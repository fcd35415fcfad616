internal import Glibc
internal import Platform
internal import Synchronization

/// The log of this process: events go in from anywhere, lines come out in order on a thread of their own.
///
/// Nobody waits for the disk but `flush`, which ends a process.
final class Log: Sendable {
    /// The log every part of the program writes to.
    static let shared = Log()

    private struct State {
        var file: LogFile?
        var level = LogLevel.off
        var pending: [[UInt8]] = []
        var dropped = 0
        var isDraining = false
    }

    /// More lines waiting than this means a disk that does not answer; further ones are counted only.
    private static let pendingMax = 1_000

    private let state = Mutex(State())
    /// Held while a batch is written, so that batches keep their order.
    private let writing = Mutex(())

    /// Says where lines go and which; until then every event is dropped.
    func open(_ path: String, level: LogLevel) {
        state.withLock {
            $0.file = LogFile(path: path)
            $0.level = level
        }
    }

    /// Takes an event; returns at once.
    func note(_ level: LogLevel, _ text: StaticString, _ fields: LogEvent.Field...) {
        guard level.isTold(at: state.withLock { $0.level }) else { return }
        let line = LogEvent(level, text, fields).line(
            milliseconds: WallClock.milliseconds(), processID: getpid())
        let mustStart = state.withLock { state in
            guard state.pending.count < Log.pendingMax else {
                state.dropped += 1
                return false
            }
            state.pending.append(line)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard mustStart else { return }
        Task.detached { await Drainer.shared.drain(self) }
    }

    /// Writes what waits, on the calling thread.
    func flush() {
        writing.withLock { _ in
            let (file, lines) = take()
            guard let file else { return }
            for line in lines { file.append(line) }
        }
    }

    private func take() -> (LogFile?, [[UInt8]]) {
        state.withLock { state in
            defer { state.isDraining = false }
            var lines = state.pending
            state.pending.removeAll()
            if state.dropped > 0 {
                lines.append(
                    LogEvent(.error, "lines were dropped", [.number("count", state.dropped)]).line(
                        milliseconds: WallClock.milliseconds(), processID: getpid()))
                state.dropped = 0
            }
            return (state.file, lines)
        }
    }
}

/// The thread that writes; made with the first line.
private actor Drainer {
    static let shared = Drainer()

    nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func drain(_ log: Log) { log.flush() }
}
