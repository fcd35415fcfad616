internal import CSystem
internal import Glibc
internal import Platform
internal import Synchronization

/// A file of lines that several processes append to, kept small by one older file beside it.
///
/// A line is one `write` to a file opened for appending, so lines of two processes do not mix. Nothing here
/// fails: without a disk there is no log, and the program goes on.
final class LogFile: Sendable {
    /// A file this large becomes the older one.
    static let bytesMax = 1 << 20

    private let path: String
    private let bytesMax: Int
    private let descriptor = Mutex<Int32>(-1)

    init(path: String, bytesMax: Int = LogFile.bytesMax) {
        self.path = path
        self.bytesMax = bytesMax
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { close($0) } }
    }

    /// Appends a line that ends with its line feed.
    func append(_ line: [UInt8]) {
        descriptor.withLock { file in
            reopenIfReplaced(&file)
            if file < 0 { file = opened() }
            guard file >= 0 else { return }
            if size(file) + line.count > bytesMax { rotate(&file) }
            guard file >= 0 else { return }
            while write(file, line, line.count) < 0, errno == EINTR {}
        }
    }

    private func opened() -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = open(path, flags, 0o600)
        if file >= 0 || errno != ENOENT { return file }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return -1 }
        guard (try? Files.makeDirectory(String(path[..<slash]))) != nil else { return -1 }
        return open(path, flags, 0o600)
    }

    /// Another process may have moved the file away, or a person removed it.
    private func reopenIfReplaced(_ file: inout Int32) {
        guard file >= 0, Files.inode(path) != inode(file) else { return }
        close(file)
        file = -1
    }

    /// Moves the file aside, unless another process does or did.
    private func rotate(_ file: inout Int32) {
        // The lock is the file's own: whoever has it may move the file, if it is still the one at the path.
        if flock(file, LOCK_EX | LOCK_NB) == 0, Files.inode(path) == inode(file) {
            try? Files.rename(path, to: path + ".1")
        }
        close(file)
        file = opened()
    }

    private func size(_ file: Int32) -> Int { status(file).map { Int($0.st_size) } ?? 0 }

    private func inode(_ file: Int32) -> UInt64? { status(file).map { UInt64($0.st_ino) } }

    private func status(_ file: Int32) -> stat? {
        var status = stat()
        return fstat(file, &status) == 0 ? status : nil
    }
}
