package import MailModel

/// What waits in the outbox as it changes, by this process and by others; what ends there is `OutboxWatch`'s.
///
/// The kernel tells of writes to the file's log; a burst of commits is gathered for 50 ms. An outbox that is made later
/// is followed from then on.
package actor LiveOutbox {
    private let path: String
    private let owner: String
    private let bursts: OutboxBursts
    private var reader: OutboxReader?
    private var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastSubscriber = 0
    private var listener: Task<Void, Never>?

    /// Watches the outbox at `path`, which need not exist yet.
    package init(path: String, owner: String) {
        self.path = path
        self.owner = owner
        bursts = OutboxBursts(path: path)
    }

    deinit {
        bursts.stop()
        listener?.cancel()
        for subscriber in subscribers.values { subscriber.finish() }
    }

    /// What waits, at most `limit` operations in their order, then each different answer; a slow reader gets only the
    /// latest.
    ///
    /// Ends with `OutboxError` when the outbox cannot be read.
    package func operations(limit: Int) -> AsyncThrowingStream<[Operation], any Error> {
        let changes = changes()
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    var last = try await self.present(limit)
                    continuation.yield(last)
                    for await _ in changes {
                        let now = try await self.present(limit)
                        if now != last { continuation.yield(now) }
                        last = now
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func present(_ limit: Int) async throws -> [Operation] {
        try await opened()?.operations(limit: limit) ?? []
    }

    /// The reader of the file; `nil` while there is none.
    private func opened() throws -> OutboxReader? {
        if reader == nil { reader = try OutboxReader(path: path, owner: owner) }
        return reader
    }

    /// One value after each burst of commits.
    private func changes() -> AsyncStream<Void> {
        start()
        lastSubscriber += 1
        let key = lastSubscriber
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        subscribers[key] = continuation
        continuation.onTermination = { _ in Task { await self.leave(key) } }
        return stream
    }

    private func leave(_ key: Int) { subscribers[key] = nil }

    private func start() {
        guard listener == nil else { return }
        listener = bursts.listen { [weak self] in await self?.tell() }
    }

    private func tell() {
        for subscriber in subscribers.values { subscriber.yield() }
    }
}
