internal import Glibc
internal import Platform

/// The private directory of files that other programs show: gone when this program ends, or is next started.
///
/// A lock that the kernel holds beside it tells a directory in use from one that a crash left behind.
final class OpenedFiles: Sendable {
    /// The directory, 0700.
    let path: String
    private let lockPath: String
    private let lock: FileLock

    private static let prefix = "opened-"

    /// Makes the directory below `base`.
    ///
    /// - Throws: `SystemError` when the system refuses.
    init(below base: String) throws(SystemError) {
        try Files.makeDirectory(base)
        // Another process that cleans up may be quicker with the lock of a new name.
        for _ in 0..<OpenedFiles.tries {
            let path = base + "/" + OpenedFiles.prefix + Environment.uuid()
            guard let lock = try FileLock.take(path + ".lock") else { continue }
            (self.path, lockPath) = (path, path + ".lock")
            self.lock = lock
            try Files.makeDirectory(path)
            return
        }
        throw SystemError(call: "flock", code: EWOULDBLOCK)
    }

    private static let tries = 5

    /// Makes a directory for one more file, so that it can keep its name.
    ///
    /// - Throws: `SystemError` when the system refuses.
    func makePlace() throws(SystemError) -> String {
        let place = path + "/" + Environment.uuid().prefix(8)
        try Files.makeDirectory(place)
        return place
    }

    /// Removes the directory and all in it.
    func remove() {
        Files.removeTree(path)
        Files.remove(lockPath)
    }

    /// Removes what programs left behind that are no longer there.
    static func sweep(_ base: String) {
        let names = Set(
            Files.names(in: base).filter { $0.hasPrefix(prefix) }
                .map { $0.hasSuffix(".lock") ? String($0.dropLast(5)) : $0 })
        for name in names {
            let path = base + "/" + name
            do {
                guard let lock = try FileLock.take(path + ".lock") else { continue }
                Files.removeTree(path)
                Files.remove(path + ".lock")
                _ = consume lock
            } catch {
                continue
            }
        }
    }

    /// Removes what programs left behind, of this user wherever it is; costs a look at one directory.
    static func sweepAll() {
        guard let places = try? Places.fromEnvironment() else { return }
        sweep(base(places))
    }

    /// Where the directories are: the session's own place in memory, or the cache.
    ///
    /// The former is taken only when it is what its specification says: ours alone.
    static func base(_ places: Places) -> String {
        if !places.isSelfContained, let runtime = Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            var status = stat()
            if stat(runtime, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
                status.st_mode & 0o077 == 0
            {
                return runtime + "/herald"
            }
        }
        return places.cache + "/opened"
    }
}
