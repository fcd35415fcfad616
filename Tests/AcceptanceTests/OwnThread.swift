internal import Glibc
internal import MailTestSupport
internal import Testing

/// Runs each job on a thread of its own.
final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        TestThread.start { unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Runs tests that wait for processes on threads of their own.
///
/// The shared pool has as many threads as the machine has processors, and other suites need them.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs tests that wait for processes on threads of their own.
    static var ownThread: Self { OwnThread() }
}
