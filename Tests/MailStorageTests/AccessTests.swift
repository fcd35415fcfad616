import MailModel
import MailStorage
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
    _ = try await store.replaceMailboxes([mailbox("a")], unassigned: .relist)
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
