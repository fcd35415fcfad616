import MailModel
import MailStorage
import Platform
import SQLite
import Testing

@Test func `what waits is shown, and the server's values are kept apart until it is done`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1", read: true), message("2"))
    let receipt = try await bench.act(.archive, "1")

    #expect(try await bench.shown("1")?.folder == "archived")
    #expect(try await bench.reader.conversations(in: ListScope(folder: .archived), limit: 9).count == 1)
    #expect(try await bench.reader.conversationCount(in: ListScope(folder: .inbox)) == 1)
    #expect(try bench.sideRows() == ["1", "mark"])

    // The server says something else of it meanwhile, and the same again.
    try await bench.sync(message("1", starred: true), message("2"))
    #expect(try await bench.shown("1")?.starredAt != nil)
    #expect(try await bench.shown("1")?.folder == "archived")

    let answer = message("1", folder: "archived", starred: true)
    _ = try await bench.box.send()
    #expect(try await bench.cache.apply(answer).updated == 0)
    try await bench.box.store.finish(receipt.operations)
    #expect(try await bench.cache.rematerialise().isEmpty)
    #expect(try await bench.shown("1") == answer)
    try await bench.idlePass()
    #expect(try await bench.shown("1") == answer)
    #expect(try bench.sideRows() == [])
}

/// Fails when a page that was on its way while an action was done brings the past back to the screen.
@Test func `a page from before an action does not show what was before it`() async throws {
    let bench = try await ReplayBench.make()
    let (before, after) = (message("1"), message("1", folder: "archived"))
    try await bench.sync(before, message("2"))
    let receipt = try await bench.act(.archive, "1")
    try await bench.cache.passBegins()
    _ = try await bench.box.send()
    try await bench.cache.apply(after)
    try await bench.box.store.finish(receipt.operations)
    try await bench.cache.rematerialise()

    try await bench.sync(before)
    #expect(try await bench.shown("1") == after)
    // That pass had asked before the action was done.
    try await bench.cache.passEnds()
    #expect(try await bench.shown("1") == after)

    // The next one hears of it, and of what somebody did then.
    try await bench.cache.passBegins()
    let last = message("1", folder: "trash")
    try await bench.sync(last)
    try await bench.cache.passEnds()
    #expect(try await bench.shown("1") == last)
    #expect(try bench.sideRows() == [])
}

/// Fails when a pass writes to the cache though nobody acted.
@Test func `without answered actions a pass notes nothing`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"))
    try await bench.idlePass()
    let version = try await bench.reader.dataVersion()

    try await bench.idlePass()

    #expect(try await bench.reader.dataVersion() == version)
}

@Test func `what was refused or taken back shows the server's values again`() async throws {
    let bench = try await ReplayBench.make()
    let first = message("1", folder: "archived", starred: true)
    try await bench.sync(first, message("2"))
    let receipt = try await bench.act(.trash, "1", "2")
    try await bench.act(.read, "1")
    try await bench.act(.unstar, "1")
    #expect(try await bench.shown("1")?.folder == "trash")

    while try await bench.box.store.undo(at: 9)?.batch.name != "Mark read" {}
    _ = try await bench.cache.rematerialise()
    #expect(try await bench.shown("1")?.starredAt == first.starredAt)
    #expect(try await bench.shown("1")?.readAt == nil)
    try await bench.box.store.drop(receipt.operations, verdict: Verdict(.rejected, .columnDenied), at: 9)
    #expect(try await bench.cache.rematerialise() == CommitCounts(updated: 2))

    #expect(try await bench.shown("1") == first)
    #expect(try bench.sideRows() == [])
}

/// Fails when queueing, or another process's queueing, needs more than the next write to be shown.
@Test func `whoever writes the cache shows what waits`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"), message("2"))
    try await bench.box.act(.star, message("1"))
    #expect(try await bench.shown("1")?.starredAt == nil)

    try await bench.sync(message("3"))

    #expect(try await bench.shown("1")?.starredAt != nil)
    #expect(try await bench.cache.rematerialise().isEmpty)
}

