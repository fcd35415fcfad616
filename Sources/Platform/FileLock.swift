internal import CSystem
internal import Glibc

/// An exclusive lock on a file, held by the kernel: it is gone when its process is, however it ended.
package struct FileLock: ~Copyable, Sendable {
    private let file: Int32

    /// Takes the lock, or answers `nil` when another holder has it.
    ///
    /// - Throws: `SystemError` when the lock file cannot be made.
    package static func take(_ path: String) throws(SystemError) -> FileLock? {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
            guard file >= 0 else { throw SystemError(call: "open", code: errno) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(file)
                if code == EWOULDBLOCK { return nil }
                throw SystemError(call: "flock", code: code)
            }
            // A file that was removed meanwhile locks nobody out; the one that has its name now does.
            if isAt(path, file) { return FileLock(file: file) }
            close(file)
        }
    }

    /// Takes the lock, waiting at most so long for another holder; `nil` when that was not enough.
    ///
    /// Blocks the thread.
    /// - Throws: `SystemError` when the lock file cannot be made.
    package static func take(_ path: String, waitMilliseconds: Int64) throws(SystemError) -> FileLock? {
        let end = Environment.monotonicMilliseconds + waitMilliseconds
        while true {
            if let lock = try take(path) { return lock }
            guard Environment.monotonicMilliseconds < end else { return nil }
            poll(nil, 0, 10)
        }
    }

    /// Whether someone holds the lock; makes nothing.
    ///
    /// `false` when there is no such file.
    package static func isHeld(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return false }
        defer { close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Whether a name is still that of an open file.
    static func isAt(_ path: String, _ file: Int32) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(file, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }

    private init(file: Int32) {
        self.file = file
    }

    deinit {
        // A program that is just being started still has a copy of the file, which would keep the lock until then.
        flock(file, LOCK_UN)
        close(file)
    }
}
