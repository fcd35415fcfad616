import MailModel
import MailStorage
import Testing

@Test func `an operation goes through its states`() async throws {
    let bench = try OutboxBench()
    let receipt = try await bench.act(.archive, message("1"), message("2"), at: 1_750_000_000_000)
    let first = try #require(receipt.operations.first)
    #expect(receipt.operations.count == 2)
    #expect(try await bench.store.operation(first)?.status == .pending)
    #expect(try await bench.store.counts() == OutboxCounts(queued: 2))

    let sent = try await bench.store.next(limit: 1, now: 5)
    #expect(sent.map(\.id) == [first])
    #expect(sent.first == (try await bench.store.operation(first)))
    #expect(sent.first?.status == .inFlight)
    #expect(sent.first?.createdAt == Timestamp(millisecondsSinceEpoch: 1_750_000_000_000))

    try await bench.store.retry(first, failure: "server", at: 100, refusals: 1)
    let waiting = try #require(try await bench.store.operation(first))
    #expect((waiting.status, waiting.attempts, waiting.refusals) == (.retrying, 1, 1))
    #expect((waiting.nextAttemptAt, waiting.lastFailure) == (100, "server"))
    #expect(try await bench.store.next(limit: 9, now: 99).map(\.message.rawValue) == ["2"])
    #expect(try await bench.store.next(limit: 9, now: 100).map(\.id) == [first])

    try await bench.store.block(first, reason: .credentialRefused)
    #expect(try await bench.store.operation(first)?.status == .blocked(.credentialRefused))
    #expect(try await bench.store.counts() == OutboxCounts(queued: 1, blocked: 1))
    #expect(try await bench.store.unblock(reason: .retriesExhausted) == 0)
    #expect(try await bench.store.unblock(first) == 1)
    #expect(try await bench.store.operation(first)?.status == .retrying)

    try await bench.store.finish(receipt.operations)
    #expect(try await bench.store.counts().isEmpty)
    #expect(try await bench.store.journal(limit: 9).isEmpty)
}

/// Fails when two requests for one message could be under way at once, or in the wrong order.
@Test func `only the first operation of a message is sent`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.star, message("1"))
    try await bench.act(.archive, message("1"))
    try await bench.act(.read, message("2"))

    let first = try await bench.send(9)
    #expect(try await bench.queue() == ["star 1*", "archive 1", "read 2*"])
    #expect(try await bench.send(9).isEmpty)
    try await bench.store.block(first[0], reason: .retriesExhausted)
    #expect(try await bench.send(9).isEmpty)
    try await bench.store.retry(first[1], failure: "x", at: 5_000)
    #expect(try await bench.send(9).isEmpty)
    try await bench.store.drop(first[0], verdict: .discarded, at: 9)
    _ = try await bench.send(9)
    #expect(try await bench.queue() == ["archive 1*", "read 2"])
}

@Test func `what a killed drain had under way is tried again`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.star, message("1"), message("2"))
    try await bench.send(1)

    let next = try bench.again()
    #expect(try await next.restart() == 1)
    #expect(try await next.restart() == 0)

    let operations = try await next.operations()
    #expect(operations.map(\.status) == [.retrying, .pending])
    #expect(operations.map(\.lastFailure) == ["interrupted", nil])
}

@Test func `what is dropped is in the journal with its verdict`() async throws {
    let bench = try OutboxBench()
    let receipt = try await bench.act(.archive, message("1"), message("2"), message("3"))
    try await bench.send(1)
    try await bench.store.drop(receipt.operations[0], verdict: Verdict(.rejected, .columnDenied), at: 2_000)
    let gone = try await bench.store.drop(messages: [MessageID("3")], verdict: .deleteWins, at: 3_000)

    #expect(gone == [receipt.operations[2]])
    let journal = try await bench.store.journal(limit: 9)
    #expect(journal.map(\.message.rawValue) == ["3", "1"])
    #expect(journal.map(\.verdict) == [.deleteWins, Verdict(.rejected, .columnDenied)])
    #expect(journal.map(\.endedAt) == [3_000, 2_000].map { Timestamp(millisecondsSinceEpoch: $0) })
    #expect(journal.last?.mailbox == MailboxID("a"))
    #expect(try await bench.queue() == ["archive 2"])
    // Undo takes back only what was done.
    #expect(try await bench.store.undo(at: 4_000)?.cancelled == 1)
    #expect(try await bench.queue() == [])
}

/// Fails when what is under way is taken for ended though its answer is still to come.
@Test func `a message that is gone ends nothing that is under way`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.star, message("1"))
    try await bench.act(.archive, message("1"))
    try await bench.send(1)

    #expect(try await bench.store.drop(messages: [MessageID("1")], verdict: .accessLost, at: 9).count == 1)

    #expect(try await bench.queue() == ["star 1*"])
}

@Test func `all wait when the sign-in is refused, but for what is under way`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.star, message("1"), message("2"), message("3"))
    let ids = try await bench.send(2)
    try await bench.store.retry(ids[1], failure: "x")

    try await bench.store.blockAll(reason: .credentialRefused)

    let statuses = try await bench.store.operations().map(\.status)
    #expect(statuses == [.inFlight, .blocked(.credentialRefused), .blocked(.credentialRefused)])
    #expect(try await bench.store.unblock(reason: .credentialRefused) == 2)
    #expect(try await bench.store.operations().map(\.status) == [.inFlight, .retrying, .pending])
}

@Test func `the revision grows when operations come or go, and only then`() async throws {
    let bench = try OutboxBench()
    var revision = try await bench.store.revision()
    func grew() async throws -> Bool {
        let last = revision
        revision = try await bench.store.revision()
        return revision > last
    }

    let id = try #require(try await bench.act(.star, message("1")).operations.first)
    #expect(try await grew())
    try await bench.send()
    try await bench.store.retry(id, failure: "x")
    try await bench.store.block(id, reason: .credentialRefused)
    try await bench.store.unblock()
    try await bench.act(.star, message("2", starred: true))
    try await bench.store.finish(OperationID("unknown"))
    #expect(try await !grew())
    try await bench.store.finish(id)
    #expect(try await grew())
    let undone = try await bench.store.undo(at: 9)
    #expect(undone?.operations.count == 1)
    #expect(try await grew())
}

@Test func `identifiers are UUIDs of version 7, each its own`() async throws {
    let bench = try OutboxBench()
    let messages = (0..<600).map { NewOperation(.star, on: message("\($0)")) }

    let receipt = try await bench.store.enqueue(messages, name: "Star", at: 1_750_000_000_000)

    #expect(Set(receipt.operations).count == 600)
    #expect(receipt.operations.allSatisfy { $0.rawValue.hasPrefix("01977420-dc00-7") && $0.rawValue.utf8.count == 36 })
    #expect(try await bench.store.operations(limit: 2).map(\.id) == Array(receipt.operations.prefix(2)))
    #expect(try await bench.store.batches().map(\.count) == [600])
}
