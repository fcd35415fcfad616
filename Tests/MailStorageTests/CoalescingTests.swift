import MailModel
import MailStorage
import Testing

/// What waits, what is asked for, and what waits then; a star marks what is under way.
private struct Coalescing: CustomTestStringConvertible {
    let first: [TriageAction]
    var isSent = false
    let then: TriageAction
    var folder = "inbox"
    let queue: [String]

    var testDescription: String { "\(first)\(isSent ? " under way" : ""), then \(then) in \(folder)" }
}

private let table: [Coalescing] = [
    Coalescing(first: [.star], then: .unstar, queue: []),
    Coalescing(first: [.read], then: .unread, queue: []),
    Coalescing(first: [.archive], then: .unarchive, queue: []),
    Coalescing(first: [.trash], then: .restore, queue: []),
    Coalescing(first: [.unarchive], then: .archive, folder: "archived", queue: []),
    Coalescing(first: [.restore], then: .trash, folder: "trash", queue: []),
    Coalescing(first: [.star], then: .star, queue: ["star"]),
    Coalescing(first: [.archive], then: .archive, queue: ["archive"]),
    // Other aspects neither disturb nor are disturbed.
    Coalescing(first: [.star, .read], then: .unstar, queue: ["read"]),
    Coalescing(first: [.star, .archive, .read], then: .unarchive, queue: ["star", "read"]),
    // The trash restores to the inbox, which is not where an archived message was.
    Coalescing(first: [.trash], then: .restore, folder: "archived", queue: ["trash", "restore"]),
    Coalescing(first: [.archive], then: .unarchive, folder: "trash", queue: ["archive", "unarchive"]),
    Coalescing(first: [.archive], then: .trash, folder: "trash", queue: []),
    Coalescing(first: [.archive], then: .trash, queue: ["archive", "trash"]),
    // What the server may do already is not taken back by silence.
    Coalescing(first: [.star], isSent: true, then: .unstar, queue: ["star*", "unstar"]),
    Coalescing(first: [.star], isSent: true, then: .star, queue: ["star*"]),
    Coalescing(first: [.archive], isSent: true, then: .unarchive, queue: ["archive*", "unarchive"]),
]

@Test(arguments: table)
private func `what waits and what is asked for are put together`(_ row: Coalescing) async throws {
    let bench = try OutboxBench()
    let seen = message("1", folder: row.folder)
    for action in row.first { try await bench.act(action, seen) }
    if row.isSent { try await bench.send() }

    let receipt = try await bench.act(row.then, seen)

    #expect(try await bench.queue().map { $0.replacing(" 1", with: "") } == row.queue)
    #expect(receipt.operations.count + receipt.cancelled + receipt.idle == 1)
}

/// Fails when what was lost on its way is taken back in silence though the server may have done it.
@Test func `an operation whose answer was lost does not cancel out`() async throws {
    let bench = try OutboxBench()
    try await bench.act(.star, message("1"), message("2"))
    let ids = try await bench.send(2)
    try await bench.store.retry(ids[0], failure: "lost")
    try await bench.store.retry(ids[1], failure: "offline", mayHaveArrived: false)

    try await bench.act(.unstar, message("1"), message("2"))

    #expect(try await bench.queue() == ["star 1", "unstar 1"])
}

/// Fails when a message on the screen that shows what waits already is replayed to something else.
@Test func `it does not matter whether the message seen shows what waits`() async throws {
    for isShown in [false, true] {
        let bench = try OutboxBench()
        var seen = message("1", folder: "archived")
        try await bench.act(.trash, seen)
        if isShown { seen.folder = "trash" }
        try await bench.send()

        try await bench.act(.restore, seen)
        if isShown { seen.folder = "inbox" }
        #expect(try await bench.act(.unarchive, seen).idle == 1)
        try await bench.act(.archive, seen)

        #expect(try await bench.queue() == ["trash 1*", "restore 1", "archive 1"])
    }
}

@Test func `what has no effect is passed over, and is no batch`() async throws {
    let bench = try OutboxBench()

    let none = try await bench.act(.archive, message("1", folder: "archived"))
    let one = try await bench.act(.read, message("1", read: true), message("2"))

    #expect(none == BatchReceipt(batch: nil, operations: [], idle: 1))
    #expect((one.idle, one.operations.count, one.count) == (1, 1, 1))
    #expect(try await bench.store.batches().map(\.count) == [1])
}

/// Fails when something that may come to nothing takes a sure thing with it, or keeps one from being queued.
@Test func `what has a condition cancels nothing, and is sure once it is asked for without`() async throws {
    let bench = try OutboxBench()
    let seen = message("1")
    func act(_ action: TriageAction, if precondition: String?) async throws -> BatchReceipt {
        try await bench.store.enqueue(
            [NewOperation(action, on: seen, precondition: precondition)], name: "x", at: 1)
    }
    func conditions() async throws -> [String?] { try await bench.store.operations().map(\.precondition) }

    _ = try await act(.star, if: nil)
    #expect(try await act(.unstar, if: "-is:unread").operations.count == 1)
    #expect(try await bench.queue() == ["star 1", "unstar 1"])
    #expect(try await conditions() == [nil, "-is:unread"])
    // The same, and now in any case.
    #expect(try await act(.unstar, if: nil).idle == 1)
    #expect(try await conditions() == [nil, nil])

    _ = try await act(.archive, if: "is:unread")
    #expect(try await act(.unarchive, if: nil).cancelled == 1)
    #expect(try await bench.queue() == ["star 1", "unstar 1"])
}

/// Fails when an action that was meanwhile asked for without a condition is lost by the condition.
@Test func `a condition that was lifted while the server was asked drops nothing`() async throws {
    let bench = try OutboxBench()
    let operation = NewOperation(.archive, on: message("1"), precondition: "is:unread")
    _ = try await bench.store.enqueue([operation], name: "x", at: 1)
    let ids = try await bench.send()
    try await bench.act(.archive, message("1"))

    try await bench.store.drop(ids, verdict: Verdict(.rejected, .precondition), at: 2)

    #expect(try await bench.store.journal(limit: 9).isEmpty)
    #expect(try await bench.store.operations().map(\.status) == [.retrying])
}
