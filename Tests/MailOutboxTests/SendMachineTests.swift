import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import Testing

/// Every step of a send, and every way off.
struct SendMachineTests {
    private static let now: Int64 = 1_767_312_000_000
    private static let saved = Timestamp("2026-01-02T00:00:00.000Z")

    private static func send(_ status: SendStatus = .queued, change: (inout Send) -> Void = { _ in }) -> Send {
        var send = Send(
            id: SendID("s"), draft: LocalDraftID("d"), revision: 3, status: status, notBefore: 0,
            createdAt: Timestamp("2026-01-01T00:00:00.000Z"))
        change(&send)
        return send
    }

    private static func draft(
        _ origin: DraftOrigin = .new, to: String = "Ann <a@x.example>", files: [DraftFile] = [],
        change: (inout LocalDraft) -> Void = { _ in }
    ) -> LocalDraft {
        let content = DraftContent(
            origin: origin, mailbox: MailboxID("mbx"), from: "me@x.example", to: to, cc: "c@x.example",
            subject: "Hello",
            text: " A word. \n")
        var draft = LocalDraft(
            id: LocalDraftID("d"), content: content, revision: 3, savedRevision: 3,
            server: ServerDraft(id: DraftID("drf"), version: 2, content: content), createdAt: saved, updatedAt: saved,
            files: files)
        change(&draft)
        return draft
    }

    static func message(
        _ id: String, _ direction: Direction = .outbound, at: String = "2026-01-01T00:00:00.000Z"
    ) -> MessageSummary {
        MessageSummary(
            id: MessageID(id), threadID: ThreadID("t"), mailboxID: nil, direction: direction, folder: "sent",
            fromAddress: "me@x.example", to: [], subject: "", snippet: "", receivedAt: nil, sentAt: Timestamp(at),
            readAt: nil, starredAt: nil, hasAttachments: false, createdAt: Timestamp(at))
    }

    private static func kind(_ step: SendMachine.Step) -> SendOutcome.Kind? {
        guard case .settle(let outcome, _) = step else { return nil }
        return outcome.kind
    }

    /// A machine that is about to make the request.
    private static func posting(
        _ send: Send = send(), _ draft: LocalDraft = draft()
    ) -> (SendMachine, SendMachine.Step) {
        var machine = SendMachine(send, now: now)
        let step = machine.brought(.saved(draft, at: saved))
        return (machine, step)
    }

    @Test func `a new mail is saved, and then sent with its draft and all its files`() throws {
        let file = DraftFile(
            id: DraftFileID("f"), filename: "a", contentType: "b", sizeBytes: 1, sha256: nil,
            state: .done(AttachmentID("att")))
        #expect(SendMachine(Self.send(), now: Self.now).begin() == .bring)
        let (machine, step) = Self.posting(Self.send(), Self.draft(files: [file]))
        guard case .post(let composition, let after) = step else {
            Issue.record("\(step)")
            return
        }
        let mail = composition.mail
        #expect(after == Self.saved && mail.route == .send && mail.draft == DraftID("drf"))
        #expect(mail.to == ["a@x.example"] && mail.cc == ["c@x.example"] && mail.attachments == [AttachmentID("att")])
        var sent = machine
        #expect(Self.kind(sent.answered(.sent(Self.message("m")))) == .sent(MessageID("m"), .consumed))
    }

    @Test(arguments: [
        (BroughtDraft.changedElsewhere, HoldReason.changedElsewhere), (.gone, .gone), (.notSaved, .notSaved),
        (.saved(draft { $0.revision = 4 }, at: saved), .changedElsewhere),
        (.saved(draft { $0.isDiscarded = true }, at: saved), .gone),
        (.saved(draft(to: "a@x.example, bo"), at: saved), .notSaved), (.saved(draft(to: ""), at: saved), .notSaved),
        (
            .saved(
                draft(files: [
                    DraftFile(id: DraftFileID("f"), filename: "a", contentType: "b", sizeBytes: 1, sha256: nil)
                ]), at: saved), .notSaved
        ),
    ])
    func `what cannot be saved as it was seen is held`(brought: BroughtDraft, reason: HoldReason) {
        var machine = SendMachine(Self.send(), now: Self.now)
        #expect(Self.kind(machine.brought(brought)) == .held(reason, seen: nil))
    }

