internal import MailModel
internal import MailStorage

/// What an outbox tells, whichever process it happened in.
///
/// Read from the outbox's own records. What no record has (that another process drains it, a full disk, another sign-in)
/// is told only by the drain that met it.
package struct OutboxEvents: Sendable {
    private let watch: OutboxWatch
    /// Events kept for a subscriber who is slow; the oldest go.
    private static let eventsMax = 10_000

    /// The events of the outbox at `path` as far as it is `owner`'s; it need not exist yet.
    package init(path: String, owner: String) { watch = OutboxWatch(path: path, owner: owner) }

    /// The events from now on, in order, for one more subscriber.
    package func stream() async -> AsyncStream<OutboxEvent> {
        let news = await watch.news()
        return AsyncStream(bufferingPolicy: .bufferingNewest(OutboxEvents.eventsMax)) { continuation in
            // The watch lives as long as somebody listens.
            let task = Task { [watch] in
                for await one in news { OutboxEvent.events(one).forEach { continuation.yield($0) } }
                continuation.finish()
                _ = watch
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension OutboxEvent {
    /// What is told of a record.
    fileprivate static func events(_ news: OutboxNews) -> [OutboxEvent] {
        switch news {
        case .counts(let counts): [.queueDepth(counts)]
        case .failed(let id, let code): FailureCode(rawValue: code).map { [.failed(id, $0)] } ?? []
        case .ended(let entry): ended(entry.id, entry.message, entry.verdict)
        }
    }

    /// What is told of an operation that ended without being done.
    static func ended(_ id: OperationID, _ message: MessageID, _ verdict: Verdict) -> [OutboxEvent] {
        [.mutationDropped(id, message, verdict)]
            + (verdict.kind == .deadLetter ? [.deadLetter(id, verdict.reason)] : [])
    }
}
