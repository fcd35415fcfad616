internal import CSystem
internal import Glibc

extension Files {
    /// The first bytes of a file, at most so many.
    ///
    /// Only a regular file is read: a pipe in its place could be waited for without end.
    /// - Throws: `SystemError` when it cannot be opened or read, or is something else.
    package static func readRegular(_ path: String, bytesMax: Int) throws(SystemError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SystemError(call: "open", code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SystemError(call: "fstat", code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(call: "open", code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        var filled = 0
        while filled < bytesMax {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: filled), bytesMax - filled)
            }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(call: "read", code: errno)
            }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Opens `/dev/null` in the place of a standard descriptor that is closed.
    ///
    /// The next file opened would get its number, and output would go into that file. Opened for reading only,
    /// so that writing still fails.
    package static func fillStandardDescriptors() {
        for file: Int32 in 0...2 where fcntl(file, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one, since those below were seen to be open.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
