internal import CSystem
internal import Glibc

/// Small files that are written over where they are, so that a full disk has room for them.
extension Files {
    /// Writes over the beginning of a file, which is made with mode 0600 when it is missing; it never gets shorter.
    ///
    /// On most file systems bytes that are there can be changed on a full disk.
    /// - Throws: `SystemError`; the file may then be partly written, or new and empty.
    package static func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw SystemError(call: "open", code: errno) }
        defer { close(file) }
        guard writeAll(file, bytes) else { throw SystemError(call: "write", code: errno) }
    }

    /// Gives an empty file a time of change, and makes it when it is missing; a file with content is left alone.
    package static func touchEmpty(_ path: String, milliseconds: Int64) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size == 0 else { return }
        let time = timespec(tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
        let times = [time, time]
        futimens(file, times)
    }

    /// The time of change of an empty file in milliseconds since 1970; `nil` when there is none or it has content.
    package static func emptyFileTime(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }
}
