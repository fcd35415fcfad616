import MailModel
import MailStorage
import Testing

@Test func `a repair writes what differs, removes what it did not meet and counts both`() async throws {
    let bench = try Bench()
    let store = bench.store
    try await bench.put(message("1"), message("2"), message("3", folder: "sent"))
    try await store.beginRelisting(.repair)
    var counts = try await store.commitRelisting([message("1", read: true)], next: "p2", at: 5)
    #expect(counts == CommitCounts(updated: 1))
    #expect(try await store.syncState().relisting == Relisting(purpose: .repair, next: "p2"))
    counts = try await store.commitRelisting([message("4"), message("3", folder: "sent")], next: nil, at: 7)
    #expect(counts == CommitCounts(inserted: 1))
    #expect(try await store.syncState().relisting == Relisting(purpose: .repair, isListed: true))
    #expect(try await store.finishRelisting() == RelistingEnd(counts: CommitCounts(deleted: 1), next: nil))
    #expect(Set(try await bench.ids(nil)) == ["1", "3", "4"])
    #expect(try await bench.reader().status().repaired == 3)
    let state = try await store.syncState()
    #expect(state.relisting == nil && state.relistedAt == 7)
}

/// Fails when rows vanish because a listing was cut short.
@Test func `nothing is removed while pages are missing`() async throws {
    let bench = try Bench()
    try await bench.put(message("1"), message("2"))
    try await bench.store.beginRelisting(.repair)
    _ = try await bench.store.commitRelisting([message("1")], next: "p2", at: 0)
    #expect(try await bench.store.finishRelisting() == RelistingEnd(counts: CommitCounts(), next: nil))
    #expect(Set(try await bench.ids(nil)) == ["1", "2"])
    #expect(try await MailStore(path: bench.path, owner: "test").syncState().relisting?.next == "p2")
}

/// Fails when a message that arrives or changes during a listing is taken for one that is gone.
@Test func `what changed meanwhile is kept`() async throws {
    let bench = try Bench()
    let store = bench.store
    try await bench.put(message("old"), message("moved"), message("gone"))
    try await store.beginRelisting(.audit)
    _ = try await store.commitRelisting([message("old")], next: "p2", at: 0)
    let changes: [MessageChange] = [.upsert(message("moved")), .upsert(message("new")), .delete(MessageID("old"))]
    _ = try await store.commitChanges(changes, cursor: "c")
    _ = try await store.commitPages([
        ListingPage(listing: .mailbox(MailboxID("a")), messages: [message("listed")], next: nil)
    ])
    _ = try await store.commitRelisting([], next: nil, at: 0)
    #expect(try await store.finishRelisting().counts == CommitCounts(deleted: 1))
    #expect(Set(try await bench.ids(nil)) == ["moved", "new", "listed"])
}

@Test func `rows are removed in steps`() async throws {
    let bench = try Bench()
    for number in 0..<7 { try await bench.put(message("\(number)")) }
    try await bench.store.beginRelisting(.repair)
    _ = try await bench.store.commitRelisting([message("3")], next: nil, at: 0)
    var next: Int64? = 0
    var steps: [Int] = []
    while let key = next {
        let end = try await bench.store.finishRelisting(after: key, limit: 2)
        steps.append(end.counts.deleted)
        next = end.next
    }
    #expect(steps == [2, 2, 2, 0])
    #expect(try await bench.ids(nil) == ["3"])
}

@Test func `a doubtful round and a bootstrap start over what a listing had met`() async throws {
    let bench = try Bench()
    let store = bench.store
    try await bench.put(message("1"))
    try await store.beginRelisting(.audit)
    _ = try await store.commitRelisting([message("1")], next: "p2", at: 0)
    _ = try await store.commitChanges([], cursor: "c", trust: .losesRows)
    #expect(try await store.syncState().relisting == Relisting(purpose: .repair))
    try await store.beginBootstrap(cursor: "d")
    #expect(try await store.syncState().relisting == nil)
}

/// Fails when a row that got the key of a removed one is taken for gone with it.
@Test func `keys that are given out again are no harm`() async throws {
    let bench = try Bench()
    let store = bench.store
    _ = try await store.replaceMailboxes([mailbox("a"), mailbox("b")])
    try await bench.put(message("1"), message("2", mailbox: "b"), message("3", mailbox: "b"))
    try await store.beginRelisting(.audit)
    _ = try await store.commitRelisting([message("1")], next: nil, at: 0)
    _ = try await store.replaceMailboxes([mailbox("a")])
    _ = try await store.replaceMailboxes([mailbox("a"), mailbox("b")])
    let again = [message("2", mailbox: "b"), message("3", mailbox: "b")]
    _ = try await store.commitPages([ListingPage(listing: .mailbox(MailboxID("b")), messages: again, next: nil)])
    #expect(try await store.finishRelisting().counts.isEmpty)
    #expect(Set(try await bench.ids(nil)) == ["1", "2", "3"])
}
