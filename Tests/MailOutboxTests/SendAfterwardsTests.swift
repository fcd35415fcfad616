import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import MailTestSupport
import Synchronization
import Testing

/// What becomes of a mail whose draft went or was typed in meanwhile, and of one whose copy cannot be written.
struct SendAfterwardsTests {
    private static let lost = WriteFailure(.unknown, .transport(.interrupted))

    private let world: StageWorld

    init() throws { world = try StageWorld() }

    /// A mail that is held because its draft is gone, and that the person has said to send.
    private func sendAgain(_ draft: LocalDraftID) async throws -> SendID {
        let id = try await world.queue(draft)
        _ = try await world.drain(answer: .gone)
        #expect(try await world.status(id) == .held(.gone))
        #expect(try await world.outbox.sendAgain(id))
        return id
    }

    /// Fails when the person's word sends a mail twice that another device has sent.
    @Test func `the copy of another device keeps a mail from being sent again`() async throws {
        let draft = try await world.draft()
        let id = try await sendAgain(draft)
        world.sendElsewhere()

        _ = try await world.drain()

        #expect(world.requestCount == 0)
        #expect(try await world.status(id) == .sent(MessageID("elsewhere")))
        #expect(try await world.outbox.draft(draft) == nil)
        #expect(try await world.outbox.keptDrafts().isEmpty)
    }

    /// Fails when a mail that nobody sent does not go, or another mail is taken for it.
    @Test(
        arguments: [
            nil, ("Another word.", StageWorld.after), ("A word. And more.", StageWorld.after),
            ("A word.", "2026-01-01T23:00:00.000Z"),
        ] as [(String, String)?])
    func `without a copy the mail goes, once`(other: (text: String, at: String)?) async throws {
        let id = try await sendAgain(try await world.draft())
        if let other { world.sendElsewhere(other.text, at: other.at) }

        for _ in 0..<3 { _ = try await world.drain() }

        #expect(world.requestCount == 1)
        guard case .sent(let copy) = try await world.status(id) else {
            Issue.record("not sent")
            return
        }
        #expect(copy != MessageID("elsewhere"))
    }

    /// Fails when a look that fails has a mail sent that may have been sent elsewhere.
    @Test func `nothing is sent while nobody can look`() async throws {
        let id = try await sendAgain(try await world.draft())
        world.server.state.withLock { $0.readFailure = .transport(.unreachable) }

        #expect(try await world.drain().ending?.code == .offline)

        #expect(try await world.status(id) == .queued && world.requestCount == 0)
        world.sendElsewhere()
        world.server.state.withLock { $0.readFailure = nil }
        _ = try await world.drain()
        #expect(world.requestCount == 0)
    }

    /// Fails when what was typed after a mail was sent goes with its draft.
    @Test(arguments: [false, true])
    func `what was typed since is kept when the copy is found`(isSentAgain: Bool) async throws {
        let draft = try await world.draft()
        let id = try await world.queue(draft)
        world.script((true, Self.lost))
        world.server.state.withLock { $0.readFailure = .transport(.unreachable) }
        _ = try await world.drain()
        #expect(try await world.status(id) == .unknown)
        try await type("Better words.", draft)
        if isSentAgain { #expect(try await world.outbox.sendAgain(id)) }
        world.server.state.withLock { $0.readFailure = nil }

        _ = try await world.drain(at: 100_000)

        #expect(try await world.status(id) == .sent(MessageID("sent-1")) && world.requestCount == 1)
        try await expectText("Better words.", draft)
    }

    @Test func `what is typed while the mail is under way is kept`() async throws {
        let (draft, outbox) = (try await world.draft(), world.outbox)
        let id = try await world.queue(draft)
        world.server.state.withLock { state in
            state.meanwhile = {
                var content = try? await outbox.draft(draft)?.content
                content?.text = "Better words."
                if let content { _ = try? await outbox.saveDraft(draft, content, at: StageWorld.now) }
            }
        }

        #expect(try await world.drain().sent == 1)

        #expect(try await world.status(id) == .sent(MessageID("sent-1")))
        try await expectText("Better words.", draft)
    }

    @Test func `what was typed since is kept when the person says that the mail was sent`() async throws {
        let draft = try await world.draft()
        let id = try await world.queue(draft)
        world.script((false, Self.lost))
        _ = try await world.drain()
        try await type("Better words.", draft)

        #expect(try await world.outbox.declareSent(id, at: StageWorld.now))

        try await expectText("Better words.", draft)
    }

    /// Fails when a cache that cannot be written has a mail that was sent told as unknown, or sent again.
    @Test(arguments: [false, true])
    func `mail is sent also when its copy cannot be written`(isLost: Bool) async throws {
        let draft = try await world.draft()
        let id = try await world.queue(draft)
        if isLost { world.script((true, Self.lost)) }
        world.copies.failure.withLock { $0 = .diskFull }

        await #expect(throws: StoreError.diskFull) { _ = try await world.drain() }

        #expect(try await world.status(id) == .sent(MessageID("sent-1")))
        #expect(try await world.outbox.draft(draft) == nil)
        world.copies.failure.withLock { $0 = nil }
        _ = try await world.drain()
        #expect(world.requestCount == 1)
    }

    private func type(_ text: String, _ draft: LocalDraftID) async throws {
        var content = try #require(try await world.outbox.draft(draft)).content
        content.text = text
        _ = try await world.outbox.saveDraft(draft, content, at: StageWorld.now)
    }

    private func expectText(_ text: String, _ draft: LocalDraftID) async throws {
        let kept = try #require(try await world.outbox.draft(draft))
        #expect(kept.content.text == text && kept.isUnsaved && !kept.isDiscarded)
    }
}
