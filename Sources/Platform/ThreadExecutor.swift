internal import CSystem
internal import Glibc
internal import Synchronization

/// A serial executor on a thread of its own.
///
/// An actor that may block (on SQLite, on a file) runs here, so that it never holds one of the few threads
/// of Swift's shared pool.
package final class ThreadExecutor: SerialExecutor, Sendable {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let wake = eventfd(0, Int32(EFD_CLOEXEC))
    private let niceness: Int32

    /// Starts the thread; with a `niceness` above zero, it and the threads it starts leave the processor to others.
    package init(niceness: Int32 = 0) {
        self.niceness = niceness
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<ThreadExecutor>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
        if pthread_create(&thread, nil, body, context) == 0 {
            pthread_detach(thread)
        }
    }

    /// Adds a job; the thread runs jobs in the order they were added.
    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        state.withLock { $0.jobs.append(unowned) }
        signal()
    }

    /// Ends the thread once its jobs are done.
    package func stop() {
        state.withLock { $0.isStopped = true }
        signal()
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    private func run() {
        if niceness > 0 { _ = herald_set_thread_niceness(niceness) }
        while true {
            var count: UInt64 = 0
            _ = read(wake, &count, 8)
            let jobs = state.withLock { state in
                let jobs = state.jobs
                state.jobs.removeAll(keepingCapacity: true)
                return jobs
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if state.withLock({ $0.isStopped && $0.jobs.isEmpty }) {
                close(wake)
                return
            }
        }
    }
}
