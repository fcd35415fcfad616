internal import Glibc
internal import MailSync
internal import Platform

/// Standard output, a line at a time; whoever writes waits for a slow reader on a thread of its own.
actor WatchLines {
    nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    isolated deinit {
        executor.stop()
    }

    /// Writes a whole line; ends the process quietly when nobody reads, and with 74 when it cannot be written.
    func write(_ bytes: [UInt8]) {
        if Files.writeAll(1, bytes) { return }
        if errno == EPIPE { HeadlessRun.end(.done) }
        Output.failure("The output cannot be written.")
        HeadlessRun.end(.inputOutput)
    }

    /// Ends the process once nobody reads what it writes, also while there is nothing to write.
    static func endWithReader() {
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            while true {
                // Without any event asked for, only the end of the other side is told.
                var output = pollfd(fd: 1, events: 0, revents: 0)
                if poll(&output, 1, -1) > 0 { HeadlessRun.end(.done) }
            }
        }
        if pthread_create(&thread, nil, body, nil) == 0 { pthread_detach(thread) }
    }
}

/// The passes of an account as they end, in any process.
struct PassEvents: Sendable {
    private let account: Account
    private let watch: FileWatch
    private let last: Int64?

    /// Tells of passes that end from now on.
    init(_ account: Account) {
        self.account = account
        let name = String(account.lastPassPath.split(separator: "/").last ?? "")
        watch = FileWatch(directory: account.stateDirectory) { $0 == name }
        last = account.passJournal.history.finishedAtMilliseconds
    }

    /// What is known after each pass; of passes that follow at once the last.
    func histories() -> AsyncStream<PassHistory> {
        let (account, watch, last) = (account, watch, last)
        return AsyncStream { continuation in
            let task = Task {
                var last = last
                for await _ in watch.changes {
                    let history = account.passJournal.history
                    guard history.finishedAtMilliseconds != last else { continue }
                    last = history.finishedAtMilliseconds
                    continuation.yield(history)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
