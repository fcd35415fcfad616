internal import Glibc
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// The pages that are made from the program's own tables.
struct PageTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private func makePages(_ arguments: String...) throws -> Int32 {
        let words = [builtProgram("herald-docs")] + arguments
        let argv = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var child: pid_t = 0
        let answer = posix_spawn(&child, words[0], nil, nil, argv, environ)
        guard answer == 0 else { throw SetupError.notStarted(answer) }
        var raw: Int32 = 0
        while waitpid(child, &raw, 0) < 0, errno == EINTR {}
        return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -1
    }

    /// Fails when an option, a setting, a key or an exit code changed and the pages did not: run “make docs”.
    @Test func `no page is stale`() throws {
        #expect(try makePages("--check", Self.root) == 0)
    }

    @Test func `a stale page is seen, made anew and then right`() throws {
        let scratch = try Scratch()
        try Files.makeDirectory(scratch.path + "/Resources/man")
        let pages = [
            "README.md", "Resources/man/herald.1", "Resources/man/herald-config.5", "Resources/man/herald-keys.7",
        ]
        for page in pages {
            try scratch.write(page, String(decoding: try Files.read(Self.root + "/" + page), as: UTF8.self))
        }
        let keys = scratch.path + "/Resources/man/herald-keys.7"
        let right = String(decoding: try Files.read(keys), as: UTF8.self)
        try scratch.write("Resources/man/herald-keys.7", right.replacing("Next line.", with: "Last line."))

        #expect(try makePages("--check", scratch.path) == 1)
        #expect(try makePages(scratch.path) == 0)
        #expect(try makePages("--check", scratch.path) == 0)
        #expect(String(decoding: try Files.read(keys), as: UTF8.self) == right)
    }
}
