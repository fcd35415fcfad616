internal import Glibc
internal import Platform

/// The folder of recordings, vectors and mail that lies beside the repository on some machines.
package enum SharedFolder {
    /// Where it is, if it is: `HERALD_SHARED`, or `shared` beside the package.
    package static var path: String { getenv("HERALD_SHARED").map { String(cString: $0) } ?? "../shared" }

    /// A file's bytes; `nil`, after a printed reason, when it is absent.
    package static func read(_ name: String) -> [UInt8]? {
        if let bytes = try? Files.read(path + "/" + name) { return bytes }
        print("skipped: \(name) is not there; set HERALD_SHARED to the folder that has it")
        return nil
    }
}
