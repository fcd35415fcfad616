internal import Glibc
internal import Platform

/// Where a sign-in is kept between runs.
package protocol TokenStore: Sendable {
    /// What is kept; `nil` when nothing is.
    ///
    /// - Throws: `TokenStoreError`.
    func load() throws(TokenStoreError) -> StoredSignIn?

    /// Keeps a sign-in in place of what was kept; on the disk when it returns.
    ///
    /// - Throws: `TokenStoreError`; what was kept is then unchanged.
    func save(_ signIn: StoredSignIn) throws(TokenStoreError)

    /// Forgets what is kept; nothing kept is fine.
    ///
    /// - Throws: `TokenStoreError`.
    func remove() throws(TokenStoreError)
}

/// Why a sign-in could not be read or kept.
package enum TokenStoreError: Error, Hashable, Sendable {
    /// Others may read the file: its mode says so, or it is not ours.
    case exposed
    /// What is there is no sign-in.
    case damaged
    /// The system refused, with its error number.
    case system(Int32)

    /// What the person reads.
    package var message: String {
        switch self {
        case .exposed:
            "The file with the sign-in can be read by others, so it is not used. Sign in again, or chmod 600 it."
        case .damaged: "The file with the sign-in is damaged. Sign in again."
        case .system(let code): "The sign-in could not be read or kept: \(String(cString: strerror(code)))."
        }
    }

    /// The exit code of a command that failed with it, by sysexits.
    package var exitCode: Int32 {
        if case .system = self { 74 } else { 77 }
    }
}

/// A sign-in in a file that only its owner can read.
package struct TokenFile: TokenStore, Hashable {
    package let path: String
    private static let bytesMax = 1 << 16

    package init(path: String) { self.path = path }

    package func load() throws(TokenStoreError) -> StoredSignIn? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= TokenFile.bytesMax else { throw .damaged }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw .exposed }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(file, &bytes, bytes.count)
        guard count == bytes.count else { throw count < 0 ? .system(errno) : .damaged }
        guard let signIn = StoredSignIn(bytes) else { throw .damaged }
        return signIn
    }

    package func save(_ signIn: StoredSignIn) throws(TokenStoreError) {
        do {
            try Files.replace(path, with: signIn.bytes)
        } catch {
            throw .system(error.code)
        }
    }

    package func remove() throws(TokenStoreError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno) }
    }
}
