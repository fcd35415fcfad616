internal import Platform

/// The name of a cache, and the files that have stood behind it.
///
/// SQLite finds a database's log by the database's name, so a file that took the name of one in use could meet the
/// other's log. Here it cannot: a cache that replaces another is a file with a name nobody had before
/// (`cache.sqlite.` and eight digits), with a log named after it, and `cache.sqlite` becomes a symbolic link to it by
/// one rename. Whoever has the old file open goes on with the old log, unseen by the new one; a kill at any moment
/// leaves the link on one of two whole databases.
package struct CacheName: Hashable, Sendable {
    /// What the account calls its cache.
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// How long to wait for another process that opens or replaces the cache, which takes milliseconds.
    private static let lockMilliseconds: Int64 = 5_000
    private static let suffixes = ["-wal", "-shm", "-journal", "-damaged"]
    /// A file that is built under its own name has a lock of its own meanwhile.
    private static let buildSuffixes = suffixes + [".lock"]

    /// The file behind the name: the path itself, or what our link at the path names.
    ///
    /// A link made by somebody else is followed by the system instead.
    package var file: String {
        guard case .link(let target) = FileKind(path), isOurs(target) else { return path }
        return directory + target
    }

    /// The file that says that the cache was found damaged by a process that could not replace it.
    var mark: String { file + "-damaged" }

    /// Where a cache that could not be used is kept.
    var aside: String { path + ".aside" }

    /// Whether the file that has the name now was found damaged.
    package var isMarked: Bool {
        guard let inode = Files.inode(path), let bytes = try? Files.read(mark) else { return false }
        return String(decoding: bytes, as: UTF8.self) == String(inode)
    }

    /// Notes that the file of an inode is damaged, for whoever opens the cache for writing next.
    ///
    /// Best effort; a file that has lost the name is left alone.
    func setMark(inode: UInt64?) {
        guard let inode, Files.inode(path) == inode else { return }
        try? Files.replace(mark, with: Array(String(inode).utf8))
    }

    /// A path for a database nobody has had open.
    package func newFile() -> String {
        let digits = Environment.uuid().utf8.prefix(8)
        return path + "." + String(decoding: digits, as: UTF8.self)
    }

    /// Removes a database and everything beside it that belongs to it.
    package static func remove(_ file: String) {
        for suffix in [""] + buildSuffixes { Files.remove(file + suffix) }
    }

    /// Keeps other processes from changing what the name stands for.
    ///
    /// - Throws: `StoreError` when the lock file cannot be made, or is held for too long.
    func lock() throws(StoreError) -> FileLock {
        do {
            if let lock = try FileLock.take(path + ".lock", waitMilliseconds: CacheName.lockMilliseconds) {
                return lock
            }
        } catch {
            throw StoreError(error)
        }
        throw .busy
    }

    /// Gives the name to a whole database made with `newFile`; the old one is removed, or kept as `.aside`.
    ///
    /// At most one file is kept aside. The caller holds the lock.
    /// - Throws: `StoreError`; the name then still stands for what it stood for.
    func adopt(_ newFile: String, keepsOld: Bool) throws(StoreError) {
        let (old, kind) = (file, FileKind(path))
        if keepsOld, kind == .regular {
            Files.remove(aside)
            Files.addName(aside, to: path)
        }
        do {
            let link = path + ".link"
            Files.remove(link)
            try Files.makeLink(link, to: String(newFile.dropFirst(directory.count)))
            try Files.rename(link, to: path)
        } catch {
            throw StoreError(error)
        }
        // What a link of somebody else named stays; the plain file has lost its only name but `.aside`.
        if old != path {
            if keepsOld { try? Files.rename(old, to: aside) }
            Files.remove(old)
        }
        for suffix in CacheName.suffixes { Files.remove(old + suffix) }
    }

    /// Puts a whole database made with `newFile` behind the name, in place of the old one.
    ///
    /// Nobody may have an open transaction on `newFile`; others may go on using the old file.
    /// - Throws: `StoreError`; the old cache is then still in place.
    package func replace(with newFile: String) throws(StoreError) {
        let lock = try lock()
        guard FileKind(path) != .other else { throw .inTheWay }
        try adopt(newFile, keepsOld: false)
        Files.remove(newFile + ".lock")
        _ = consume lock
    }

    /// Removes what killed processes left behind.
    ///
    /// The caller holds the account's pass lock, since a rebuild under way looks like a leftover.
    package func sweep() {
        let present = file
        // Behind a link of ours, the logs of a plain file of the same name belong to nobody any more.
        let stale = present == path ? [] : CacheName.suffixes.map { base + $0 }
        let leftovers = Files.names(in: directory).filter { name in
            let whole = directory + name
            if stale.contains(name) { return true }
            guard isLeftover(name) else { return false }
            return whole != present && !CacheName.suffixes.contains { whole == present + $0 }
        }
        guard !leftovers.isEmpty, let lock = try? lock() else { return }
        // What was new a moment ago may have become the cache before the lock was taken.
        if file == present { for name in leftovers { Files.remove(directory + name) } }
        _ = consume lock
    }

    /// The directory with its slash; empty for a relative path.
    private var directory: String { String(path.prefix(path.count - base.count)) }
    private var base: String { String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]) }

    /// Whether a name in the directory is one of `newFile`.
    private func isOurs(_ name: String) -> Bool {
        guard name.hasPrefix(base + ".") else { return false }
        let digits = name.utf8.dropFirst(base.utf8.count + 1)
        return digits.count == 8 && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private func isLeftover(_ name: String) -> Bool {
        if name == base + ".link" { return true }
        if isOurs(name) { return true }
        return CacheName.buildSuffixes.contains { name.hasSuffix($0) && isOurs(String(name.dropLast($0.count))) }
    }
}
