import Glibc
import MailTestSupport
import Platform
import Testing

private func withDirectory(_ body: (String) throws -> Void) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try body(scratch.path)
}

private func mode(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

@Test func `a lock has one holder at a time`() throws {
    try withDirectory { directory in
        let path = directory + "/lock"
        func hold(_ body: () throws -> Void) throws -> Bool {
            guard let lock = try FileLock.take(path) else { return false }
            try body()
            _ = consume lock
            return true
        }
        var wasTakenTwice = true
        let wasTaken = try hold { wasTakenTwice = try hold {} }
        #expect(wasTaken && !wasTakenTwice)
        // A program that another test is starting has the file until it runs.
        var isFree = false
        if let again = try FileLock.take(path, waitMilliseconds: 20_000) {
            isFree = true
            _ = consume again
        }
        #expect(isFree)
        #expect(throws: SystemError(call: "open", code: ENOENT)) {
            _ = try FileLock.take(directory + "/none/lock") != nil
        }
    }
}

@Test func `a replaced file is whole and private`() throws {
    try withDirectory { directory in
        let path = directory + "/file"
        try Files.replace(path, with: [UInt8](repeating: 1, count: 200_000))
        let before = Files.inode(path)
        try Files.replace(path, with: [2, 3])
        #expect(try Files.read(path) == [2, 3])
        #expect(mode(path) == 0o600)
        #expect(before != nil && Files.inode(path) != before)
        #expect(Files.names(in: directory) == ["file"])
        #expect(throws: SystemError.self) { try Files.replace(directory + "/none/file", with: [1]) }
    }
}

@Test func `directories are made with their parents for the owner alone`() throws {
    try withDirectory { directory in
        let path = directory + "/a/b/c"
        try Files.makeDirectory(path)
        try Files.makeDirectory(path)
        for made in [directory, directory + "/a", directory + "/a/b", path] {
            #expect(Files.isDirectory(made) && mode(made) == 0o700)
        }
        try Files.replace(directory + "/file", with: [])
        #expect(throws: SystemError(call: "mkdir", code: ENOTDIR)) { try Files.makeDirectory(directory + "/file/x") }
    }
}

@Test func `removing a tree does not follow links`() throws {
    try withDirectory { directory in
        try Files.makeDirectory(directory + "/kept")
        try Files.replace(directory + "/kept/file", with: [1])
        try Files.makeDirectory(directory + "/gone")
        #expect(symlink(directory + "/kept", directory + "/gone/link") == 0)
        Files.removeTree(directory + "/gone")
        #expect(Files.names(in: directory) == ["kept"])
        #expect(Files.exists(directory + "/kept/file"))
    }
}

@Test func `a missing file is an error when read and fine when removed`() throws {
    try withDirectory { directory in
        #expect(throws: SystemError(call: "open", code: ENOENT)) { _ = try Files.read(directory + "/none") }
        Files.remove(directory + "/none")
        #expect(Files.names(in: directory + "/none") == [])
    }
}

/// Fails when a file that replaces another has the rights or the place of one that was left over, or two at once collide.
@Test func `what was left over never shapes the new file`() async throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path + "/kept"
    try scratch.write("kept.new", "left over")
    chmod(path + ".new", 0o644)
    try Files.replace(path, with: [1])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    symlink(scratch.path + "/elsewhere", path + ".new")
    try Files.replace(path, with: [2])
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    #expect(!Files.exists(scratch.path + "/elsewhere"))
    await withTaskGroup(of: Bool.self) { group in
        for number in 0..<16 {
            group.addTask { (try? Files.replace(path, with: [UInt8](repeating: UInt8(number), count: 10_000))) != nil }
        }
        for await isDone in group { #expect(isDone) }
    }
    let bytes = try Files.read(path)
    #expect(bytes.count == 10_000 && Set(bytes).count == 1)
    #expect(Files.names(in: scratch.path) == ["kept"])
}
