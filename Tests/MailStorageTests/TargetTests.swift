import MailModel
import MailStorage
import Testing

private func targets(
    _ bench: borrowing Bench, _ scope: ListScope, _ horizon: Int64, _ threads: String...
) async throws -> [String] {
    let ids = threads.map { ThreadID($0) }
    let request = TriageRequest(action: .archive, targets: .conversations(ids, in: scope, horizon: horizon))
    return try await bench.reader().targets(of: request).map(\.id.rawValue)
}

@Test func `a conversation's targets are its messages of the list`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b")])
    try await bench.put(
        message("1", thread: "t", at: 1), message("2", thread: "t", folder: "sent", at: 2),
        message("3", thread: "t", mailbox: "b", at: 3),
        message("4", thread: "t", folder: "trash", at: 4, starred: true),
        message("5", thread: "u", at: 5))
    let horizon = try await bench.reader().horizon()

    #expect(try await targets(bench, ListScope(folder: .inbox), horizon, "t") == ["1", "3"])
    #expect(try await targets(bench, ListScope(folder: .inbox), horizon, "u", "t", "u", "x") == ["5", "1", "3"])
    #expect(try await targets(bench, ListScope(mailboxID: MailboxID("b"), folder: .inbox), horizon, "t") == ["3"])
    #expect(try await targets(bench, ListScope(folder: .starred), horizon, "t") == ["4"])
    #expect(try await targets(bench, ListScope(mailboxID: MailboxID("c"), folder: .inbox), horizon, "t") == [])
}

/// Fails when a reply that came since the list was read would be acted upon, also one that got the key of another.
@Test func `what came after the list was read is no target`() async throws {
    let bench = try Bench()
    try await bench.put(message("1", thread: "t", at: 1), message("2", thread: "t", at: 2))
    let list = try await bench.reader().conversationList(in: ListScope(folder: .inbox), limit: 9)
    #expect(list.rows.map(\.messageCount) == [2])

    _ = try await bench.store.commitChanges([.delete(MessageID("2"))], cursor: "d")
    try await bench.put(message("3", thread: "t", at: 3))
    _ = try await bench.store.commitChanges([.delete(MessageID("3")), .upsert(message("4", thread: "t"))], cursor: "e")

    #expect(try await targets(bench, ListScope(folder: .inbox), list.horizon, "t") == ["1"])
    #expect(try await targets(bench, ListScope(folder: .inbox), bench.reader().horizon(), "t").sorted() == ["1", "4"])
}

/// Fails when the list of a cache that was replaced is taken for one of the new cache.
@Test func `a list of another cache has no targets`() async throws {
    let old = try Bench()
    let new = try Bench()
    var horizons: Set<Int64> = []
    for _ in 0..<4 { horizons.insert(try await Bench().reader().horizon()) }
    try await old.put(message("1", thread: "t"))
    try await new.put(message("1", thread: "t"))
    let (mine, other) = (try await new.reader().horizon(), try await old.reader().horizon())

    #expect(horizons.count > 1)
    #expect(try await targets(new, ListScope(folder: .inbox), mine, "t") == ["1"])
    let strange = try await targets(new, ListScope(folder: .inbox), other, "t")
    // Two of thirty thousand may be alike.
    #expect(strange == (mine == other ? ["1"] : []))
}

@Test func `messages named are targets, each once, and gone ones are not`() async throws {
    let bench = try Bench()
    try await bench.put(message("1"), message("2"))
    let ids = ["2", "x", "1", "2"].map { MessageID($0) }

    let operations = try await bench.reader().operations(
        for: TriageRequest(action: .star, targets: .messages(ids))
    ).operations

    #expect(operations.map(\.before.id.rawValue) == ["2", "1"])
    #expect(operations.allSatisfy { $0.action == .star })
}

/// Fails when a caller could queue what the server is sure to refuse: changes to a mailbox that may only be read.
@Test(arguments: TriageAction.allCases)
private func `mail that may only be read takes marks of reading and nothing else`(action: TriageAction) async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a", .read), mailbox("b", .agent)])
    try await bench.put(message("1", mailbox: "a"), message("2", mailbox: "b"), message("3", mailbox: nil))
    let ids = ["1", "2", "3"].map { MessageID($0) }

    let found = try await bench.reader().operations(
        for: TriageRequest(action: action, targets: .messages(ids), precondition: "is:unread"))

    let isOfReading = action == .read || action == .unread
    #expect(found.readOnly == (isOfReading ? [] : [MessageID("1")]))
    #expect(found.operations.map(\.before.id) == (isOfReading ? ids : Array(ids.dropFirst())))
    #expect(found.operations.allSatisfy { $0.precondition == "is:unread" && $0.action == action })
}
