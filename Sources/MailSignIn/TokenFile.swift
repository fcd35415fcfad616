internal import Glibc
internal import Platform

/// A sign-in in a file that only its owner can read, or the record of one whose secrets are elsewhere.
package struct TokenFile: TokenStore, Hashable {
    package let path: String
    private static let bytesMax = 1 << 16

    package init(path: String) { self.path = path }

    package func load() throws(TokenStoreError) -> StoredSignIn? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP || errno == ENXIO ? .notFile : .system(errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notFile }
        guard status.st_size <= TokenFile.bytesMax else { throw .damaged }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw .exposed }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(file, &bytes, bytes.count)
        guard count == bytes.count else { throw count < 0 ? .system(errno) : .damaged }
        guard let signIn = StoredSignIn(bytes) else { throw .damaged }
        return signIn
    }

    /// Keeps the sign-in; without its secrets when their place is another.
    package func save(_ signIn: StoredSignIn) throws(TokenStoreError) {
        guard !Files.isDirectory(path) else { throw .notFile }
        do {
            try Files.replace(path, with: signIn.bytes)
        } catch {
            throw .system(error.code)
        }
    }

    package func remove() throws(TokenStoreError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        let code = errno
        // Something that is no file can hold no sign-in either.
        if code == EISDIR || code == EPERM, Files.isDirectory(path) {
            Files.removeTree(path)
            if !Files.exists(path) { return }
        }
        throw .system(code)
    }
}
