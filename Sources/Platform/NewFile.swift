internal import CSystem
internal import Glibc

/// A file that gets its name only once it is whole.
///
/// Until then it has none, so that nothing stays behind however the program ends. Where the file system has no such
/// files it has a hidden name beside the one it will get, which goes with this value.
package struct NewFile: ~Copyable {
    private let directory: String
    private let file: Int32
    /// The hidden name, where the file needs one.
    private let temporary: String?

    /// Begins a file of mode 0600 in a directory.
    ///
    /// - Throws: `SystemError` when that cannot be made there.
    package init(in directory: String) throws(SystemError) {
        self.directory = directory
        let nameless = open(directory, herald_open_nameless | O_WRONLY | O_CLOEXEC, 0o600)
        if nameless >= 0 {
            (file, temporary) = (nameless, nil)
            return
        }
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else {
            throw SystemError(call: "open", code: errno)
        }
        let hidden = NewFile.hiddenPath(in: directory)
        let named = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard named >= 0 else { throw SystemError(call: "open", code: errno) }
        (file, temporary) = (named, hidden)
    }

    deinit {
        close(file)
        if let temporary { unlink(temporary) }
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: `SystemError`, of which a full disk is one.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        guard Files.writeAll(file, bytes) else { throw SystemError(call: "write", code: errno) }
    }

    /// Gives the file its name once its bytes are on the disk; `false` when something has the name already.
    ///
    /// With `replaces` it takes the place of a file of that name. After `false` another name can be tried.
    /// - Throws: `SystemError`; nothing has the name then that had not before.
    package func finish(_ name: String, replaces: Bool = false) throws(SystemError) -> Bool {
        guard fsync(file) == 0 else { throw SystemError(call: "fsync", code: errno) }
        let path = directory + "/" + name
        if replaces {
            try replace(path)
        } else {
            let code = nameAnew(path)
            if code == EEXIST { return false }
            guard code == 0 else { throw SystemError(call: "link", code: code) }
        }
        syncDirectory()
        return true
    }

    /// Gives the file a name that nothing has; answers an `errno`, `EEXIST` when something has it.
    private func nameAnew(_ path: String) -> Int32 {
        guard let temporary else { return herald_name_file(file, path) == 0 ? 0 : errno }
        if herald_rename_new(temporary, path) == 0 { return 0 }
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { return errno }
        if link(temporary, path) == 0 { return 0 }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return errno }
        // The last resort takes the name with an empty file, which is replaced at once.
        let place = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard place >= 0 else { return errno }
        close(place)
        if rename(temporary, path) == 0 { return 0 }
        let code = errno
        unlink(path)
        return code
    }

    private func replace(_ path: String) throws(SystemError) {
        var source = temporary
        if source == nil {
            let hidden = NewFile.hiddenPath(in: directory)
            guard herald_name_file(file, hidden) == 0 else { throw SystemError(call: "link", code: errno) }
            source = hidden
        }
        guard let source else { return }
        guard rename(source, path) == 0 else {
            let code = errno
            unlink(source)
            throw SystemError(call: "rename", code: code)
        }
    }

    /// Puts the name on the disk too; where that cannot be done, the file itself is there all the same.
    private func syncDirectory() {
        let handle = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { return }
        fsync(handle)
        close(handle)
    }

    private static func hiddenPath(in directory: String) -> String { "\(directory)/.herald-\(Environment.uuid()).part" }
}