/// Fails when an idle pass leaves rows that do not show what another process queued or gave up.
@Test func `a pass in which nothing comes shows what waits`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"))
    let receipt = try await bench.box.act(.star, message("1"))
    try await bench.idlePass()
    #expect(try await bench.shown("1")?.starredAt != nil)

    try await bench.box.store.drop(receipt.operations, verdict: .discarded, at: 1)
    try await bench.idlePass()
    #expect(try await bench.shown("1")?.starredAt == nil)
}

/// Fails when a cache that was made anew shows what the server has, without what the person did since.
@Test func `a cache made anew shows what waits`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"))
    try await bench.act(.trash, "1")
    let path = bench.box.cache + ".new"
    let fresh = try ReplayBench.open(path, bench.box.path)
    try await fresh.beginBootstrap(cursor: "c")

    _ = try await fresh.commitPages([ListingPage(listing: .folder(.inbox), messages: [message("1")], next: nil)])
    _ = try await fresh.finishBootstrap()

    let reader = try #require(try MailReader(path: path, owner: ReplayBench.owner))
    #expect(try await reader.message(MessageID("1"))?.summary.folder == "trash")
    #expect(try await reader.conversationCount(in: ListScope(folder: .trash)) == 1)
}

/// Fails when replaying counts as having met a message, so that one that is gone stays.
@Test func `a message that no listing met goes, though operations wait for it`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.cache.beginBootstrap(cursor: "c")
    let page = ListingPage(listing: .folder(.inbox), messages: [message("1"), message("2")], next: nil)
    _ = try await bench.cache.commitPages([page])
    _ = try await bench.cache.finishBootstrap()
    try await bench.cache.beginBootstrap(cursor: "d")
    try await bench.act(.star, "1")
    let rest = ListingPage(listing: .folder(.inbox), messages: [message("2")], next: nil)
    _ = try await bench.cache.commitPages([rest])

    #expect(try await bench.cache.finishBootstrap().deleted == 1)

    #expect(try bench.sideRows() == ["lost 1", "mark"])
    #expect(try await bench.cache.settleLost(in: bench.box.store, at: 9) == 1)
    #expect(try await bench.box.store.journal(limit: 9).map(\.verdict) == [.deleteWins])
    #expect(try bench.sideRows() == [])
}

@Test func `operations of a mailbox that vanished end in the journal`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1", mailbox: "b"), message("2"))
    try await bench.act(.star, "1", "2")

    _ = try await bench.cache.replaceMailboxes([mailbox("a")])

    #expect(try await bench.cache.settleLost(in: bench.box.store, at: 9) == 1)
    #expect(try await bench.box.store.journal(limit: 9).map(\.verdict) == [.accessLost])
    #expect(try await bench.box.queue() == ["star 2"])
    #expect(try await bench.cache.settleLost(in: bench.box.store, at: 9) == 0)
}

/// Fails when a message that went and came back has its operations ended.
@Test func `a message that comes back is not lost`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"))
    try await bench.act(.star, "1")
    _ = try await bench.cache.commitChanges([.delete(MessageID("1")), .upsert(message("1"))], cursor: "d")

    #expect(try await bench.cache.settleLost(in: bench.box.store, at: 9) == 0)
    #expect(try await bench.shown("1")?.starredAt != nil)
    #expect(try await bench.box.queue() == ["star 1"])
}

/// Fails when rows keep showing what an outbox held that is not there any more, or is another one now.
@Test func `an outbox that was moved away is shown no more`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"), message("2"))
    try await bench.act(.star, "1")
    for suffix in ["", "-wal", "-shm"] { Files.remove(bench.box.path + suffix) }
    #expect(try await bench.cache.rematerialise().updated == 1)
    #expect(try bench.sideRows() == [])

    let other = try bench.box.again()
    _ = try await other.enqueue([NewOperation(.star, on: message("2"))], name: "Star", at: 1)
    #expect(try await bench.cache.rematerialise().updated == 1)
    #expect(try await bench.shown("2")?.starredAt != nil)
}