    /// Fails when a draft that another device has sent meanwhile, and that was saved anew here, is sent a second time.
    @Test func `a draft that is another one on the server is held`() {
        var machine = SendMachine(Self.send { $0.serverDraft = DraftID("other") }, now: Self.now)
        #expect(Self.kind(machine.brought(.saved(Self.draft(), at: Self.saved))) == .held(.gone, seen: nil))
    }

    /// Fails when a colleague's answer is overlooked, or one that the person has seen holds the mail.
    @Test(
        arguments: [
            (nil, [], [], nil), (nil, [message("in", .inbound, at: "2026-02-01T00:00:00.000Z")], [], nil),
            (nil, [message("o", at: "2026-02-01T00:00:00.000Z")], [], "o"), (nil, [message("o")], [], nil),
            ("o", [message("o")], [], nil), (nil, [message("o", at: "2026-02-01T00:00:00.000Z")], ["o"], nil),
            (nil, [message("original", at: "2026-02-01T00:00:00.000Z")], [], nil),
            ("o", [message("o"), message("n", at: "2026-01-01T00:00:01.000Z")], [], "n"),
            ("o", [message("older", at: "2025-01-01T00:00:00.000Z"), message("o")], [], nil),
            ("gone", [message("older", at: "2025-01-01T00:00:00.000Z")], [], nil),
            ("gone", [message("n", at: "2026-02-01T00:00:01.000Z")], [], "n"),
        ] as [(String?, [MessageSummary], [String], String?)])
    func `an answer is held when somebody wrote meanwhile`(
        seen: String?, messages: [MessageSummary], claimed: [String], newer: String?
    ) {
        let send = Self.send { $0.seen = seen.map { MessageID($0) } }
        var (machine, step) = Self.posting(send, Self.draft(.reply(to: MessageID("original"))))
        #expect(step == .look(at: MessageID("original")))
        step = machine.looked(messages, claimed: Set(claimed.map { MessageID($0) }))
        if let newer {
            #expect(Self.kind(step) == .held(.answeredMeanwhile, seen: MessageID(newer)))
        } else if case .post(let composition, _) = step {
            #expect(composition.mail.route == .reply(to: MessageID("original")))
            #expect(composition.mail.subject.isEmpty && composition.mail.text == " A word. \n")
        } else {
            Issue.record("\(step)")
        }
    }

    @Test func `mail is passed on as the server can do it`() {
        let draft = Self.draft(.forward(of: MessageID("original"), withFiles: false))
        var (machine, step) = Self.posting(Self.send(), draft)
        #expect(step == .readOriginal(MessageID("original")))
        guard case .post(let own, _) = machine.readOriginal("---- block") else {
            Issue.record("no request")
            return
        }
        #expect(own.mail.route == .send && own.mail.text == "A word.\n\n---- block" && own.consumesDraft)
        (machine, step) = Self.posting(Self.send(), draft)
        guard case .post(let servers, _) = machine.readOriginal(nil) else {
            Issue.record("no request")
            return
        }
        #expect(servers.mail.route == .forward(of: MessageID("original"), withFiles: false) && !servers.consumesDraft)
        #expect(Self.kind(machine.answered(.sent(Self.message("m")))) == .sent(MessageID("m"), .mayRemain))
    }

