internal import CSystem
internal import Glibc

/// A failed system call: which, and its `errno`.
package struct SystemError: Error, Hashable, Sendable {
    package let call: String
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// What the system says of the failure.
    package var message: String { String(cString: strerror(code)) }

    /// Whether there was no room: on the disk, in the quota, or up to the largest size allowed.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}

/// Whole-file reading and writing, directories and locks.
package enum Files {
    /// Makes a directory and its parents, each 0700 when new.
    ///
    /// - Throws: `SystemError` when one cannot be made.
    package static func makeDirectory(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw SystemError(call: "mkdir", code: errno)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError(call: "mkdir", code: errno) }
    }

    /// The bytes of a file.
    ///
    /// - Throws: `SystemError` when it cannot be opened or read.
    package static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError(call: "open", code: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(call: "read", code: errno)
            }
            bytes.append(contentsOf: buffer[0..<count])
        }
    }

    /// Replaces a file whole: written beside it with mode 0600, synced unless told not to, then renamed over it.
    ///
    /// Several at once take turns. Without the sync a crash of the machine may leave the old file, or an empty one.
    /// - Throws: `SystemError`; the old file is then unchanged.
    package static func replace(_ path: String, with bytes: [UInt8], isSynced: Bool = true) throws(SystemError) {
        let temporary = path + ".new"
        let file = try newFile(temporary)
        let code = writeAll(file, bytes) ? 0 : errno
        let syncCode = code == 0 && isSynced && fsync(file) != 0 ? errno : 0
        let isRenamed = code == 0 && syncCode == 0 && Glibc.rename(temporary, path) == 0
        let failure = code != 0 ? code : (syncCode != 0 ? syncCode : errno)
        if !isRenamed { unlink(temporary) }
        // Last, since it lets the next one in.
        close(file)
        if !isRenamed { throw SystemError(call: "write", code: failure) }
    }

    /// How often a file of another replacement is looked at, and the pause between, in milliseconds.
    private static let turns = (count: 500, pause: Int32(10))

    /// Makes a file that was not there and locks it; one that a dead process left is removed first.
    private static func newFile(_ path: String) throws(SystemError) -> Int32 {
        for _ in 0..<turns.count {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 {
                // Another may take it for left over before it is locked, and then has it removed.
                if flock(file, LOCK_EX | LOCK_NB) == 0, FileLock.isAt(path, file) { return file }
                close(file)
                continue
            }
            guard errno == EEXIST else { throw SystemError(call: "open", code: errno) }
            let old = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
            if old < 0 {
                // A link is not followed, and what cannot be read is nobody's who is at work here.
                if errno != ENOENT { unlink(path) }
                continue
            }
            defer { close(old) }
            if flock(old, LOCK_EX | LOCK_NB) == 0 {
                if FileLock.isAt(path, old), unlink(path) != 0, errno != ENOENT {
                    throw SystemError(call: "unlink", code: errno)
                }
            } else {
                poll(nil, 0, turns.pause)
            }
        }
        throw SystemError(call: "open", code: EBUSY)
    }

    /// Writes every byte to a descriptor; `false` with `errno` set when that fails.
    @discardableResult
    package static func writeAll(_ file: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = write(file, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                offset += count
            }
            return true
        }
    }

    /// Whether something is at the path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Removes a file; a missing one is fine.
    package static func remove(_ path: String) { unlink(path) }

    /// Gives a file another name, replacing what has it.
    ///
    /// - Throws: `SystemError` when the system refuses.
    package static func rename(_ path: String, to target: String) throws(SystemError) {
        guard Glibc.rename(path, target) == 0 else { throw SystemError(call: "rename", code: errno) }
    }

    /// The names in a directory, sorted, without `.` and `..`; empty when it cannot be read.
    package static func names(in directory: String) -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a directory and all in it; never follows a symbolic link.
    package static func removeTree(_ path: String) {
        for name in names(in: path) {
            let child = path + "/" + name
            var status = stat()
            guard lstat(child, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { removeTree(child) } else { unlink(child) }
        }
        rmdir(path)
    }

    /// Whether the path is a directory.
    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The inode of a file; `nil` when there is none.
    package static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
