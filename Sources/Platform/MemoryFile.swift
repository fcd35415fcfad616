internal import CSystem
internal import Glibc

/// A file in memory without a name, for what another program prints.
package final class MemoryFile: Sendable {
    /// The open file.
    package let descriptor: Int32

    /// Makes an empty file.
    package init() throws(SystemError) {
        descriptor = herald_memory_file()
        guard descriptor >= 0 else { throw SystemError(call: "memfd_create", code: errno) }
    }

    deinit { close(descriptor) }

    /// What was written; `nil` when it is more than so many bytes or cannot be read.
    package func bytes(max: Int) -> [UInt8]? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        return Files.readAll(descriptor, bytesMax: max)
    }
}

extension Files {
    /// Reads an open file to its end; `nil` when that is further than so many bytes or cannot be read.
    package static func readAll(_ file: Int32, bytesMax: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            guard bytes.count + count <= bytesMax else { return nil }
            bytes += buffer[..<count]
        }
    }
}
