import MailModel
import MailStorage
import Testing

@Test func `the cursor is committed with its changes`() async throws {
    let bench = try Bench()
    #expect(try await bench.store.syncState().cursor == nil)
    _ = try await bench.store.commitChanges([.upsert(message("1"))], cursor: "one")
    #expect(try await bench.store.syncState().cursor == "one")
    let again = try MailStore(path: bench.path, owner: "test")
    #expect(try await again.syncState().cursor == "one")
    #expect(try await bench.ids(nil) == ["1"])
}

@Test func `a mailbox that is lost takes its mail along`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b"), mailbox("c")])
    try await bench.put(message("1"), message("2", mailbox: "b"), message("3", mailbox: "c"))
    let counts = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b", nil)]).counts
    #expect(counts.deleted == 2)
    #expect(try await bench.ids(nil) == ["1"])
    #expect(try await bench.reader().mailboxCounts().map(\.mailbox?.id.rawValue) == [nil, "a"])
    #expect(try await bench.reader().mailboxes().map(\.id.rawValue) == ["a", "b"])
}

@Test func `a mailbox that became readable is told until it was listed`() async throws {
    let bench = try Bench()
    let store = bench.store
    #expect(try await store.replaceMailboxes([mailbox("a")]).gained == [])
    try await store.beginBootstrap(cursor: "c")
    for folder in Folder.stored {
        _ = try await store.commitPages([ListingPage(listing: .folder(folder), messages: [], next: nil)])
    }
    _ = try await store.finishBootstrap()
    #expect(try await store.replaceMailboxes([mailbox("a")]).gained == [])
    let both = [mailbox("a"), mailbox("b")]
    #expect(try await store.replaceMailboxes(both).gained == [MailboxID("b")])
    try await store.beginListing(MailboxID("b"))
    #expect(try await store.replaceMailboxes(both).gained == [])
    let page = ListingPage(listing: .mailbox(MailboxID("b")), messages: [message("1", mailbox: "b")], next: nil)
    #expect(try await store.commitPages([page]) == CommitCounts(inserted: 1))
    #expect(try await store.replaceMailboxes(both).gained == [])
    #expect(try await store.syncState().pending == [])
}

@Test func `a bootstrap goes on where it was after reopening`() async throws {
    let bench = try Bench()
    try await bench.store.beginBootstrap(cursor: "c")
    _ = try await bench.store.commitPages([
        ListingPage(listing: .folder(.inbox), messages: [message("1")], next: "p2"),
        ListingPage(listing: .folder(.sent), messages: [], next: nil),
    ])
    let state = try await MailStore(path: bench.path, owner: "test").syncState()
    #expect(state.isBootstrapping && !state.isBootstrapped && state.cursor == "c")
    #expect(state.pending.first == ListingProgress(listing: .folder(.inbox), next: "p2"))
    #expect(state.pending.map(\.listing) == Folder.stored.filter { $0 != .sent }.map { .folder($0) })
}

@Test func `a second bootstrap removes what it did not see`() async throws {
    let bench = try Bench()
    let store = bench.store
    for kept in [["1", "2", "3"], ["1"]] {
        try await store.beginBootstrap(cursor: "c")
        let messages = kept.map { message($0) }
        _ = try await store.commitPages([ListingPage(listing: .folder(.inbox), messages: messages, next: nil)])
        if kept.count == 1 { try await bench.put(message("new")) }
        let counts = try await store.finishBootstrap()
        #expect(counts == CommitCounts(deleted: kept.count == 1 ? 2 : 0))
    }
    #expect(Set(try await bench.ids(nil)) == ["1", "new"])
    let state = try await store.syncState()
    #expect(state.isBootstrapped && !state.isBootstrapping)
}

/// Fails when mail deleted while a first bootstrap was given up and begun again stays for ever.
@Test func `a bootstrap begun again removes what the one before it saw alone`() async throws {
    let bench = try Bench()
    let store = bench.store
    try await store.beginBootstrap(cursor: "c")
    _ = try await store.commitPages([
        ListingPage(listing: .folder(.inbox), messages: [message("1"), message("2")], next: "p2")
    ])

    try await store.beginBootstrap(cursor: "d")
    _ = try await store.commitPages([ListingPage(listing: .folder(.inbox), messages: [message("2")], next: nil)])
    let counts = try await store.finishBootstrap()

    #expect(counts == CommitCounts(deleted: 1))
    #expect(Set(try await bench.ids(nil)) == ["2"])
}
