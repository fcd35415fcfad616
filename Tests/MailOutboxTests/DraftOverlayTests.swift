import MailModel
import MailStorage
import MailTestSupport
import Testing

/// Drafts as lists show them: the server's with those of this machine laid over.
struct DraftOverlayTests {
    private static let owner = "http://127.0.0.1 one"
    private static let now: Int64 = 1_796_000_000_000

    private let scratch: Scratch
    private let outbox: OutboxStore
    private let cache: MailStore

    init() throws {
        scratch = try Scratch()
        outbox = try OutboxStore(path: scratch.path + "/outbox.sqlite", owner: DraftOverlayTests.owner)
        cache = try MailStore(
            path: scratch.path + "/cache.sqlite", owner: DraftOverlayTests.owner,
            outbox: scratch.path + "/outbox.sqlite")
    }

    private func reader() throws -> MailReader {
        try #require(try MailReader(path: scratch.path + "/cache.sqlite", owner: DraftOverlayTests.owner))
    }

    private static func server(_ id: String, text: String = "there", mailbox: String? = "b1") -> Draft {
        Draft(
            id: DraftID(id), mailboxID: mailbox.map { MailboxID($0) }, replyToMessageID: nil, forwardOfMessageID: nil,
            from: "", to: ["a@b.example"], cc: [], bcc: [], subject: id, text: text, html: "", version: 1,
            updatedAt: Timestamp("2026-11-01T08:00:00.000Z"), attachments: [])
    }

    private func shown() async throws -> [Draft] {
        try await cache.rematerialise()
        return try await reader().drafts(mailbox: nil)
    }

    @Test func `a new draft is on top, with what was typed, and counts`() async throws {
        _ = try await cache.replaceMailboxes([
            Mailbox(id: MailboxID("b1"), address: "a@b.example", displayName: "", isActive: true, accessLevel: .manager)
        ])
        _ = try await cache.replaceDrafts([DraftOverlayTests.server("d1")])
        var content = DraftContent(mailbox: MailboxID("b1"), to: "Ann <ann@b.example>, hal", subject: "New")
        let draft = try await outbox.createDraft(content, at: DraftOverlayTests.now)

        let drafts = try await shown()
        #expect(drafts.map(\.subject) == ["New", "d1"])
        #expect(drafts[0].to == ["ann@b.example", "hal"] && drafts[0].local?.isUnsaved == true)
        #expect(drafts[0].id.rawValue == draft.id.rawValue && drafts[1].local == nil)
        let counts = try await reader().mailboxCounts()
        #expect(counts.map { $0.total[.drafts] } == [2, 2])

        content.subject = "Newer"
        try await outbox.saveDraft(draft.id, content, at: DraftOverlayTests.now)
        #expect(try await shown().map(\.subject) == ["Newer", "d1"])
    }

    @Test func `a draft that is written here is shown in place of the server's, also after a poll`() async throws {
        let server = DraftOverlayTests.server("d1")
        _ = try await cache.replaceDrafts([server])
        let draft = try await outbox.takeDraft(server, at: DraftOverlayTests.now)
        var content = draft.content
        content.text = "here"
        try await outbox.saveDraft(draft.id, content, at: DraftOverlayTests.now)
        #expect(try await shown().map(\.text) == ["here"])

        _ = try await cache.replaceDrafts([DraftOverlayTests.server("d1", text: "elsewhere")])
        #expect(try await shown().map(\.text) == ["here"])
        #expect(try await cache.serverDrafts().map(\.text) == ["elsewhere"])
    }

    @Test func `a draft thrown away is not shown and not counted, and one that is gone here is the server's`()
        async throws
    {
        let server = DraftOverlayTests.server("d1")
        _ = try await cache.replaceDrafts([server])
        let draft = try await outbox.takeDraft(server, at: DraftOverlayTests.now)
        try await outbox.discardDraft(draft.id)
        #expect(try await shown().isEmpty)
        #expect(try await reader().mailboxCounts()[0].total[.drafts] ?? 0 == 0)
        try await outbox.removeDraft(draft.id)
        #expect(try await shown().map(\.text) == ["there"])
    }

    @Test func `a draft in which nobody wrote is not shown`() async throws {
        _ = try await outbox.createDraft(DraftContent(from: "a@b.example"), at: DraftOverlayTests.now)
        #expect(try await shown().isEmpty)
    }

    /// Fails when a cache that was made anew forgets what is only here, or an equal state is written again.
    @Test func `a rebuilt cache shows the same, and nothing new is no commit`() async throws {
        let draft = try await outbox.createDraft(DraftContent(subject: "New"), at: DraftOverlayTests.now)
        let send = try #require(try await outbox.queueSend(draft.id, notBefore: 0, at: DraftOverlayTests.now))
        let before = try await shown()
        #expect(before[0].local?.send == .queued)
        let revision = try await reader().revision()
        try await cache.rematerialise()
        #expect(try await reader().revision() == revision)

        let rebuilt = try MailStore(
            path: scratch.path + "/other.sqlite", owner: DraftOverlayTests.owner,
            outbox: scratch.path + "/outbox.sqlite")
        try await rebuilt.rematerialise()
        let other = try #require(
            try MailReader(path: scratch.path + "/other.sqlite", owner: DraftOverlayTests.owner))
        #expect(try await other.drafts(mailbox: nil) == before)

        #expect(try await outbox.cancelSend(send.id))
        #expect(try await shown()[0].local?.send == nil)
    }

    @Test func `drafts keep an outbox from being taken over by another sign-in`() async throws {
        let path = scratch.path + "/outbox.sqlite"
        let draft = try await outbox.createDraft(DraftContent(subject: "New"), at: DraftOverlayTests.now)
        #expect(throws: OutboxError.anothers(path: path)) {
            _ = try OutboxStore(path: path, owner: "http://127.0.0.1 two")
        }
        #expect(try OutboxStore.counts(path: path)?.unsavedDrafts == 1)
        try await outbox.discardDraft(draft.id)
        let taken = try OutboxStore(path: path, owner: "http://127.0.0.1 two")
        #expect(try await taken.drafts().isEmpty)
    }
}