    @Test(arguments: SendTable.all)
    func `the answer decides by the table`(rule: SendRule) throws {
        let failure = try #require(Self.failures.first { SendCode($0) == rule.code } ?? Self.interrupted(rule.code))
        var (machine, _) = Self.posting()
        let step = machine.answered(rule.code == .interrupted ? .cancelled : .failed(failure))
        switch rule.outcome {
        case .unknown where rule.code != .interrupted: #expect(step == .probe)
        case .unknown: #expect(Self.kind(step) == .unknown(lookAt: nil))
        case .refused: #expect(Self.kind(step) == .refused)
        case .held(let reason): #expect(Self.kind(step) == .held(reason, seen: nil))
        case .queued:
            let wait: Int64? = rule.code == .rateLimited ? Self.now + 60_000 : nil
            #expect(Self.kind(step) == .queued(notBefore: wait))
        }
        if case .settle(_, let ending) = step { #expect((ending != nil) == rule.endsDrain) }
    }

    /// Fails when a refusal of the second request makes the first one forgotten.
    @Test func `what may have arrived before stays unknown when it is refused later`() {
        let send = Self.send { $0.mayHaveArrived = true }
        var machine = SendMachine(send, now: Self.now)
        #expect(machine.begin() == .probe)
        #expect(machine.probed(nil) == .bring)
        _ = machine.brought(.saved(Self.draft(), at: Self.saved))
        let refusal = WriteFailure(.refused, .refused(400, ""), status: 400)
        guard case .unknown? = Self.kind(machine.answered(.failed(refusal))) else {
            Issue.record("forgotten")
            return
        }
    }

    @Test func `an unknown send is looked for and never sent`() {
        let send = Self.send(.unknown) { ($0.mayHaveArrived, $0.lastFailure, $0.probes) = (true, "answer-lost", 2) }
        var machine = SendMachine(send, now: Self.now)
        #expect(machine.begin() == .probe)
        #expect(
            machine.probed(nil)
                == .settle(SendOutcome(.unknown(lookAt: Self.now + 60_000), failure: "answer-lost"), ending: nil))
        #expect(Self.kind(machine.probed(MessageID("m"))) == .sent(MessageID("m"), .mayRemain))
        let step = machine.unprobed(.transport(.unreachable))
        guard case .settle(let outcome, let ending?) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(outcome == SendOutcome(.unknown(lookAt: nil), failure: "answer-lost") && ending.code == .offline)
    }

    @Test(arguments: [MailAPIError.transport(.unreachable), .server(503), .notJSON, .rateLimited])
    func `a failed look before the request sends nothing and forgets nothing`(error: MailAPIError) {
        let (machine, _) = Self.posting(Self.send(), Self.draft(.reply(to: MessageID("original"))))
        guard case .settle(let outcome, let ending?) = machine.unread(error), case .queued = outcome.kind else {
            Issue.record("\(machine.unread(error))")
            return
        }
        #expect(ending.error == error)
    }

    private static func interrupted(_ code: SendCode) -> WriteFailure? {
        code == .interrupted ? WriteFailure(.unknown, .transport(.stopped)) : nil
    }

    private static let failures = [
        WriteFailure(.notSent, .transport(.unreachable)), WriteFailure(.refused, .rateLimited, status: 429),
        WriteFailure(.refused, .signInNeeded(""), status: 401),
        WriteFailure(.refused, .forbidden(""), status: 403, code: "INSUFFICIENT_SCOPE"),
        WriteFailure(.refused, .forbidden(""), status: 403, code: "MAILBOX_FORBIDDEN"),
        WriteFailure(.refused, .forbidden(""), status: 403, code: "X"),
        WriteFailure(.refused, .notFound(""), status: 404, code: "MAILBOX_NOT_FOUND"),
        WriteFailure(.refused, .notFound(""), status: 404, code: "DRAFT_NOT_FOUND"),
        WriteFailure(.refused, .notFound(""), status: 404, code: "MESSAGE_NOT_FOUND"),
        WriteFailure(.refused, .notFound(""), status: 404, code: "ATTACHMENT_NOT_FOUND"),
        WriteFailure(.refused, .refused(400, ""), status: 400), WriteFailure(.refused, .refused(418, ""), status: 418),
        WriteFailure(.unknown, .transport(.timedOut)), WriteFailure(.unknown, .server(500), status: 500),
        WriteFailure(.elsewhere, .notJSON, status: 200), WriteFailure(.done, .notJSON, status: 201),
    ]
}
