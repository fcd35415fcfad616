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

/// Writes a file and gives it a name, or not.
private func write(_ text: String, in directory: String, as name: String?, replaces: Bool = false) throws -> Bool {
    let file = try NewFile(in: directory)
    try file.append(Array(text.utf8))
    guard let name else { return false }
    return try file.finish(name, replaces: replaces)
}

/// Fails when a file shows before it is whole, stays without being finished, or is open to others.
@Test func `a new file has its name when it is whole, or never`() throws {
    try withDirectory { directory in
        let isNamed = try write("half", in: directory, as: nil)
        #expect(!isNamed)
        #expect(Files.names(in: directory).isEmpty)
        #expect(try write("whole", in: directory, as: "a"))
        #expect(Files.names(in: directory) == ["a"])
        #expect(try Files.read(directory + "/a") == Array("whole".utf8))
        #expect(mode(directory + "/a") == 0o600)
    }
}

/// Fails when something that has the name already is changed without being told to, or a link is written through.
@Test func `a name that is taken stays taken`() throws {
    try withDirectory { directory in
        try Files.replace(directory + "/outside", with: Array("outside".utf8))
        try Files.makeLink(directory + "/link", to: directory + "/outside")
        try Files.makeLink(directory + "/dangling", to: directory + "/nowhere")
        try Files.makeDirectory(directory + "/directory")
        #expect(try write("first", in: directory, as: "a"))
        for name in ["a", "link", "dangling", "directory"] { #expect(try !write("x", in: directory, as: name)) }
        #expect(try Files.read(directory + "/a") == Array("first".utf8))
        #expect(try write("second", in: directory, as: "a", replaces: true))
        #expect(try write("third", in: directory, as: "link", replaces: true))
        #expect(try Files.read(directory + "/a") == Array("second".utf8))
        #expect(try Files.read(directory + "/outside") == Array("outside".utf8))
        #expect(throws: SystemError.self) { _ = try write("x", in: directory, as: "directory", replaces: true) }
        let names = ["a", "dangling", "directory", "link", "outside"]
        #expect(Files.names(in: directory) == names)
    }
}

/// Fails when a directory that is none, or is not there, is taken for one.
@Test func `a directory that is not there takes no file`() throws {
    try withDirectory { directory in
        #expect(throws: SystemError(call: "open", code: ENOENT)) {
            _ = try write("x", in: directory + "/none", as: "a")
        }
        try Files.replace(directory + "/file", with: [])
        #expect(throws: SystemError(call: "open", code: ENOTDIR)) {
            _ = try write("x", in: directory + "/file", as: "a")
        }
    }
}
