import Glibc
import MailModel
import MailTestSupport
import Platform
import SQLite
import Testing

@testable import MailStorage

private let owner = "https://x.example one"

/// A path for an outbox in a directory of its own.
private func newPath() -> String { Bench.newPath().dropLast("cache.sqlite".count) + "outbox.sqlite" }

private func remove(_ path: String) { Files.removeTree(String(path.dropLast("/outbox.sqlite".count))) }

/// An outbox with so many operations, its log moved into the file.
private func fill(_ path: String, _ count: Int = 300) async throws {
    let store = try OutboxStore(path: path, owner: owner)
    let operations = (0..<count).map { NewOperation(.star, on: message("\($0)")) }
    _ = try await store.enqueue(operations, name: "Star", at: 1)
    try Database(path).run("PRAGMA wal_checkpoint(TRUNCATE)")
}

/// What can be wrong with the file.
private enum Fault: CaseIterable {
    case randomBytes, truncated, damagedPages, foreignTables, otherApplication, newer

    func make(_ path: String) async throws {
        var random = SeededNumbers(seed: 7)
        switch self {
        case .randomBytes:
            try Files.replace(path, with: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .truncated:
            try await fill(path)
            try Files.replace(path, with: Array(try Files.read(path).prefix(20_000)))
        case .damagedPages:
            try await fill(path)
            let bytes = try Files.read(path)
            try Files.replace(path, with: bytes.prefix(16_384) + [UInt8](repeating: 0xA5, count: bytes.count - 16_384))
        case .foreignTables: try Database(path).run("CREATE TABLE notes(text TEXT)")
        case .otherApplication:
            try await fill(path)
            try Database(path).run("PRAGMA application_id = 5; PRAGMA wal_checkpoint(TRUNCATE)")
        case .newer:
            try await fill(path)
            try Database(path).run("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}

/// Fails when an outbox that cannot be used is removed, replaced, or taken for an empty one.
@Test(arguments: Fault.allCases)
private func `an outbox that cannot be used stays as it is, and is named`(_ fault: Fault) async throws {
    let path = newPath()
    defer { remove(path) }
    try await fault.make(path)
    let bytes = try Files.read(path)
    let expected = fault == .newer ? OutboxError.newer(path: path) : .damaged(path: path)

    for _ in 0..<2 {
        #expect(throws: expected) { try OutboxStore(path: path, owner: owner) }
    }

    #expect(try Files.read(path) == bytes || fault == .foreignTables)
    #expect(expected.message.contains(path))
    #expect(expected.exitCode == (fault == .newer ? 78 : 74))
}

@Test func `an outbox of another server is refused`() async throws {
    let path = newPath()
    defer { remove(path) }
    _ = try OutboxStore(path: path, owner: owner)

    #expect(throws: OutboxError.foreign(path: path)) { try OutboxStore(path: path, owner: "https://y.example one") }
    #expect(throws: OutboxError.foreign(path: path)) {
        try OutboxStore.adopt(path: path, owner: "https://y.example one")
    }
    #expect(!OutboxError.foreign(path: path).message.contains("adopt"))
}

/// Fails when a text that nobody else has is given to another person, or goes without being counted.
@Test func `a draft that was not saved counts as unsent work`() async throws {
    let path = newPath()
    defer { remove(path) }
    #expect(try OutboxStore.counts(path: path) == nil)
    let store = try OutboxStore(path: path, owner: owner)
    #expect(try OutboxStore.counts(path: path)?.total == 0)
    _ = try await store.createDraft(DraftContent(subject: "Hi", text: "Hello"), at: 1)
    #expect(try OutboxStore.counts(path: path)?.total == 1)
    let other = "https://x.example two"
    #expect(throws: OutboxError.anothers(path: path)) { try OutboxStore(path: path, owner: other) }
}

/// Fails when something is sent as somebody else, or queued where nobody will look for it.
@Test func `an outbox that is exchanged or taken over under an open one is neither sent nor written`() async throws {
    let (path, other) = (newPath(), newPath())
    defer { [path, other].forEach(remove) }
    let (mine, theirs) = ("https://x.example one", "https://x.example two")
    _ = try await OutboxStore(path: other, owner: theirs).enqueue(
        [NewOperation(.star, on: message("9"))], name: "Star", at: 1)
    let store = try OutboxStore(path: path, owner: mine)
    let work = [NewOperation(.star, on: message("1"))]
    _ = try await store.enqueue(work, name: "Star", at: 1)
    #expect(store.isCurrent)

    try OutboxStore.adopt(path: path, owner: theirs)
    await #expect(throws: OutboxError.anothers(path: path)) { try await store.claim(limit: 9, now: 5) }
    await #expect(throws: OutboxError.anothers(path: path)) { try await store.enqueue(work, name: "Star", at: 2) }
    try OutboxStore.adopt(path: path, owner: mine)
    #expect(try await store.claim(limit: 9, now: 5).count == 1)
    try await store.restart()

    #expect(rename(other, path) == 0)
    #expect(!store.isCurrent)
    await #expect(throws: OutboxError.replaced) { try await store.claim(limit: 9, now: 5) }
    await #expect(throws: OutboxError.replaced) {
        try await store.enqueue([NewOperation(.archive, on: message("2"))], name: "Archive", at: 2)
    }
}

/// Fails when what one person queued is sent as another, or when a wrong token costs what was queued.
@Test func `an outbox of another sign-in is taken over only when nothing waits`() async throws {
    let path = newPath()
    defer { remove(path) }
    let other = "https://x.example two"
    try await fill(path, 1)
    #expect(throws: OutboxError.anothers(path: path)) { try OutboxStore(path: path, owner: other) }
    let store = try OutboxStore(path: path, owner: owner)
    #expect(try await store.counts().queued == 1)
    try await store.drop(store.operations().map(\.id), verdict: .discarded, at: 1)

    let taken = try OutboxStore(path: path, owner: other)

    #expect(try await taken.undo(at: 2) == nil)
    #expect(try await taken.journal(limit: 9).count == 1)
    #expect(throws: Never.self) { try OutboxStore(path: path, owner: owner) }
}

/// Fails when what one person queued is counted as another's, or counting takes it over.
@Test func `what another sign-in queued is counted apart`() async throws {
    let path = newPath()
    defer { remove(path) }
    let other = "https://x.example two"
    #expect(try OutboxStore.counts(path: path, owner: other) == nil)
    try await fill(path, 2)
    for _ in 0..<2 {
        let (own, anothers) = try #require(try OutboxStore.counts(path: path, owner: other))
        #expect(own == OutboxCounts() && anothers.queued == 2)
    }
    let (own, anothers) = try #require(try OutboxStore.counts(path: path, owner: owner))
    #expect(own.queued == 2 && anothers == OutboxCounts())
    #expect(throws: OutboxError.foreign(path: path)) {
        _ = try OutboxStore.counts(path: path, owner: "https://y.example one")
    }
}

@Test func `what is in the way of the file, or lacks a directory, is told`() throws {
    let path = newPath()
    defer { remove(path) }
    mkdir(path, 0o700)
    #expect(throws: OutboxError.inTheWay(path: path)) { try OutboxStore(path: path, owner: owner) }
    #expect(throws: OutboxError.cannotCreate) { try OutboxStore(path: path + "/no/outbox.sqlite", owner: owner) }
}

/// Fails when processes that open a new outbox at once make it twice or lock each other out.
@Test func `many may open a new outbox at once`() async throws {
    let path = newPath()
    defer { remove(path) }

    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
            group.addTask {
                let store = try OutboxStore(path: path, owner: owner)
                _ = try await store.enqueue([NewOperation(.star, on: message("\(number)"))], name: "Star", at: 1)
            }
        }
        try await group.waitForAll()
    }

