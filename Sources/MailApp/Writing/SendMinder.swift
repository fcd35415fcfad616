internal import Glibc
internal import MailModel
internal import Platform

/// The watch that a running program keeps over mail that can still be taken back.
///
/// A lock that the kernel holds says that it runs; when the program ends without having been asked what to do with its
/// mail, the lock is free, and the next drain has the mail wait for the person.
final class SendMinder: Sendable {
    /// How the names of all the locks begin.
    static let prefix = "minding-"

    let id: SendMinderID
    private let path: String
    private let lock: FileLock

    /// Begins a watch for an account, and removes what programs that ended have left behind.
    ///
    /// - Throws: `SystemError` when there can be no lock.
    init(_ account: Account) throws(SystemError) {
        SendMinder.sweep(account.stateDirectory)
        id = SendMinderID(Environment.uuid())
        path = account.minderPath(id)
        guard let lock = try FileLock.take(path) else { throw SystemError(call: "flock", code: EWOULDBLOCK) }
        self.lock = lock
    }

    deinit { Files.remove(path) }

    /// Whether the program of a watch still runs.
    static func isRunning(_ id: SendMinderID, of account: Account) -> Bool {
        FileLock.isHeld(account.minderPath(id))
    }

    private static func sweep(_ directory: String) {
        for name in Files.names(in: directory) where name.hasPrefix(prefix) {
            let path = directory + "/" + name
            // A program that is just beginning notices that its file is gone, and makes another.
            guard let lock = try? FileLock.take(path) else { continue }
            Files.remove(path)
            _ = consume lock
        }
    }
}
