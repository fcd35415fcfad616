import MailModel
import MailStorage
import MailTestSupport
import SQLite
import Testing

/// Sends in an outbox on the disk.
struct SendTests {
    private static let now: Int64 = 1_767_312_000_000
    private static let content = SentContent(
        from: "me@x.example", to: ["a@x.example"], cc: [], bcc: [], subject: "Hello", text: "A word.")

    private let scratch: Scratch
    private let outbox: OutboxStore

    init() throws {
        scratch = try Scratch()
        outbox = try OutboxStore(path: scratch.path + "/outbox.sqlite", owner: "http://127.0.0.1 one")
    }

    private func draft(_ text: String = "A word.") async throws -> LocalDraftID {
        try await outbox.createDraft(
            DraftContent(from: "me@x.example", to: "a@x.example", subject: "Hello", text: text), at: SendTests.now
        ).id
    }

    private func queue(_ draft: LocalDraftID) async throws -> SendID {
        let send = try await outbox.queueSend(draft, notBefore: SendTests.now, at: SendTests.now)
        return try #require(send).id
    }

    private func unknown(_ id: SendID) async throws {
        #expect(try await outbox.beginSend(id, SendTests.content, sentAfter: nil, at: SendTests.now))
        try await outbox.takeUpSends()
    }

    @Test func `what waits is counted, mail once and not as a draft too`() async throws {
        let (one, two) = (try await draft("one"), try await draft("two"))
        _ = try await draft("three")
        _ = try await outbox.createDraft(DraftContent(from: "me@x.example"), at: SendTests.now)
        _ = try await queue(one)
        try await unknown(try await queue(two))
        let counts = try await outbox.counts()
        #expect(counts.queued == 1 && counts.unknown == 1 && counts.mails == 2 && counts.unsavedDrafts == 1)
        #expect(counts.words == "2 mail and 1 draft")
        #expect(try OutboxStore.counts(path: outbox.path) == counts)
    }

    /// Fails when what one person wrote could go out under another name.
    @Test func `an outbox with mail or text of one sign-in is not another's`() async throws {
        _ = try await draft()
        #expect(throws: OutboxError.anothers(path: outbox.path)) {
            _ = try OutboxStore(path: outbox.path, owner: "http://127.0.0.1 two")
        }
        #expect(try OutboxStore.foreign(path: outbox.path, owner: "http://127.0.0.1 two")?.unsavedDrafts == 1)
    }

    @Test func `a request begins once, and not of mail that was taken back`() async throws {
        let (first, second) = (try await queue(try await draft("one")), try await queue(try await draft("two")))
        #expect(try await outbox.cancelSend(first))
        #expect(try await !outbox.beginSend(first, SendTests.content, sentAfter: nil, at: SendTests.now))
        #expect(try await outbox.beginSend(second, SendTests.content, sentAfter: nil, at: SendTests.now))
        #expect(try await !outbox.beginSend(second, SendTests.content, sentAfter: nil, at: SendTests.now))
        #expect(try await !outbox.cancelSend(second))
        #expect(try await outbox.send(second)?.content == SendTests.content)
    }

    /// Fails when what the person said while a copy was looked for is lost.
    @Test func `a word of the person outlives a look that found nothing, and not one that did`() async throws {
        let id = try await queue(try await draft())
        try await unknown(id)
        #expect(try await outbox.sendAgain(id))
        try await outbox.settle(id, from: .unknown, SendOutcome(.unknown(lookAt: 5), failure: "x"), at: SendTests.now)
        #expect(try await outbox.send(id)?.status == .queued)
        try await outbox.settle(
            id, from: .unknown, SendOutcome(.sent(MessageID("m"), .mayRemain)), at: SendTests.now)
        #expect(try await outbox.send(id)?.status == .sent(MessageID("m")))
        #expect(try await outbox.claimedCopies() == [MessageID("m")])
    }

    @Test func `a draft that is thrown away takes its mail along, unless that is under way`() async throws {
        let (one, two) = (try await draft("one"), try await draft("two"))
        let (first, second) = (try await queue(one), try await queue(two))
        #expect(try await outbox.beginSend(second, SendTests.content, sentAfter: nil, at: SendTests.now))
        try await outbox.discardDraft(one)
        try await outbox.discardDraft(two)
        #expect(try await outbox.send(first) == nil)
        #expect(try await outbox.send(second)?.status == .inFlight)
    }

    @Test func `mail waits until its time, and its time is told`() async throws {
        let draft = try await draft()
        let send = try await outbox.queueSend(draft, notBefore: SendTests.now + 10_000, at: SendTests.now)
        let id = try #require(send).id
        #expect(try await outbox.sendsDue(now: SendTests.now + 9_999).isEmpty)
        #expect(try await outbox.nextSendAt(after: SendTests.now) == SendTests.now + 10_000)
        #expect(try await outbox.sendsDue(now: SendTests.now + 10_000).map(\.id) == [id])
        #expect(try await outbox.nextSendAt(after: SendTests.now + 10_000) == nil)
        // A clock that went back does not hold mail for days.
        #expect(try await outbox.sendsDue(now: SendTests.now - 86_400_000).map(\.id) == [id])
    }
}
