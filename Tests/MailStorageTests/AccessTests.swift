import MailModel
import MailStorage
import SQLite
import Testing

@Test func `the known access is the last list and the newest unassigned message`() async throws {
    let bench = try Bench()
    #expect(try await bench.store.knownAccess() == KnownAccess(levels: [:], unassigned: nil, isSynced: false))
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b", nil)])
    try await bench.put(message("1", mailbox: nil), message("2", mailbox: nil), message("3", mailbox: "unlisted"))
    let known = try await bench.store.knownAccess()
    #expect(known.levels == [MailboxID("a"): .agent, MailboxID("b"): nil])
    #expect(known.unassigned == MessageID("2") && known.isSynced)
}

@Test func `the verdict on unassigned mail is carried out with the list`() async throws {
    let bench = try Bench()
    let store = bench.store
    try await bench.put(message("1"), message("2", mailbox: nil), message("3", folder: "trash", mailbox: nil))
    #expect(try await store.replaceMailboxes([mailbox("a")], unassigned: .keep).counts.deleted == 0)
    #expect(try await store.replaceMailboxes([mailbox("a")], unassigned: .purge).counts.deleted == 2)
    #expect(try await bench.ids(nil) == ["1"])
    _ = try await store.replaceMailboxes([mailbox("a")], unassigned: .relist(isSeen: false))
    #expect(try await store.syncState().relisting == Relisting(purpose: .repair))
}

/// Fails when an equal mailbox list wakes every process that has the cache open.
@Test(arguments: [[], [mailbox("a"), mailbox("b", nil)], [mailbox("b"), mailbox("a")]])
func `an equal mailbox list writes nothing and another order does`(_ list: [Mailbox]) async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("x"), mailbox("a"), mailbox("b")])
    _ = try await bench.store.replaceMailboxes(list)
    let reader = try bench.reader()
    let version = try await reader.dataVersion()
    #expect(try await bench.store.replaceMailboxes(list).counts.isEmpty)
    #expect(try await reader.dataVersion() == version)
    #expect(try await reader.mailboxes() == list)
    _ = try await bench.store.replaceMailboxes(list + [mailbox("new")])
    #expect(try await reader.dataVersion() != version)
}

@Test func `a listing that was given up is started again`() async throws {
    let bench = try Bench()
    let store = bench.store
    try await bench.put(message("1"))
    #expect(try await store.replaceMailboxes([mailbox("a")]).gained == [MailboxID("a")])
    try await store.beginListing(MailboxID("a"))
    #expect(try await store.replaceMailboxes([mailbox("a")]).gained == [])
    try await store.abandonListing(MailboxID("a"))
    #expect(try await store.syncState().pending == [])
    #expect(try await store.replaceMailboxes([mailbox("a")]).gained == [MailboxID("a")])
}

/// Fails when a mailbox without mail that vanishes from the end of the list is not told to who shows the cache.
@Test func `a vanished mailbox without mail is told`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b")])
    let reader = try bench.reader()
    let version = try await reader.dataVersion()
    #expect(try await bench.store.replaceMailboxes([mailbox("a")]).counts.isEmpty)
    #expect(try await reader.dataVersion() != version)
    #expect(try number("SELECT count(*) FROM commits WHERE touches_mailboxes = 1", bench.path) == 2)
}

/// Fails when lists that became empty leave rows behind, so that the cache differs from a fresh one.
@Test func `an emptied list has no count`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a")])
    try await bench.put(message("1"), message("2", folder: "trash"), message("3", mailbox: nil))
    #expect(try number("SELECT count(*) FROM counts", bench.path) ?? 0 > 0)
    _ = try await bench.store.replaceMailboxes([], unassigned: .purge)
    #expect(try number("SELECT count(*) FROM counts", bench.path) == 0)
}

/// Fails when mail that the feed brought in a moment of ownership stays, since the list is the same after it.
@Test func `an equal list still removes mail of a mailbox that is not readable`() async throws {
    let bench = try Bench()
    let list = [mailbox("a"), mailbox("b", nil)]
    _ = try await bench.store.replaceMailboxes(list)
    try await bench.put(message("1"), message("2", mailbox: "b"))
    #expect(try await bench.store.replaceMailboxes(list).counts == CommitCounts(deleted: 1))
    #expect(try await bench.ids(nil) == ["1"])
}

private func number(_ sql: String, _ path: String) throws -> Int64? { try Database(path, mode: .readOnly).scalar(sql) }
