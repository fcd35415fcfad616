import Glibc
import MailModel
import Platform
import SQLite
import Synchronization
import Testing

@testable import MailStorage

private final class Flag: Sendable {
    let isOver = Atomic(false)
}

/// Fails when a writer or reader of a replaced cache reaches the new one's log, or a half-made swap is seen.
@Test func `caches are replaced whole under writers and readers`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    _ = try MailStore(path: path, owner: "test")
    let flag = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<3 {
            group.addTask {
                var store = try MailStore(path: path, owner: "test")
                for round in 0..<200 {
                    _ = try await store.commitChanges([.upsert(message("w\(writer)-\(round)"))], cursor: "\(round)")
                    if round % 20 == 0 { store = try MailStore(path: path, owner: "test") }
                }
            }
        }
        group.addTask {
            while !flag.isOver.load(ordering: .relaxed) {
                guard let reader = try MailReader(path: path, owner: "test") else { continue }
                _ = try await reader.messages(mailbox: nil, folder: nil, limit: nil)
            }
        }
        group.addTask {
            defer { flag.isOver.store(true, ordering: .relaxed) }
            for round in 0..<40 { try await replace(path, round) }
        }
        try await group.waitForAll()
    }
    try expectWhole(path)
    #expect(!Files.exists(path + ".aside"))
    CacheName(path).sweep()
    #expect(Files.names(in: String(path.dropLast("/cache.sqlite".count))).count <= 5)
}

private func replace(_ path: String, _ round: Int) async throws {
    let name = CacheName(path)
    let file = name.newFile()
    do {
        let store = try MailStore(path: file, owner: "test")
        for number in 0..<5 {
            _ = try await store.commitChanges([.upsert(message("r\(round)-\(number)"))], cursor: "r\(round)")
        }
        await store.tidy()
    }
    try name.replace(with: file)
    let reader = try #require(try MailReader(path: path, owner: "test"))
    let ids = try await reader.messages(mailbox: nil, folder: nil, limit: nil).map(\.id.rawValue)
    try expectWhole(path)
    // What older files held is gone; what this one was made with is there.
    #expect(Set(ids.filter { $0.hasPrefix("r") }) == Set((0..<5).map { "r\(round)-\($0)" }))
}

private func expectWhole(_ file: String) throws {
    let database = try Database(file)
    let row = try database.statement("PRAGMA integrity_check")
    defer { row.reset() }
    #expect(try row.step() && row.text(0) == "ok")
}

@Test func `a replaced cache leaves its name and nothing else`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    _ = try MailStore(path: path, owner: "test")
    #expect(FileKind(path) == .regular)
    let before = Files.inode(path)
    try await replace(path, 1)
    guard case .link(let target) = FileKind(path) else { throw StoreError.cannotAccess }
    #expect(Files.inode(path) != before)
    try await replace(path, 2)
    let names = Set(Files.names(in: String(path.dropLast("/cache.sqlite".count))))
    #expect(!names.contains(target))
    #expect(!names.contains("cache.sqlite-wal"))
}

/// Fails when the present file or somebody else's goes with the leftovers of killed processes.
@Test func `a sweep removes files of dead processes and no others`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    _ = try MailStore(path: path, owner: "test")
    try await replace(path, 1)
    let kept = Set(Files.names(in: String(path.dropLast("/cache.sqlite".count))))
    let others = [".aside", ".backup", ".12345678x", ".1234567", ".1234567g", ".12345678.txt", "-notes"]
    let leftovers = [".12345678", ".12345678-wal", ".12345678-shm", ".abcdef01.lock", ".link", ".00000000-damaged"]
    for suffix in others + leftovers { try Files.replace(path + suffix, with: [1]) }

    CacheName(path).sweep()

    let left = Set(Files.names(in: String(path.dropLast("/cache.sqlite".count))))
    #expect(left == kept.union(others.map { "cache.sqlite" + $0 }))
}

/// Fails when a mark outlives the file it was made for and has a good cache set aside.
@Test func `a mark of damage counts for the file it was made for`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    let store = try MailStore(path: path, owner: "test")
    CacheName(path).setMark(inode: store.inode)
    #expect(CacheName(path).isMarked)
    #expect(try MailReader(path: path, owner: "test") == nil)
    let next = try MailStore(path: path, owner: "test")
    #expect(next.inode != store.inode)
    #expect(!CacheName(path).isMarked)
    // The old file's damage is no news of the new one.
    CacheName(path).setMark(inode: store.inode)
    #expect(!CacheName(path).isMarked)
    #expect(try MailReader(path: path, owner: "test") != nil)
}

/// Fails when a cache that was removed under a running program shares its log with the next one.
@Test func `a removed cache starts anew under a program that has it open`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    let old = try MailStore(path: path, owner: "test")
    _ = try await old.commitChanges([.upsert(message("old"))], cursor: "c")
    Files.remove(path)
    let new = try MailStore(path: path, owner: "test")
    _ = try await old.commitChanges([.upsert(message("older"))], cursor: "d")
    _ = try await new.commitChanges([.upsert(message("new"))], cursor: "c")
    _ = try await old.commitChanges([.upsert(message("oldest"))], cursor: "e")
    let reader = try #require(try MailReader(path: path, owner: "test"))
    #expect(try await reader.messages(mailbox: nil, folder: nil, limit: nil).map(\.id.rawValue) == ["new"])
    try expectWhole(path)
}
