internal import Platform

/// Bursts of writes to an outbox's file, by any process, as the kernel tells of them; the file need not exist yet.
struct OutboxBursts: Sendable {
    private let files: FileWatch

    private static let gathering = Duration.milliseconds(50)

    /// Watches the file at `path` and its log.
    init(path: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let name = String(path[slash...].drop { $0 == "/" })
        files = FileWatch(directory: String(path[..<slash])) { $0 == name || $0 == name + "-wal" }
    }

    /// Calls `body` 50 ms after each burst began, until the task is cancelled or the watch stopped; to be called once.
    func listen(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let changes = files.changes
        return Task {
            for await _ in changes {
                try? await Task.sleep(for: OutboxBursts.gathering)
                await body()
            }
        }
    }

    /// Ends the watch; nothing is told afterwards.
    func stop() { files.stop() }
}
