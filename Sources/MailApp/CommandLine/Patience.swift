internal import Platform

/// Waits that tell what they wait for once they take longer than a moment.
enum Patience {
    /// How long nothing is said.
    private static let silence = Duration.seconds(1)

    /// How long a keyring, or a program that prints a bearer, is waited for.
    static var stores: Duration { limit(2) }
    /// How long the doctor waits for a server.
    static var servers: Duration { limit(5) }

    /// So many seconds; a debug build can be told others, since a busy machine of tests is slower than a person's.
    private static func limit(_ seconds: Int) -> Duration {
        #if DEBUG
            if let other = Environment.value("HERALD_PATIENCE").flatMap({ Int($0) }) { return .seconds(other) }
        #endif
        return .seconds(seconds)
    }

    /// Does something, and says on a terminal what is waited for while it takes long.
    static func telling<Value>(_ text: String, _ work: () async throws -> Value) async throws -> Value {
        let notice = Task {
            try await Task.sleep(for: silence)
            Output.progress(text + " …")
            return true
        }
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await work())
        } catch {
            outcome = .failure(error)
        }
        notice.cancel()
        if (try? await notice.value) == true { Output.endProgress() }
        return try outcome.get()
    }

    /// Does something, but for no longer than a limit; `nil` when it took longer.
    static func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
