import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import MailTestSupport
import Synchronization
import Testing

/// Sending at most once, over an outbox on the disk.
struct SendStageTests {
    private static let lost = WriteFailure(.unknown, .transport(.interrupted))
    private static let failed = WriteFailure(.unknown, .server(500), status: 500)
    private static let offline = WriteFailure(.notSent, .transport(.unreachable))

    @Test func `a mail is sent once, its copy is here and its draft is gone`() async throws {
        let world = try StageWorld()
        let draft = try await world.draft()
        let id = try await world.queue(draft)

        let report = try await world.drain()

        #expect(report.sent == 1 && report.ending == nil)
        #expect(try await world.status(id) == .sent(MessageID("sent-1")))
        #expect(try await world.outbox.draft(draft) == nil)
        #expect(world.copies.inserted.withLock { $0 } == [MessageID("sent-1")])
        #expect(try await world.outbox.send(id)?.content?.text == "")
        _ = try await world.drain()
        #expect(world.requestCount == 1)
    }

    /// Fails when an answer that was lost has mail sent twice, told as sent without its copy, or its text lost.
    @Test(arguments: [true, false], [lost, failed])
    func `a lost answer is never sent again`(isDone: Bool, failure: WriteFailure) async throws {
        let world = try StageWorld()
        let draft = try await world.draft()
        let id = try await world.queue(draft)
        world.script((isDone, failure))

        for pass in 0..<5 { _ = try await world.drain(at: Int64(pass) * 4_000_000) }

        #expect(world.requestCount == 1)
        #expect(try await world.status(id) == (isDone ? .sent(MessageID("sent-1")) : .unknown))
        let isGone = try await world.outbox.draft(draft) == nil
        #expect(isGone == isDone)
        #expect(try await world.outbox.counts().unknown == (isDone ? 0 : 1))
    }

    @Test func `two equal mails, both without an answer, are two copies`() async throws {
        let world = try StageWorld()
        let first = try await world.queue(try await world.draft())
        let second = try await world.queue(try await world.draft())
        world.script((true, Self.lost), (true, Self.failed))

        _ = try await world.drain()

        // Asked for in the same millisecond, they go in any order.
        let ended = [try await world.status(first), try await world.status(second)]
        #expect(Set(ended) == [.sent(MessageID("sent-1")), .sent(MessageID("sent-2"))])
    }

    /// Fails when the copy of an equal mail that arrived stands for one that did not.
    @Test func `the copy of another equal mail is not taken for this one's`() async throws {
        let world = try StageWorld()
        let first = try await world.queue(try await world.draft())
        let second = try await world.queue(try await world.draft())
        world.script((true, nil), (false, Self.lost))

        _ = try await world.drain()

        let ended = [try await world.status(first), try await world.status(second)]
        #expect(Set(ended) == [.sent(MessageID("sent-1")), .unknown])
    }

    @Test func `only the person's word sends again, after one more look`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        world.script((false, Self.lost))
        _ = try await world.drain()

        #expect(try await world.outbox.sendAgain(id))
        _ = try await world.drain(at: 1_000)

