internal import Glibc

/// What a path names, without following a symbolic link.
package enum FileKind: Hashable, Sendable {
    case missing
    case regular
    case link(target: String)
    /// A directory, a pipe, a socket or a device.
    case other

    /// Looks at a path.
    package init(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = .missing
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFLNK: self = .link(target: FileKind.target(path))
        default: self = .other
        }
    }

    private static func target(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &buffer, buffer.count)
        return String(decoding: buffer[0..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Files {
    /// Makes a symbolic link.
    ///
    /// - Throws: `SystemError` when the system refuses.
    package static func makeLink(_ path: String, to target: String) throws(SystemError) {
        guard symlink(target, path) == 0 else { throw SystemError(call: "symlink", code: errno) }
    }

    /// Gives a file a second name; `false` when the system refuses.
    @discardableResult
    package static func addName(_ path: String, to target: String) -> Bool { link(target, path) == 0 }

    /// Whether the system tells that nothing has the path, after following links; `false` also when it may not look.
    package static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Whether a file can be read and written as one: regular, after following links.
    package static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
