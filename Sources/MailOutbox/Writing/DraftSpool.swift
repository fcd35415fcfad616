internal import FileTypes
internal import Glibc
internal import MailCompose
package import MailModel
package import Platform

/// The copies of attached files, in a directory beside the outbox; each has its SHA-256 as its name.
///
/// Copied when it is attached, a file may change or go afterwards, and what is sent is what was attached.
package struct DraftSpool: Sendable {
    private let directory: String
    private static let pieceBytes = 262_144
    /// How long to wait for another process that copies or sweeps.
    private static let waitMilliseconds: Int64 = 60_000

    /// The copies in a directory, which is made when the first file is attached.
    package init(directory: String) { self.directory = directory }

    /// A file that was copied, and that the sweep leaves alone until it is let go of.
    package struct Copy: ~Copyable, Sendable {
        package let filename: String
        package let contentType: String
        package let sizeBytes: Int
        package let sha256: String
        private let lock: FileLock

        init(_ filename: String, _ contentType: String, _ sizeBytes: Int, _ sha256: String, _ lock: consuming FileLock)
        {
            self.filename = filename
            self.contentType = contentType
            self.sizeBytes = sizeBytes
            self.sha256 = sha256
            self.lock = lock
        }
    }

    /// Copies a file for a draft that has some files already; its limits are checked before a byte is copied.
    ///
    /// Blocks the thread for as long as the disk needs. The copy must become a row of a draft while it is held.
    /// - Throws: `DraftFileError`.
    package func add(_ path: String, to files: [DraftFile]) throws(DraftFileError) -> Copy {
        let name = DraftSpool.filename(of: path)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? .missing(name: name) : .unreadable(name: name, SystemError(call: "open", code: errno))
        }
        defer { close(file) }
        try DraftSpool.check(file, name, files)
        do {
            try Files.makeDirectory(directory)
            guard let lock = try FileLock.take(lockPath, waitMilliseconds: DraftSpool.waitMilliseconds) else {
                throw DraftFileError.cannotCopy(name: name, SystemError(call: "flock", code: EBUSY))
            }
            let (bytes, count, digest) = try copy(file, name, files)
            let type = FileType.name(of: bytes, filename: name)
            return Copy(name, type, count, digest, lock)
        } catch let error as DraftFileError {
            throw error
        } catch let error as SystemError {
            throw .cannotCopy(name: name, error)
        } catch {
            throw .cannotCopy(name: name, SystemError(call: "copy", code: EIO))
        }
    }

    private static func check(_ file: Int32, _ name: String, _ files: [DraftFile]) throws(DraftFileError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(name: name, SystemError(call: "fstat", code: errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .directory(name: name)
        default: throw .notAFile(name: name)
        }
        try check(name, bytes: Int(status.st_size), files)
    }

    /// Checks one more file of a length against the limits of a draft.
    ///
    /// - Throws: `DraftFileError`.
    package static func check(_ name: String, bytes: Int, _ files: [DraftFile]) throws(DraftFileError) {
        if bytes > DraftLimits.bytesMax { throw .tooLarge(name: name, bytes: bytes) }
        if files.count >= DraftLimits.filesMax { throw .tooMany(name: name) }
        let taken = files.reduce(0) { $0 + $1.sizeBytes }
        if taken + bytes > DraftLimits.bytesMax { throw .noRoom(name: name, bytes: bytes, taken: taken) }
    }

    /// Copies an open file; answers its beginning, its length and its digest.
    private func copy(
        _ file: Int32, _ name: String, _ files: [DraftFile]
    ) throws -> (start: [UInt8], count: Int, digest: String) {
        let copy = try NewFile(in: directory)
        var (start, count, digest) = ([UInt8](), 0, FileDigest())
        var buffer = [UInt8](repeating: 0, count: DraftSpool.pieceBytes)
        while true {
            let read = Glibc.read(file, &buffer, buffer.count)
            if read < 0 {
                if errno == EINTR { continue }
                throw DraftFileError.unreadable(name: name, SystemError(call: "read", code: errno))
            }
            if read == 0 { break }
            let piece = Array(buffer[..<read])
            count += read
            // It may have grown since it was looked at.
            try DraftSpool.check(name, bytes: count, files)
            if start.count < FileType.bytesWanted { start += piece }
            digest.add(piece)
            try copy.append(piece)
        }
        let sum = digest.finish()
        // One that is here already is the same.
        _ = try copy.finish(sum)
        return (start, count, sum)
    }

    /// Where the copy of a file is; `nil` when there is none, or it is not as long as the file.
    package func path(of file: DraftFile) -> String? {
        guard let digest = file.sha256, !digest.contains("/") else { return nil }
        var status = stat()
        let path = directory + "/" + digest
        guard stat(path, &status) == 0, Int(status.st_size) == file.sizeBytes else { return nil }
        return path
    }

    /// Keeps others from attaching while copies are removed; `nil` when somebody is at it, or nothing was ever copied.
    package func lockForSweep() -> FileLock? {
        guard Files.isDirectory(directory) else { return nil }
        return try? FileLock.take(lockPath)
    }

    /// Removes copies that no draft needs; the caller holds the lock since before it looked which are needed.
    package func sweep(keeping needed: Set<String>) {
        for name in Files.names(in: directory) where name != ".lock" && !needed.contains(name) {
            Files.remove(directory + "/" + name)
        }
    }

    private var lockPath: String { directory + "/.lock" }

    /// The name that a recipient sees: the last part of a path, on one line.
    static func filename(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let clean = String(
            String.UnicodeScalarView(
                last.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "_" : $0 }))
        return clean.isEmpty ? "file" : clean
    }

    /// A name as the server keeps it (contract §3.10): 255 units of UTF-16, no pair torn apart.
    package static func asStored(_ filename: String) -> String {
        var (text, units) = (String.UnicodeScalarView(), 0)
        for scalar in filename.unicodeScalars {
            units += scalar.value > 0xFFFF ? 2 : 1
            if units > DraftLimits.filenameMax { break }
            text.append(scalar)
        }
        return String(text)
    }
}
