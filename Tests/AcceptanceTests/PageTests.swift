internal import Glibc
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// The pages that are made from the program's own tables.
struct PageTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private func makePages(_ arguments: String...) throws -> Int32 {
        let scratch = try Scratch()
        let words = [builtProgram("herald-docs")] + arguments
        return try #require(
            try RunningHerald(words, environment: [:], directory: scratch.path, keeping: scratch).wait()
        ).code
    }

    /// Fails when an option, a setting, a key or an exit code changed and the pages did not: run “make docs”.
    @Test func `no page is stale`() throws {
        #expect(try makePages("--check", Self.root) == 0)
    }

    /// Fails when an example of the pages is refused by the program.
    @Test(arguments: ["README.md", "Resources/man/herald-config.5", "Resources/man/herald-keys.7"])
    func `every example of settings is taken`(_ page: String) throws {
        let lines = String(decoding: try Files.read(Self.root + "/" + page), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let starts = ["```toml", ".Bd -literal -offset indent"]
        let examples = lines.indices.filter { starts.contains(String(lines[$0])) }.map { start in
            lines[(start + 1)...].prefix { $0 != "```" && $0 != ".Ed" }.joined(separator: "\n")
        }.filter { $0.contains("[keys") }
        #expect(!examples.isEmpty)

        for example in examples {
            let herald = try Herald(origin: nil)
            try Files.makeDirectory(herald.home.path + "/h/config")
            try herald.home.write("h/config/config.toml", example)
            let ended = try herald.run("config")
            #expect(ended.code == 0, "\(ended.errors)")
            #expect(ended.text.contains("# line"))
        }
    }

    @Test func `a stale page is seen, made anew and then right`() throws {
        let scratch = try Scratch()
        for directory in ["Resources/man", "Resources/completions", "docs"] {
            try Files.makeDirectory("\(scratch.path)/\(directory)")
        }
        let pages = [
            "README.md", "docs/outbox.md", "docs/sending.md", "Resources/man/herald.1", "Resources/man/herald-config.5",
            "Resources/man/herald-filter.7", "Resources/man/herald-keys.7",
            "Resources/completions/herald.bash", "Resources/completions/_herald", "Resources/completions/herald.fish",
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
