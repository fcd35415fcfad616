internal import CSystem
internal import Glibc

/// An exclusive lock on a file, held by the kernel: it is gone when its process is, however it ended.
package struct FileLock: ~Copyable, Sendable {
    private let file: Int32

    /// Takes the lock, or answers `nil` when another holder has it.
    ///
    /// - Throws: `SystemError` when the lock file cannot be made.
    package static func take(_ path: String) throws(SystemError) -> FileLock? {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError(call: "open", code: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(file)
            if code == EWOULDBLOCK { return nil }
            throw SystemError(call: "flock", code: code)
        }
        return FileLock(file: file)
    }

    private init(file: Int32) {
        self.file = file
    }

    deinit {
        close(file)
    }
}
