internal import Platform
internal import SQLite

/// Moves the write-ahead log into the cache's file beside the writer, so that no commit waits for the disk.
///
/// Has a connection and a thread of its own. Every failure is passed over: the log is only longer then, and the next
/// turn or SQLite's own, within a commit, shortens it.
actor Checkpointer {
    /// Pages written to the log between two turns: 6 MB.
    static let pagesMin = 1_536

    nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let path: String
    private var database: Database?

    init(path: String) {
        self.path = path
    }

    isolated deinit {
        executor.stop()
    }

    /// Moves what no reader needs any more; waits for nobody.
    func run() {
        // Read-only is about rows: it makes no file, and a checkpoint changes no row.
        if database == nil { database = try? Database(path, mode: .readOnly) }
        try? database?.run("PRAGMA wal_checkpoint(PASSIVE)")
    }
}
