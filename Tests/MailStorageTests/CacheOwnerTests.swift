import MailModel
import Platform
import SQLite
import Testing

@testable import MailStorage

private func ids(_ path: String, _ owner: String) async throws -> [String] {
    guard let reader = try MailReader(path: path, owner: owner) else { return [] }
    return try await reader.messages(mailbox: nil, folder: nil, limit: nil).map(\.id.rawValue).sorted()
}

private func put(_ path: String, _ owner: String, _ id: String) async throws {
    let store = try MailStore(path: path, owner: owner)
    _ = try await store.commitChanges([.upsert(message(id))], cursor: "c" + id)
}

/// Fails when a credential that is wrong once costs the cache of the right one.
@Test(arguments: [1, 2, 5])
func `a cache outlives wrong credentials`(_ wrong: Int) async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    try await put(path, "right", "1")
    for number in 0..<wrong {
        _ = try MailStore(path: path, owner: "wrong \(number)")
        #expect(try await ids(path, "right").isEmpty)
    }
    let store = try MailStore(path: path, owner: "right")
    #expect(try await store.syncState().cursor == "c1")
    #expect(try await ids(path, "right") == ["1"])
    #expect(!Files.exists(path + ".aside"))
}

/// Fails when two people who take turns on one account fetch everything anew, or one sees the other's mail.
@Test func `two owners take turns with a cache each`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    var expected: [String: [String]] = ["anna": [], "ben": []]
    for round in 0..<4 {
        for owner in ["anna", "ben"] {
            try await put(path, owner, "\(owner)\(round)")
            expected[owner]?.append("\(owner)\(round)")
            #expect(try await ids(path, owner) == expected[owner])
        }
    }
    let database = try Database(path)
    let check = try database.statement("PRAGMA integrity_check")
    #expect(try check.step() && check.text(0) == "ok")
}

/// Fails when a file that another process still writes is taken back, so that two logs meet one database.
@Test func `a cache that is still open elsewhere is not taken back`() async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    let open = try MailStore(path: path, owner: "right")
    _ = try await open.commitChanges([.upsert(message("1"))], cursor: "c1")
    try await put(path, "other", "2")
    _ = try await open.commitChanges([.upsert(message("3"))], cursor: "c3")
    let again = try MailStore(path: path, owner: "right")
    #expect(try await again.syncState().cursor == nil)
    #expect(try await ids(path, "right").isEmpty)
}

/// Fails when damage of what was set aside keeps the program from starting.
@Test(arguments: ["junk", "empty", "link", "directory"])
func `what is not a cache is not taken back`(_ kind: String) async throws {
    let path = Bench.newPath()
    defer { Bench.remove(path) }
    try await put(path, "other", "1")
    switch kind {
    case "junk": try Files.replace(path + ".aside", with: [UInt8](repeating: 7, count: 9_000))
    case "empty": try Files.replace(path + ".aside", with: [])
    case "link": try Files.makeLink(path + ".aside", to: "cache.sqlite")
    default: try Files.makeDirectory(path + ".aside")
    }
    let store = try MailStore(path: path, owner: "right")
    #expect(try await store.syncState().cursor == nil)
    try await put(path, "right", "2")
    #expect(try await ids(path, "right") == ["2"])
}
