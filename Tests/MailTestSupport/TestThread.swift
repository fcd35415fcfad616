internal import Glibc

/// Plain threads, because what runs on them blocks.
package enum TestThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a function on a new thread.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        if let thread = begin(body) { pthread_detach(thread) }
    }

    /// Runs a function on a new thread and another on this one; returns when both have ended.
    package static func both(_ one: @escaping @Sendable () -> Void, _ other: () -> Void) {
        let thread = begin(one)
        other()
        if let thread { pthread_join(thread, nil) }
    }

    private static func begin(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &thread, nil,
            { @Sendable context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        if result == 0 { return thread }
        work.release()
        return nil
    }
}