@Test func `what another person queued is not shown`() async throws {
    let bench = try await ReplayBench.make()
    try await bench.sync(message("1"))
    try await bench.act(.star, "1")

    // The file may change hands while the cache is open.
    let outbox = try Database(bench.box.path)
    try outbox.run("UPDATE meta SET value = 'somebody' WHERE key = 'owner'")
    #expect(try await bench.cache.rematerialise().updated == 1)
    try outbox.run("UPDATE meta SET value = '\(ReplayBench.owner)' WHERE key = 'owner'")
    #expect(try await bench.cache.rematerialise().updated == 1)

    let other = try MailStore(path: bench.box.cache + ".other", owner: "https://x.example two", outbox: bench.box.path)
    _ = try await other.commitChanges([.upsert(message("1"))], cursor: "c")

    let reader = try #require(try MailReader(path: bench.box.cache + ".other", owner: "https://x.example two"))
    #expect(try await reader.message(MessageID("1"))?.summary.starredAt == nil)
}

/// Fails when a damaged outbox is taken for an empty one, or for a damaged cache.
@Test func `a damaged outbox stops the sync, and the cache is not blamed`() async throws {
    let bench = try await ReplayBench.make()
    let path = bench.box.cache + ".outbox"
    try Files.replace(path, with: [UInt8](repeating: 7, count: 5_000))
    let cache = try ReplayBench.open(bench.box.cache, path)

    await #expect(throws: StoreError.outbox(.damaged(path: path))) {
        try await cache.commitChanges([.upsert(message("1"))], cursor: "c")
    }
    await #expect(throws: StoreError.outbox(.damaged(path: path))) { try await cache.rematerialise() }

    #expect(StoreError.outbox(.damaged(path: path)).exitCode == 74)
    #expect(try await bench.reader.message(MessageID("1")) == nil)
    #expect(try Files.read(path).count == 5_000)
    #expect(try MailReader(path: bench.box.cache, owner: ReplayBench.owner) != nil)
}

/// Fails when a row is written twice for one answer, loses what still waits, or is wrong after a kill before the outbox
/// forgets the operation.
@Test func `an answer stands for the operation that it ends, and not for the next one`() async throws {
    var bench = try await ReplayBench.make()
    try await bench.sync(message("1"), message("2"))
    let star = try await bench.act(.star, "1", "2")
    try await bench.act(.archive, "1")
    _ = try await bench.box.send(9)
    var (first, second) = (message("1"), message("2"))
    first.starredAt = instant(5)
    second.starredAt = instant(6)

    #expect(try await bench.cache.apply([first, second], ending: [first.id, second.id]).updated == 2)

    var archived = first
    archived.folder = "archived"
    #expect(try await bench.shown("1") == archived)
    #expect(try await bench.shown("2") == second)
    // Killed here, the next start shows the same, and still all that waits.
    bench.cache = try ReplayBench.open(bench.box.cache, bench.box.path)
    try await bench.cache.rematerialise()
    #expect(try await bench.shown("1") == archived)
    #expect(try await bench.shown("2")?.starredAt != nil)

    try await bench.cache.apply([first, second], ending: [first.id, second.id])
    try await bench.box.store.finish(star.operations)
    #expect(try await bench.cache.rematerialise().updated == 0)
    #expect(try await bench.shown("1") == archived)
    #expect(try await bench.box.queue() == ["archive 1"])
    #expect(try await bench.box.store.undo(at: 9)?.cancelled == 1)
    #expect(try await bench.cache.rematerialise().updated == 1)
    #expect(try await bench.shown("1") == first)
    try await bench.idlePass()
    #expect(try bench.sideRows() == [])
}
