internal import Glibc
internal import Platform
internal import SQLite

extension Herald {
    /// Whether SQLite finds nothing wrong with the cache.
    func isWhole() throws -> Bool {
        let database = try Database(cache)
        let row = try database.statement("PRAGMA integrity_check")
        defer { row.reset() }
        return try row.step() && row.text(0) == "ok"
    }

    /// What is in the cache's directory besides the cache: logs, locks and what was set aside are expected there.
    func leftovers() -> [String] {
        var expected: Set<String> = ["cache.sqlite", "cache.sqlite.lock", "cache.sqlite.aside"]
        let file = target(cache)
        for suffix in ["", "-wal", "-shm"] { expected.insert(file + suffix) }
        return Files.names(in: directory("cache")).filter { !expected.contains($0) }
    }

    /// The name of the file a cache's name stands for.
    private func target(_ path: String) -> String {
        if case .link(let target) = FileKind(path) { return target }
        return "cache.sqlite"
    }
}

extension Setting {
    /// Lets a mail arrive at the server.
    func deliver(_ subject: String) throws {
        try control(
            "/deliver?to=info@example.test",
            body: """
                From: Ann Berg <ann@client.example>\r\nTo: info@example.test\r\nSubject: \(subject)\r\n\
                Date: Tue, 03 Nov 2026 10:00:00 +0000\r\n\r\nWords.\r\n
                """)
    }

    /// Lets so many made-up mails arrive.
    func deliver(count: Int, seed: Int = 1) throws {
        try control("/deliver?to=info@example.test&seed=\(seed)&count=\(count)")
    }
}
