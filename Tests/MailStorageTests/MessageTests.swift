import MailModel
import MailStorage
import Testing

@Test func `an equal message is no change`() async throws {
    let bench = try Bench()
    #expect(try await bench.put(message("1")) == CommitCounts(inserted: 1))
    #expect(try await bench.put(message("1")).isEmpty)
    #expect(try await bench.put(message("1", read: true)) == CommitCounts(updated: 1))
}

@Test func `a move takes the message from one list to another`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a")])
    try await bench.put(message("1"), message("2"))
    try await bench.put(message("1", folder: "archived"))
    #expect(try await bench.threads(.inbox) == ["t2"])
    #expect(try await bench.threads(.archived, mailbox: "a") == ["t1"])
    let counts = try await bench.reader().mailboxCounts()
    #expect(counts.count == 2)
    for row in counts {
        #expect(row.total[.inbox] == 1 && row.total[.archived] == 1)
        #expect(row.unread[.inbox] == 1 && row.unread[.archived] == nil)
    }
}

@Test func `a deleted message leaves nothing and an unknown one is no change`() async throws {
    let bench = try Bench()
    try await bench.put(message("1"))
    #expect(try await bench.store.commitChanges([.delete(MessageID("1"))], cursor: "x") == CommitCounts(deleted: 1))
    #expect(try await bench.store.commitChanges([.delete(MessageID("1"))], cursor: "y").isEmpty)
    #expect(try await bench.threads(.inbox) == [])
    let status = try await bench.reader().status()
    #expect(status.messages == 0 && status.conversations == 0)
    #expect(try await bench.reader().conversationCount(in: ListScope(folder: .inbox)) == 0)
}

@Test func `unassigned mail is only among all mailboxes`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a")])
    try await bench.put(message("1", folder: "catchall", mailbox: nil))
    #expect(try await bench.threads(.catchall) == ["t1"])
    #expect(try await bench.threads(.catchall, mailbox: "a") == [])
    #expect(try await bench.ids(.catchall) == ["1"])
    #expect(try await bench.ids(.catchall, mailbox: "a") == [])
}

@Test func `a starred message is in the starred list and in its folder`() async throws {
    let bench = try Bench()
    try await bench.put(message("1", starred: true), message("2"))
    #expect(try await bench.threads(.starred) == ["t1"])
    #expect(try await bench.ids(.starred) == ["1"])
    #expect(Set(try await bench.threads(.inbox)) == ["t1", "t2"])
    try await bench.put(message("1"))
    #expect(try await bench.threads(.starred) == [])
}

@Test func `aggregates cover all folders and the shown message is of the list`() async throws {
    let bench = try Bench()
    try await bench.put(
        message("1", thread: "t", at: 1), message("2", thread: "t", folder: "archived", at: 2, starred: true),
        message("3", thread: "t", folder: "sent", at: 3))
    let scope = ListScope(folder: .inbox)
    let row = try #require(try await bench.reader().conversations(in: scope, limit: 9).first)
    #expect(row.shown.id.rawValue == "1" && row.newest.id.rawValue == "3")
    #expect(row.messageCount == 3 && row.unreadCount == 2 && row.shownUnread == 1 && row.isStarred)
    let opened = try await bench.reader().conversation(ThreadID("t"))
    #expect(opened.map(\.summary.id.rawValue) == ["1", "2", "3"])
}

@Test func `drafts are replaced as a set`() async throws {
    let bench = try Bench()
    #expect(try await bench.store.replaceDrafts([draft("1"), draft("2")]) == CommitCounts(inserted: 2))
    #expect(try await bench.store.replaceDrafts([draft("1"), draft("2")]).isEmpty)
    let counts = try await bench.store.replaceDrafts([draft("2", text: "new"), draft("3")])
    #expect(counts == CommitCounts(inserted: 1, updated: 1, deleted: 1))
    #expect(Set(try await bench.reader().drafts(mailbox: nil).map(\.id.rawValue)) == ["2", "3"])
    #expect(try await bench.reader().drafts(mailbox: MailboxID("b")).isEmpty)
}
