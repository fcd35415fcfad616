internal import CSystem
internal import Glibc
internal import Synchronization
package import TerminalUI

/// One thing that woke the loop.
package enum LoopEvent: Sendable, Hashable {
    /// Keys, pastes and focus changes, in order.
    case input([InputEvent])
    /// The terminal has another size.
    case resized(Size)
    /// A signal other than the one for a new size.
    case signal(Int32)
    /// The deadline set with `setDeadline` has passed.
    case deadline
    /// The terminal is gone.
    case hangup
}

/// The actor of everything on the screen; its executor is `UILoop.shared`.
@globalActor
package actor UIActor {
    package static let shared = UIActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        UILoop.shared.asUnownedSerialExecutor()
    }
}

/// The main thread as an executor: it waits for input, signals, a deadline and jobs, and runs what comes.
package final class UILoop: SerialExecutor, TaskExecutor, Sendable {
    /// The loop of this process.
    package static let shared = UILoop()

    private struct State {
        var jobs: [UnownedJob] = []
        var deadline: ContinuousClock.Instant?
        var stopped = false
        var isReading = true
        var owner: pthread_t?
        var onIdle: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())
    private let wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

    private init() {}

    /// Takes a job from the runtime.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return state.jobs.count == 1
        }
        if isFirst { wake() }
    }

    /// This loop for the runtime.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Whether the calling thread is the one that runs this loop.
    package func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.owner } == pthread_self()
    }

    /// Asks for a `.deadline` event at an instant; `nil` takes the wish back.
    ///
    /// There is one deadline at a time.
    package func setDeadline(_ deadline: ContinuousClock.Instant?) {
        state.withLock { $0.deadline = deadline }
        wake()
    }

    /// Reads the terminal, or leaves its keys to another program.
    package func setReading(_ isReading: Bool) {
        state.withLock { $0.isReading = isReading }
        wake()
    }

    /// Sets what is called, on the loop's thread, each time the loop is about to wait and nothing is there yet.
    ///
    /// The action gets the number of bytes of input read so far.
    package func onIdle(_ action: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.onIdle = action }
    }

    /// Ends `run` after the current job.
    package func stop() {
        state.withLock { $0.stopped = true }
        wake()
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// Runs on the calling thread until `stop`; `handler` gets every event in order, on the loop.
    ///
    /// With `input` negative no terminal is read.
    package func run(input: Int32 = 0, handler: @escaping @UIActor @Sendable (LoopEvent) -> Void) {
        state.withLock { $0.owner = pthread_self() }
        var source = EventSource(input: input, wakeDescriptor: wakeDescriptor)
        defer { source.close() }
        while !state.withLock({ $0.stopped }) {
            runJobs()
            guard !state.withLock({ $0.stopped }) else { break }
            source.isReading = state.withLock { $0.isReading }
            tellIdle(source)
            for event in source.wait(until: state.withLock { $0.deadline }) { deliver(event, to: handler) }
            if takeDeadline() { deliver(.deadline, to: handler) }
        }
        state.withLock { $0.stopped = false }
    }

    private func tellIdle(_ source: EventSource) {
        let action = state.withLock { state in
            let isWaiting = state.jobs.isEmpty && state.deadline.map { $0 > .now } ?? true
            return isWaiting ? state.onIdle : nil
        }
        guard let action, source.isQuiet else { return }
        action(source.inputBytes)
    }

    private func deliver(_ event: LoopEvent, to handler: @escaping @UIActor @Sendable (LoopEvent) -> Void) {
        Task(priority: .userInitiated) { @UIActor in handler(event) }
    }

    private func takeDeadline() -> Bool {
        state.withLock { state in
            guard let deadline = state.deadline, deadline <= .now else { return false }
            state.deadline = nil
            return true
        }
    }

    /// Runs what is queued now; what these jobs queue waits for the next turn, so input is never starved.
    private func runJobs() {
        let batch = state.withLock { state in
            defer { state.jobs.removeAll(keepingCapacity: true) }
            return state.jobs
        }
        for job in batch {
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    /// Blocks the signals the loop reads.
    ///
    /// Call it first, before any thread exists.
    package static func blockSignals() {
        var set = EventSource.signals()
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }
}
