package import MailModel
internal import Platform

/// The cache as it changes: values that are sent again after each commit that touches them, of this process or
/// another.
///
/// The kernel tells of writes to the cache's files; the commit log says what they were. A burst of commits is
/// gathered for 50 ms. A cache that another process replaces is opened anew and counts as changed entirely.
package actor LiveQueries {
    /// What a subscriber of commits hears.
    package enum Event: Sendable, Hashable {
        case changed(StoreChange)
        /// The file is another one, or there is one at last; readers must be opened again.
        case replaced
        /// The file that was there is gone.
        case gone
    }

    private let path: String
    private let owner: String
    private let watch: FileWatch
    private var reader: MailReader?
    private var inode: UInt64?
    private var version: Int64 = 0
    private var revision: Int64 = 0
    private var subscribers: [Int: AsyncStream<Event>.Continuation] = [:]
    private var lastSubscriber = 0
    private var listener: Task<Void, Never>?

    private static let gathering = Duration.milliseconds(50)
    /// Events kept for a subscriber who is slow; older ones become one of everything.
    private static let eventsMax = 64

    /// Watches the cache at `path`, which need not exist yet.
    package init(path: String, owner: String) {
        self.path = path
        self.owner = owner
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let name = String(path[slash...].drop { $0 == "/" })
        watch = FileWatch(directory: String(path[..<slash])) {
            // A cache that replaced another has a file, and so a log, of another name.
            $0 == name || ($0.hasPrefix(name) && $0.hasSuffix("-wal"))
        }
    }

    deinit {
        watch.stop()
        listener?.cancel()
        for subscriber in subscribers.values { subscriber.finish() }
    }

    /// Commits from now on, in order; a subscriber who falls far behind hears of everything in place of the oldest.
    ///
    /// `replaced` comes once more when the cache is opened for the first subscriber, or appears.
    package func events() -> AsyncStream<Event> {
        start()
        lastSubscriber += 1
        let key = lastSubscriber
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(LiveQueries.eventsMax))
        subscribers[key] = continuation
        continuation.onTermination = { _ in Task { await self.leave(key) } }
        return stream
    }

    /// The present answer, then each different one; a slow reader gets only the latest.
    ///
    /// Waits for a cache to appear when there is none. Ends with `StoreError` when the cache cannot be read.
    package func values<Value>(_ query: LiveQuery<Value>) -> AsyncThrowingStream<Value, any Error> {
        let events = events()
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    var last: Value?
                    if let value = try await self.answer(query) {
                        continuation.yield(value)
                        last = value
                    }
                    for await event in events {
                        if case .changed(let change) = event, !query.isTouched(change) { continue }
                        guard let value = try await self.answer(query), value != last else { continue }
                        continuation.yield(value)
                        last = value
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func answer<Value>(_ query: LiveQuery<Value>) async throws -> Value? {
        guard let reader else { return nil }
        return try await query.read(reader)
    }

    private func leave(_ key: Int) { subscribers[key] = nil }

    private func start() {
        guard listener == nil else { return }
        let changes = watch.changes
        listener = Task { [weak self] in
            await self?.look()
            for await _ in changes {
                try? await Task.sleep(for: LiveQueries.gathering)
                await self?.look()
            }
        }
    }

    /// Opens the present file, if there is one, and tells.
    private func open() async throws {
        guard let opened = try MailReader(path: path, owner: owner) else {
            let wasThere = reader != nil
            reader = nil
            if wasThere { tell(.gone) }
            return
        }
        (version, revision) = (try await opened.dataVersion(), try await opened.revision())
        (reader, inode) = (opened, opened.inode)
        tell(.replaced)
    }

    /// Finds out what happened and tells.
    private func look() async {
        guard let reader, Files.inode(path) == inode else {
            // One that cannot be opened now is met again at the next write.
            try? await open()
            return
        }
        do {
            let now = try await reader.dataVersion()
            guard now != version else { return }
            let (change, last) = try await reader.changes(after: revision)
            (version, revision) = (now, last)
            if !change.isEmpty { tell(.changed(change)) }
        } catch {
            // A file that cannot be read now is met again at the next write, or replaced.
            tell(.changed(.everything))
        }
    }

    private func tell(_ event: Event) {
        for subscriber in subscribers.values {
            // What a slow one has lost is made good by the last it will hear.
            if case .dropped = subscriber.yield(event) { subscriber.yield(.changed(.everything)) }
        }
    }
}
