/// Does something that blocks, on a thread that nothing else needs.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        TestThread.start { continuation.resume(with: Result { try body() }) }
    }
}