    let store = try OutboxStore(path: path, owner: owner)
    #expect(try await store.counts().queued == 8)
    #expect(try await store.batches().count == 8)
}

extension OutboxStore {
    /// Has the file be full at some pages more than it has.
    fileprivate func limit(pages: Int64) throws {
        let now = try database.scalar("PRAGMA page_count") ?? 0
        try database.run("PRAGMA max_page_count = \(now + pages)")
    }
}

@Test func `on a full disk nothing of a batch is queued and nothing is lost`() async throws {
    let path = newPath()
    defer { remove(path) }
    try await fill(path, 5)
    let store = try OutboxStore(path: path, owner: owner)
    try await store.limit(pages: 3)
    let many = (0..<2_000).map { NewOperation(.archive, on: message("\($0)")) }

    await #expect(throws: OutboxError.notQueued) { try await store.enqueue(many, name: "Archive", at: 2) }

    #expect(try await store.counts().queued == 5)
    #expect(try await store.batches().map(\.name) == ["Star"])
    #expect(try await store.undo(at: 3)?.cancelled == 5)
    #expect(OutboxError.full.exitCode == 74)
}

/// Fails when a step of the schema is edited after its release, or a file of an older version is not brought up.
@Test func `a file of each older version is brought up with what it holds`() async throws {
    let path = newPath()
    defer { remove(path) }
    // The file as its first version makes it: its text stands here so that the step cannot change unseen.
    let database = try Database(path)
    try database.run(OutboxMigrations.steps[0].sql)
    try database.run(
        """
        PRAGMA application_id = \(OutboxMigrations.applicationID); PRAGMA user_version = 1;
        INSERT INTO meta(key, value) VALUES ('owner', '\(owner)'), ('identity', 'i'), ('revision', '1');
        INSERT INTO operations(id, batch_id, batch_pk, place, message_id, mailbox_id, kind, inverse, status, created_at)
        VALUES ('o', 'b', 1, 0, 'm', 'a', 'archive', 'unarchive', 'pending', '2026-01-01T00:00:00.000Z');
        INSERT INTO batches(pk, id, name, count, created_at) VALUES (1, 'b', 'Archive', 1, '2026-01-01T00:00:00.000Z');
        INSERT INTO effects(batch_pk, place, message_id, mailbox_id, undo, operation_id)
        VALUES (1, 0, 'm', 'a', 'unarchive:archive', 'o');
        INSERT INTO journal(id, batch_id, message_id, mailbox_id, kind, verdict, reason, created_at, ended_at)
        VALUES ('p', 'c', 'n', NULL, 'star', 'rejected', 'DELETE_WINS', '2026-01-01T00:00:00.000Z',
            '2026-01-01T00:00:00.000Z')
        """)

    let store = try OutboxStore(path: path, owner: owner)

    #expect(try await store.operations().map(\.kind) == [.triage(.archive)])
    #expect(try await store.journal(limit: 1).map(\.verdict) == [.deleteWins])
    #expect(try await store.undo(at: 1)?.cancelled == 1)
    #expect(try Database(path).scalar("PRAGMA user_version") == OutboxMigrations.version)
}

/// Fails when a failure would be told without a word, or end with another code than its kind.
@Test(
    arguments: [
        (OutboxError.full, 74), (.damaged(path: "p"), 74), (.cannotAccess, 74), (.anothers(path: "p"), 78),
        (.newer(path: "p"), 78), (.cannotCreate, 73), (.inTheWay(path: "p"), 73), (.busy, 75), (.statement(1), 70),
        (.notQueued, 74), (.foreign(path: "p"), 78), (.replaced, 75),
    ] as [(OutboxError, Int32)])
func `each failure of the outbox has a sentence and a code`(_ error: OutboxError, _ code: Int32) {
    #expect(error.exitCode == code)
    #expect(error.message.hasSuffix("."))
    #expect(StoreError.outbox(error).message == error.message)
    #expect(StoreError.outbox(error).exitCode == code)
    #expect(error.isRetryable == (error == .busy || error == .replaced))
    #expect(error.logCode.description.hasPrefix("outbox-"))
}
