internal import Platform

/// The lock that keeps an account's passes apart: one at a time, whichever process runs it.
///
/// The kernel holds it (flock), so it is gone with its process, however that ends.
enum PassLock {
    /// How long a command waits for another process's pass; the terminal program does not wait.
    static let waitSeconds: Int64 = 10

    /// The lock, or `nil` while another pass runs.
    static func take(_ account: Account) throws(CommandFailure) -> FileLock? {
        do {
            return try FileLock.take(account.passLockPath)
        } catch {
            throw Failures.cannotMake("The lock of this account", error)
        }
    }

    /// The lock, once another process's pass is over.
    ///
    /// A `worker` is named on the progress line, where several are at work.
    /// - Throws: `CommandFailure` with 75 when that takes too long; `CancellationError`.
    static func wait(_ account: Account, showsProgress: Bool, worker: String? = nil) async throws -> FileLock {
        defer { if showsProgress { Output.endProgress(of: worker) } }
        let end = WallClock.bootMilliseconds() + waitSeconds * 1_000
        while true {
            if let lock = try take(account) { return lock }
            guard WallClock.bootMilliseconds() < end else {
                throw CommandFailure("Another pass is running. Try again later.", .tryLater)
            }
            if showsProgress { Output.progress("Waiting for another pass to end", of: worker) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
