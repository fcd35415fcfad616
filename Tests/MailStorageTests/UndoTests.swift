import MailModel
import MailStorage
import MailTestSupport
import Testing

@Test func `undo takes unsent operations out of the queue`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.archive, message("1"), message("2"))

    let receipt = try #require(try await bench.store.undo(at: 9))

    #expect((receipt.batch.name, receipt.batch.count, receipt.cancelled) == ("Archive", 2, 2))
    #expect(receipt.operations.isEmpty && receipt.batch.isUndone)
    #expect(try await bench.queue() == [])
    #expect(try await bench.store.batches().map(\.isUndone) == [true])
    #expect(try await bench.store.undo(at: 9) == nil)
}

@Test func `undo queues the opposite of what was sent or is under way`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.trash, message("1", folder: "archived"), message("2"), message("3"))
    let ids = try await bench.send(2)
    try await bench.store.finish(ids[0])

    let receipt = try #require(try await bench.store.undo(at: 9))

    #expect((receipt.operations.count, receipt.cancelled) == (3, 1))
    #expect(try await bench.queue() == ["trash 2*", "restore 2", "restore 1", "archive 1"])
}

/// Fails when undo forgets a pair that cancelled out.
@Test func `undo goes back through a pair that cancelled out`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.archive, message("1"))
    try await bench.act(.unarchive, message("1", folder: "archived"))
    #expect(try await bench.queue() == [])

    _ = try await bench.store.undo(at: 9)
    #expect(try await bench.queue() == ["archive 1"])
    _ = try await bench.store.undo(at: 9)
    #expect(try await bench.queue() == [])
    #expect(try await bench.store.undo(at: 9) == nil)
}

/// Fails when undo takes back a read mark that the program set by itself, instead of what the person did before it.
@Test func `undo passes over what nobody asked for`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.archive, message("1"))
    let read = [NewOperation(.read, on: message("2")), NewOperation(.read, on: message("3"))]
    let receipt = try await bench.store.enqueue(read, name: "Mark read", at: 2, isUndoable: false)
    try await bench.store.drop([receipt.operations[1]], verdict: .accessLost, at: 3)

    #expect(receipt.count == 2)
    #expect(try await bench.store.undo(at: 9)?.batch.name == "Archive")
    #expect(try await bench.queue() == ["read 2"])
    #expect(try await bench.store.undo(at: 9) == nil)
}

/// Fails when undo says that it took something back though the server had refused all of it.
@Test func `a batch that was refused whole is passed over`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.star, message("1"))
    let refused = try await bench.act(.archive, message("2"))
    try await bench.store.drop(refused.operations, verdict: Verdict(.rejected, .columnDenied), at: 5)

    #expect(try await bench.store.undo(at: 9)?.batch.name == "Star")
    #expect(try await bench.store.undo(at: 9) == nil)
}

@Test func `twenty batches are kept`() async throws {
    let bench = try OutboxBench()
    for number in 0..<25 {
        try await bench.act(.star, message("\(number)"))
        try await bench.act(.read, message("x", read: true))
    }

    var undone = 0
    while try await bench.store.undo(at: 9) != nil { undone += 1 }

    #expect(undone == 20)
    #expect(try await bench.queue() == (0..<5).map { "star \($0)" })
}

/// The queue sent to a server that does what the contract says.
private struct Replica {
    var messages: [MessageID: MessageSummary]

    mutating func take(_ operation: Operation) {
        guard let message = messages[operation.message] else { return }
        messages[operation.message] = operation.replayed(on: message)
    }

    /// Folders and flags, without stamps, which no undo brings back.
    var marks: [String] {
        messages.values.map { "\($0.id) \($0.folder) \($0.readAt != nil) \($0.starredAt != nil)" }.sorted()
    }
}

/// Fails when undo leaves a message in another folder or with another flag than before.
@Test(arguments: 1...6 as ClosedRange<UInt64>)
func `undo through twenty batches brings exact folders and flags back`(_ seed: UInt64) async throws {
    let bench = try OutboxBench()
    var random = SeededNumbers(seed: seed)
    let folders = ["inbox", "archived", "trash", "sent", "catchall"]
    var server = Replica(messages: [:])
    for number in 0..<6 {
        let folder = folders[number % 5]
        let first = message(
            "\(number)", folder: folder, mailbox: folder == "catchall" ? nil : "a",
            read: Bool.random(using: &random), starred: Bool.random(using: &random))
        server.messages[first.id] = first
    }
    let before = server.marks
    for _ in 0..<20 {
        var shown = server
        for operation in try await bench.store.operations() { shown.take(operation) }
        let action = try #require(TriageAction.allCases.randomElement(using: &random))
        let seen = shown.messages.values.sorted { $0.id.rawValue < $1.id.rawValue }
            .filter { _ in Bool.random(using: &random) }
        _ = try await bench.store.enqueue(seen.map { NewOperation(action, on: $0) }, name: "x", at: 1)
        try await advance(bench.store, &server, &random)
    }

    while try await bench.store.undo(at: 9) != nil { try await advance(bench.store, &server, &random) }

    for operation in try await bench.store.operations() { server.take(operation) }
    #expect(server.marks == before)
}

/// Sends some, finishes some of what is under way, and loses the answers of others.
private func advance(
    _ store: OutboxStore, _ server: inout Replica, _ random: inout SeededNumbers
) async throws {
    let sent = try await store.next(limit: Int.random(in: 0..<4, using: &random), now: 1_000)
    for operation in try await store.operations() where operation.status == .inFlight {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: continue
        case 1 where sent.contains { $0.id == operation.id }:
            try await store.retry(operation.id, failure: "offline", mayHaveArrived: operation.attempts > 1)
        case 2:
            server.take(operation)
            try await store.retry(operation.id, failure: "lost")
        default:
            server.take(operation)
            try await store.finish(operation.id)
        }
    }
}
