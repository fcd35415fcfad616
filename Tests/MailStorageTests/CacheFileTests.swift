import Glibc
import MailModel
import MailTestSupport
import Platform
import SQLite
import Testing

@testable import MailStorage

/// What a cache file can turn out to be.
private enum Fault: CaseIterable {
    case randomBytes, truncated, damagedSchema, foreignTables, otherApplication, otherVersion, otherOwner

    /// Makes the file.
    func make(_ path: String) throws {
        var random = SeededNumbers(seed: 7)
        switch self {
        case .randomBytes:
            try Files.replace(path, with: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .truncated:
            try cache(path)
            try Files.replace(path, with: Array(try Files.read(path).prefix(9_000)))
        case .damagedSchema:
            try cache(path)
            let bytes = try Files.read(path)
            try Files.replace(path, with: bytes.prefix(100) + [UInt8](repeating: 0xFF, count: bytes.count - 100))
        case .foreignTables: try Database(path).run("CREATE TABLE notes(text TEXT)")
        case .otherApplication: try cache(path, "PRAGMA application_id = 5")
        case .otherVersion: try cache(path, "PRAGMA user_version = 999")
        case .otherOwner:
            try cache(
                path,
                """
                UPDATE meta SET value = 'somebody' WHERE key = 'owner';
                INSERT INTO mailboxes(id, address, display_name, is_active, position) VALUES ('a', 'a', 'a', 1, 0)
                """)
        }
    }

    private func cache(_ path: String, _ sql: String = "") throws {
        let database = try CacheFile.open(path, owner: "test").database
        try database.run(sql)
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

@Test(arguments: Fault.allCases)
private func `an unusable cache is set aside and starts empty`(_ fault: Fault) async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    try fault.make(path)
    #expect(try MailReader(path: path, owner: "test") == nil)
    let store = try MailStore(path: path, owner: "test")
    #expect(Files.exists(path + ".aside"))
    #expect(try await store.syncState().cursor == nil)
    #expect(try await store.commitChanges([.upsert(message("1"))], cursor: "c") == CommitCounts(inserted: 1))
    let reader = try #require(try MailReader(path: path, owner: "test"))
    #expect(try await reader.status().messages == 1)
}

@Test func `an empty file becomes a cache in place`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    #expect(try MailReader(path: path, owner: "test") == nil)
    try Files.replace(path, with: [])
    #expect(try MailReader(path: path, owner: "test") == nil)
    #expect(try await MailStore(path: path, owner: "test").syncState().cursor == nil)
    #expect(!Files.exists(path + ".aside"))
    #expect(try MailReader(path: path, owner: "test") != nil)
}

@Test func `damage found by a write sets the file aside at the next start`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    do {
        let database = try CacheFile.open(path, owner: "test").database
        let root = try #require(try database.scalar("SELECT rootpage FROM sqlite_schema WHERE name = 'messages'"))
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Files.read(path)
        let page = Int(root - 1) * 4_096
        bytes.replaceSubrange(page..<(page + 4_096), with: [UInt8](repeating: 0xFF, count: 4_096))
        try Files.replace(path, with: bytes)
    }
    let store = try MailStore(path: path, owner: "test")
    await #expect(throws: StoreError.damaged) {
        try await store.commitChanges([.upsert(message("1"))], cursor: "c")
    }
    let next = try MailStore(path: path, owner: "test")
    #expect(Files.exists(path + ".aside"))
    #expect(try await next.commitChanges([.upsert(message("1"))], cursor: "c") == CommitCounts(inserted: 1))
}

/// Fails when a checkpoint under way keeps the log from being emptied, which the next start would have to read.
@Test func `tidying empties the log however busy it was`() async throws {
    let bench = try Bench()
    for page in 0..<12 {
        let messages = (0..<500).map { message("m\(page)-\($0)", at: $0 % 60) }
        _ = try await bench.store.commitChanges(messages.map { .upsert($0) }, cursor: "\(page)")
    }

    await bench.store.tidy()

    let isEmpty = try Files.read(bench.path + "-wal").isEmpty
    #expect(isEmpty)
}
