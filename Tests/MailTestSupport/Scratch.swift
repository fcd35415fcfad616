internal import Glibc
package import Platform

/// A directory that goes with the test.
package final class Scratch: Sendable {
    package let path: String

    /// Makes an empty directory below `/tmp`.
    ///
    /// - Throws: `SystemError` with the system's reason.
    package init() throws(SystemError) {
        var template = Array("/tmp/herald-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { remove() }

    /// Removes the directory; in a `defer`, it also keeps it until then.
    package func remove() { Files.removeTree(path) }

    /// Writes a file of the directory.
    package func write(_ name: String, _ text: String) throws {
        try Files.replace(path + "/" + name, with: Array(text.utf8))
    }

    /// The lines of a file of the directory; none when it is absent.
    package func lines(_ name: String) -> [String] {
        let bytes = (try? Files.read(path + "/" + name)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
