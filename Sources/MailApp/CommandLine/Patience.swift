/// Waits that tell what they wait for once they take longer than a moment.
enum Patience {
    /// How long nothing is said.
    private static let silence = Duration.seconds(1)

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
