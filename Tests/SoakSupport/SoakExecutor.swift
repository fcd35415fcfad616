internal import Dispatch
internal import Synchronization

/// Runs every task of a run one after another, so that one seed always gives the same order of things.
package final class SoakExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "soak")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Holds this thread until work that runs elsewhere has ended; nothing else of the run goes on meanwhile.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            outcome.set(.success(value))
        } catch {
            outcome.set(.failure(error))
        }
        isDone.signal()
    }
    isDone.wait()
    return try outcome.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

    func get() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