        #expect(world.requestCount == 2 && world.sentCount == 1)
        #expect(try await world.status(id) == .sent(MessageID("sent-1")))
    }

    /// Fails when the person's word sends a mail twice whose copy came late.
    @Test func `a copy that came meanwhile keeps the mail from being sent again`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        world.script((true, Self.lost))
        world.server.state.withLock { $0.readFailure = .transport(.unreachable) }
        _ = try await world.drain()
        #expect(try await world.status(id) == .unknown)
        world.server.state.withLock { $0.readFailure = nil }

        #expect(try await world.outbox.sendAgain(id))
        _ = try await world.drain(at: 1_000)

        #expect(world.requestCount == 1 && world.sentCount == 1)
        #expect(try await world.status(id) == .sent(MessageID("sent-1")))
    }

    @Test func `an unknown mail can be kept as a draft, or be told to be sent`() async throws {
        let world = try StageWorld()
        let (kept, told) = (try await world.draft("one"), try await world.draft("two"))
        let (first, second) = (try await world.queue(kept), try await world.queue(told))
        world.script((false, Self.lost), (false, Self.lost))
        _ = try await world.drain()

        #expect(try await world.outbox.keepAsDraft(first))
        #expect(try await world.outbox.declareSent(second, at: StageWorld.now))

        #expect(try await world.outbox.draft(kept)?.content.text == "one")
        #expect(try await world.outbox.draft(told) == nil)
        #expect(try await world.outbox.counts().mails == 0)
        _ = try await world.drain(at: 100_000)
        #expect(world.requestCount == 2)
    }

    @Test func `a killed drain's mail is looked for and not sent`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        let content = SentContent(
            from: "me@x.example", to: ["a@x.example"], cc: [], bcc: [], subject: "Hello", text: "A word.")
        #expect(
            try await world.outbox.beginSend(
                id, content, sentAfter: Timestamp(StageWorld.before), at: StageWorld.now))

        _ = try await world.drain()

        #expect(world.requestCount == 0)
        #expect(try await world.status(id) == .unknown)
    }

    @Test func `offline changes nothing, and a wait that the server asks for is kept`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        world.script(
            (false, Self.offline),
            (false, WriteFailure(.refused, .rateLimited, status: 429, retryAfterMilliseconds: 7_000)))
        #expect(try await world.drain().ending?.code == .offline)
        #expect(try await world.status(id) == .queued)
        #expect(try await world.outbox.send(id)?.mayHaveArrived == false)

        let report = try await world.drain()
        #expect(report.ending?.code == .rateLimited && report.nextAt == StageWorld.now + 7_000)
        _ = try await world.queue(try await world.draft("other"))
        _ = try await world.drain(at: 6_999)
        #expect(world.requestCount == 2)
        #expect(try await world.drain(at: 7_000).sent == 2)
    }

    @Test func `a sign-in that is refused holds mail until it helps`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        world.script((false, WriteFailure(.refused, .signInNeeded(""), status: 401)))
        _ = try await world.drain()
        #expect(try await world.status(id) == .held(.credentialRefused))
        #expect(try await world.outbox.counts().blocked == 1)
        #expect(try await world.drain().sent == 1)
    }

    @Test func `refused mail is a draft again, and can be sent anew`() async throws {
        let world = try StageWorld()
        let draft = try await world.draft()
        let id = try await world.queue(draft)
        world.script((false, WriteFailure(.refused, .refused(400, ""), status: 400)))
        let report = try await world.drain()
        #expect(report.refused == 1)
        #expect(try await world.status(id) == .refused("request-refused"))
        #expect(try await world.outbox.draft(draft)?.content.text == "A word.")
        let second = try await world.queue(draft)
        #expect(second != id)
        #expect(try await world.drain().sent == 1)
        #expect(try await world.outbox.openSends().isEmpty)
    }

    @Test func `mail is sent when its time has come, and can be taken back before`() async throws {
        let world = try StageWorld()
        let minder = SendMinderID("terminal")
        let first = try await world.queue(try await world.draft("one"), delay: 10_000, minder: minder)
        let second = try await world.queue(try await world.draft("two"), delay: 10_000, minder: minder)
        #expect(try await world.drain(at: 9_999).nextAt == StageWorld.now + 10_000)
        #expect(world.requestCount == 0)
        #expect(try await world.outbox.cancelSend(first))
        #expect(try await world.drain(at: 10_000).sent == 1)
        #expect(try await !world.outbox.cancelSend(second))
        #expect(world.requestCount == 1)
    }

    /// Fails when mail goes out though its terminal crashed before the person could take it back.
    @Test(arguments: [0, 10_000])
    func `mail of a program that ended unasked waits for the person`(time: Int64) async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft(), delay: 10_000, minder: SendMinderID("terminal"))
        _ = try await world.drain(at: time, isMinding: false)
        #expect(try await world.status(id) == .held(.interrupted) && world.requestCount == 0)
        #expect(try await world.outbox.sendAgain(id))
        #expect(try await world.drain(at: time).sent == 1)
    }

    @Test func `mail that a program let go of goes with the next drain`() async throws {
        let world = try StageWorld()
        let minder = SendMinderID("terminal")
        let waits = try await world.queue(try await world.draft(), delay: 10_000, minder: minder)
        #expect(try await world.outbox.letGo(of: minder) == 1)
        #expect(try await world.drain(at: 9_000, isMinding: false).sent == 0)
        #expect(try await world.status(waits) == .queued)
        let atOnce = try await world.queue(try await world.draft(), delay: 10_000, minder: minder)
        #expect(try await world.outbox.sendNow(atOnce))
        #expect(try await world.drain(at: 9_000, isMinding: false).sent == 1)
        #expect(try await world.drain(at: 10_000, isMinding: false).sent == 1)
    }

    @Test(arguments: [
        (BroughtDraft.changedElsewhere, HoldReason.changedElsewhere), (.gone, .gone), (.notSaved, .notSaved),
    ])
    func `a draft that cannot be saved as it was holds its mail`(
        brought: BroughtDraft, reason: HoldReason
    ) async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        _ = try await world.drain(answer: brought)
        #expect(try await world.status(id) == .held(reason) && world.requestCount == 0)
    }

    @Test func `an answer of somebody else holds the mail once`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft(origin: .reply(to: MessageID("original"))))
        world.server.state.withLock { state in
            state.thread = [
                MessageDetail(
                    summary: SendMachineTests.message("theirs", at: "2026-02-01T00:00:00.000Z"), cc: [], bcc: [],
                    deliveredToAddress: nil,
                    textBody: "", htmlAvailable: false, internetMessageID: nil, inReplyTo: nil, references: [],
                    attachments: [])
            ]
        }
        _ = try await world.drain()
        #expect(try await world.status(id) == .held(.answeredMeanwhile))
        #expect(try await world.outbox.sendAgain(id))
        #expect(try await world.drain().sent == 1)
    }

    @Test func `a draft is never on its way twice`() async throws {
        let world = try StageWorld()
        let draft = try await world.draft()
        let id = try await world.queue(draft)
        #expect(try await world.queue(draft) == id)
        world.script((false, Self.lost))
        _ = try await world.drain()
        #expect(try await world.queue(draft) == id)
        _ = try await world.drain(at: 1)
        #expect(world.requestCount == 1)
    }

    /// Fails when what a person says while the request is under way is lost, or undoes what came of it.
    @Test func `what is being sent can neither be taken back nor be kept`() async throws {
        let world = try StageWorld()
        let id = try await world.queue(try await world.draft())
        let outbox = world.outbox
        world.server.state.withLock { state in
            state.meanwhile = {
                let answers = [
                    try? await outbox.cancelSend(id), try? await outbox.keepAsDraft(id),
                    try? await outbox.sendAgain(id),
                ]
                #expect(answers == [false, false, false])
            }
        }
        #expect(try await world.drain().sent == 1)
    }

    /// Fails when HQBase 1.2 is left a draft with files of a mail that could have ended it.
    @Test(arguments: [
        (true, true, true, true), (true, false, true, true), (false, true, true, false), (false, true, false, true),
        (false, false, true, true),
    ])
    func `mail is passed on with the original below it, or by the server where it has files`(
        isMain: Bool, withFiles: Bool, hasFiles: Bool, isSent: Bool
    ) async throws {
        let world = try StageWorld()
        var original = SendMachineTests.message("original", .inbound)
        original.hasAttachments = hasFiles
        let detail = MessageDetail(
            summary: original, cc: [], bcc: [], deliveredToAddress: nil, textBody: "", htmlAvailable: false,
            internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
        world.server.state.withLock { ($0.isMain, $0.thread) = (isMain, [detail]) }
        let draft = try await world.draft("FYI", origin: .forward(of: MessageID("original"), withFiles: withFiles))
        let id = try await world.queue(draft)

        #expect(try await world.drain().sent == 1)

        let mail = try #require(world.server.state.withLock { $0.requests.first })
        #expect(mail.text == (isSent ? "FYI\n\n---------- Forwarded" : "FYI"))
        #expect((mail.route == .send) == isSent)
        #expect(try await world.status(id) == .sent(MessageID("sent-1")))
    }
}
