internal import Glibc

/// The package's own files, read straight from the disk.
enum SourceTree {
    /// One file, with its path below the package root.
    struct File: Sendable {
        var path: String
        var lines: [String]

        /// The second path component: the target the file belongs to.
        var target: String {
            let parts = path.split(separator: "/")
            return parts.count > 2 ? String(parts[1]) : ""
        }
    }

    /// The package root, three levels above this file.
    static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// The Swift files below Sources, sorted by path.
    static let sources: [File] = swiftFiles(below: "Sources")

    /// The Swift files below Tests, sorted by path.
    static let tests: [File] = swiftFiles(below: "Tests")

    /// The lines of one file; empty when it cannot be read.
    static func lines(of path: String) -> [String] {
        text(of: path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func swiftFiles(below folder: String) -> [File] {
        paths(below: folder).filter { $0.hasSuffix(".swift") }.sorted().map { File(path: $0, lines: lines(of: $0)) }
    }

    private static func paths(below folder: String) -> [String] {
        guard let directory = opendir(root + "/" + folder) else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            if Int32(entry.pointee.d_type) == Int32(DT_DIR) {
                found += paths(below: path)
            } else {
                found.append(path)
            }
        }
        return found
    }

    private static func text(of path: String) -> String {
        let descriptor = open(root + "/" + path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
