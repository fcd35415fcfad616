internal import Glibc
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import SoakSupport
internal import Testing

/// The real program sends mail at most once, whatever the server, the network and the machine do.
@Suite(.serialized, .ownThread)
struct SendProofTests {
    private static let isSoak = Environment.value("HERALD_SOAK_SECONDS") != nil
    /// Every how-manieth statement of a send is tried: all in a soak, a few in an ordinary run.
    private static let stride = isSoak ? 1 : 13

    private let setting: Setting

    init() throws {
        setting = try Setting()
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    /// A way in which a request to send goes wrong.
    struct Spoiling: CustomTestStringConvertible {
        let testDescription: String
        /// What is asked of the control port before the first pass.
        let control: String
        /// Whether the server has sent it and has its copy.
        let isSent: Bool
        /// Whether the server has carried the request out, however it ended.
        var isRun: Bool { isSent || control.hasPrefix("/sender") }
    }

    private static let post = "method=POST&path=/api/v1/send"

    static let spoilings = [
        Spoiling(testDescription: "dropped before", control: "/fault?kind=close&\(post)", isSent: false),
        Spoiling(testDescription: "dropped after", control: "/fault?kind=close&after=1&\(post)", isSent: true),
        Spoiling(testDescription: "500 before", control: "/fault?kind=status&status=500&\(post)", isSent: false),
        Spoiling(testDescription: "500 after", control: "/fault?kind=status&status=500&after=1&\(post)", isSent: true),
        Spoiling(testDescription: "cut after", control: "/fault?kind=cut&bytes=9&\(post)", isSent: true),
        Spoiling(testDescription: "a web page", control: "/fault?kind=page&\(post)", isSent: false),
        Spoiling(testDescription: "provider fails before", control: "/sender?fail=1", isSent: false),
        Spoiling(testDescription: "provider fails after", control: "/sender?fail=1&when=after", isSent: false),
    ]

    /// Fails when a lost answer has mail sent twice, its text lost, or is told as sent without its copy.
    @Test(arguments: spoilings, [false, true])
    func `a lost answer is looked for in five passes and never sent again`(
        _ spoiling: Spoiling, isDraftGone: Bool
    ) async throws {
        defer { setting.server.stop() }
        let mail = try await setting.queueMail("one")
        try setting.control(spoiling.control)

        for pass in 1...5 {
            // The back-off is passed over, so that each pass looks.
            _ = try await setting.herald.outbox().hurrySends()
            let ended = try setting.herald.run("--sync-once")
            let status = try await setting.checkMail(mail, "pass \(pass)")
            #expect(ended.code == (status == .unknown ? 79 : 0), "pass \(pass): \(ended.errors)")
            if pass == 1, isDraftGone { try await deleteDraft(mail) }
        }

        let status = try await setting.checkMail(mail, "end")
        if spoiling.isSent {
            guard case .sent = status else {
                Issue.record("\(status)")
                return
            }
        } else {
            #expect(status == .unknown)
        }
        // A second request would have met no fault.
        #expect(try requests() == (spoiling.isRun ? 1 : 0))
    }

    /// Has the next mail find an outbox in which nothing waits.
    private func forget(_ mail: TestMail) async throws {
        let outbox = try setting.herald.outbox()
        #expect(try await outbox.keepAsDraft(mail.send))
        try await outbox.discardDraft(mail.draft)
        _ = try setting.herald.run("--sync-once")
    }

    /// Deletes the draft as another device would, when it is still there.
    private func deleteDraft(_ mail: TestMail) async throws {
        guard let id = try await setting.herald.outbox().draft(mail.draft)?.server?.id else { return }
        try? setting.control("/delete-draft?id=\(id)")
    }

    /// How many requests to send the server has carried out.
    private func requests() throws -> Int {
        let log = String(decoding: try ask(setting.server.controlPort, "/log", method: "POST"), as: UTF8.self)
        let parts = log.split(separator: "\"POST /api/v1/send\":")
        guard parts.count == 2, let rest = parts.last else { return 0 }
        return Int(rest.prefix { $0.isNumber }) ?? -1
    }

    /// Whether a fault has struck.
    private func hasStruck() throws -> Bool {
        let answer = try ask(setting.server.controlPort, "/struck", method: "POST")
        return !answer.starts(with: Array("{\"ok\":true,\"count\":0".utf8))
    }

    /// Fails when a kill between any two statements of a send has it sent twice, lost, or told wrongly.
    @Test(arguments: ["statement", "commit"])
    func `a send killed anywhere is sent once or looked for`(_ kind: String) async throws {
        defer { setting.server.stop() }
        var (point, kills) = (1, 0)
        while true {
            let mail = try await setting.queueMail("\(kind) \(point)")
            var doomed = setting.herald
            doomed.variables["HERALD_FAULT"] = "\(kind):\(point)"
            let ended = try doomed.run("--sync-once")
            let isKilled = ended.code == 128 + SIGKILL
            #expect(isKilled || ended.code == 0, "\(kind):\(point): \(ended.errors)")
            try await setting.checkMail(mail, "\(kind):\(point)")
            for _ in 0..<2 {
                _ = try await setting.herald.outbox().hurrySends()
                _ = try setting.herald.run("--sync-once")
            }
            let status = try await setting.checkMail(mail, "\(kind):\(point) afterwards")
            switch status {
            case .sent: #expect(try setting.mailsHandedOn(mail.subject) == 1, "\(kind):\(point)")
            case .unknown: #expect(try setting.mailsHandedOn(mail.subject) == 0, "\(kind):\(point)")
            default: Issue.record("\(kind):\(point): \(status)")
            }
            if status == .unknown { try await forget(mail) }
            guard isKilled else { break }
            kills += 1
            point += kind == "commit" ? 1 : SendProofTests.stride
        }
        #expect(kills >= 5)
    }

    /// Fails when a process that dies while the server holds its answer back has the mail sent twice or lost.
    @Test(arguments: [true, false])
    func `a kill while the server holds the answer back is harmless`(hasActed: Bool) async throws {
        defer { setting.server.stop() }
        let mail = try await setting.queueMail("held back")
        let kind = hasActed ? "stall" : "swallow"
        try setting.control("/fault?kind=\(kind)&ms=600000&\(SendProofTests.post)")
        let running = try setting.herald.start(["--sync-once"])
        let isHeld = try comesTrue { try !running.isRunning || hasStruck() }
        #expect(isHeld && running.isRunning)
        running.signal(SIGKILL)
        _ = running.wait()
        try setting.control("/fault")

        for _ in 0..<5 {
            _ = try await setting.herald.outbox().hurrySends()
            _ = try setting.herald.run("--sync-once")
        }

        let status = try await setting.checkMail(mail, "end")
        #expect((status == .unknown) == !hasActed)
        #expect(try setting.mailsHandedOn(mail.subject) == (hasActed ? 1 : 0))
    }

    /// Fails when only a message of one's own mailbox can be sent, or the copy is not here right after.
    @Test func `mail is sent by a pass, and its copy is listed at once`() async throws {
        defer { setting.server.stop() }
        let mail = try await setting.queueMail("plain")
        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 0, "\(ended.errors)")
        guard case .sent = try await setting.checkMail(mail, "end") else {
            Issue.record("not sent")
            return
        }
        let listed = try setting.herald.run("list", "messages", "--folder", "sent", "--json").text
        #expect(listed.contains(mail.subject))
        #expect(try setting.herald.run("outbox", "list", "--json").text.contains("\"items\":[]"))
    }

    /// Fails when a draft is listed again, until the next pass, once it was sent or thrown away.
    @Test(arguments: [true, false])
    func `a draft that the server ended is not listed any more`(isSent: Bool) async throws {
        defer { setting.server.stop() }
        let (herald, now) = (setting.herald, Environment.millisecondsSinceEpoch)
        let content = DraftContent(from: "info@example.test", to: "a@client.example", subject: "Ended", text: "T")
        let draft = try await herald.outbox().createDraft(content, at: now)
        for _ in 0..<2 { #expect(try herald.run("--sync-once").code == 0) }
        let listed = try #require(try await drafts().first { $0.subject == "Ended" })
        let taken = try await herald.outbox().takeDraft(listed, at: now)
        if isSent {
            _ = try #require(try await herald.outbox().queueSend(taken.id, notBefore: now, at: now))
        } else {
            try await herald.outbox().discardDraft(taken.id)
        }

        let ended = try herald.run("outbox", "retry")

        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try herald.run("list", "drafts", "--json").text.contains("\"items\":[]"))
        #expect(try setting.mailsHandedOn("Ended") == (isSent ? 1 : 0))
        #expect(try await herald.outbox().draft(draft.id) == nil)
    }

    private func drafts() async throws -> [Draft] {
        let reader = try #require(
            try MailReader(path: try setting.herald.cachePath(), owner: try setting.herald.owner()))
        return try await reader.drafts(mailbox: nil)
    }

    /// Fails when C-c leaves a mail queued and does not say so, so that somebody sends it twice by repeating.
    @Test(arguments: [false, true])
    func `a signal ends herald send, and what remains is told`(isPosted: Bool) async throws {
        defer { setting.server.stop() }
        let path = isPosted ? "/api/v1/send" : "/api/v1/drafts"
        try setting.control("/fault?kind=swallow&ms=600000&method=POST&path=\(path)")
        let body = setting.herald.home.path + "/body"
        try Files.replace(body, with: Array("The words.".utf8))
        let running = try setting.herald.start([
            "send", "--to", "ann@client.example", "--subject", "Cut", "--body", body,
        ])
        #expect(try comesTrue { try !running.isRunning || hasStruck() })
        running.signal(SIGINT)
        let ended = try #require(running.wait())

        #expect(ended.code == 128 + SIGINT, "\(ended.errors)")
        let sends = try await setting.herald.outbox().openSends()
        let id = try #require(sends.first).id
        if isPosted {
            #expect(ended.errors.contains("Interrupted. Unknown:"), "\(ended.errors)")
        } else {
            #expect(ended.errors.contains("Interrupted. The mail is queued"), "\(ended.errors)")
            #expect(ended.errors.contains("herald outbox keep \(id)"), "\(ended.errors)")
        }
        try setting.control("/fault")
        _ = try await setting.herald.outbox().hurrySends()
        #expect(try setting.herald.run("--sync-once").code == (isPosted ? 79 : 0))
        #expect(try setting.mailsHandedOn("Cut") == (isPosted ? 0 : 1))
        let waiting = try setting.herald.run("outbox", "list", "--json").text
        #expect(waiting.contains("\"status\":\"unknown\"") == isPosted)
        #expect(try setting.herald.run("status").text.contains("1 unknown (may have been sent)") == isPosted)
    }

    @Test func `the person ends what is unknown, by word or by sending again`() async throws {
        defer { setting.server.stop() }
        let herald = setting.herald
        var mails: [TestMail] = []
        for name in ["again", "keep", "sent"] {
            try setting.control("/fault?kind=close&\(SendProofTests.post)")
            mails.append(try await setting.queueMail(name))
            #expect(try herald.run("--sync-once").code == 79)
        }
        let status = try herald.run("status", "--json").text
        #expect(status.contains("\"unknown\":3") && status.contains("\"queued\":0"))
        let shown = try herald.run("outbox", "show", mails[0].send.rawValue)
        #expect(shown.text.contains("unknown: the answer was lost") && shown.text.contains("send-again"))

        let again = try herald.run("outbox", "send-again", mails[0].send.rawValue)
        #expect(again.code == 79, "\(again.errors)")
        #expect(try herald.run("outbox", "keep", mails[1].send.rawValue).code == 0)
        #expect(try herald.run("outbox", "sent", mails[2].send.rawValue).code == 0)

        let outbox = try herald.outbox()
        guard case .sent = try await setting.checkMail(mails[0], "again") else {
            Issue.record("not sent again")
            return
        }
        #expect(try await outbox.draft(mails[1].draft)?.content.text == mails[1].text)
        #expect(try await outbox.send(mails[1].send) == nil)
        #expect(try await outbox.draft(mails[2].draft).map(\.isDiscarded) ?? true)
        #expect(try herald.run("--sync-once").code == 0)
        #expect(try setting.mailsHandedOn(mails[1].subject) + setting.mailsHandedOn(mails[2].subject) == 0)
    }

    @Test func `refused mail is told with code 80 and stays a draft`() async throws {
        defer { setting.server.stop() }
        let mail = try await setting.queueMail("refused")
        try setting.control("/fault?kind=status&status=400&code=VALIDATION_ERROR&\(SendProofTests.post)")
        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 80, "\(ended.errors)")
        #expect(try await setting.checkMail(mail, "refused") == .refused("request-refused"))
        #expect(try setting.herald.run("outbox", "journal").text.contains("refused: the server did not take the mail"))
        #expect(try setting.herald.run("--sync-once").code == 0)
    }

    /// Fails when an answer goes out though a colleague's came first.
    @Test func `an answer is held when somebody answered meanwhile`() async throws {
        defer { setting.server.stop() }
        let original = try #require(try await setting.herald.shown().first { $0.subject == Setting.subject })
        let mail = try await setting.queueMail("answer", origin: .reply(to: original.id))
        let body = """
            {"messageId":"\(original.id)","from":"info@example.test","text":"We answered already."}
            """
        let port = setting.server.port
        let answer = try WireClient(port: port).send(
            "POST", "/api/v1/reply",
            headers: [("Authorization", "Bearer hqb_access_owner"), ("Content-Type", "application/json")],
            body: Array(body.utf8))
        #expect(answer.status == 201)

        let ended = try setting.herald.run("--sync-once")

        #expect(ended.code == 79, "\(ended.errors)")
        #expect(try await setting.checkMail(mail, "held") == .held(.answeredMeanwhile))
        let again = try setting.herald.run("outbox", "send-again", mail.send.rawValue)
        #expect(again.code == 0, "\(again.errors)")
        guard case .sent(let copy) = try await setting.checkMail(mail, "sent") else {
            Issue.record("not sent")
            return
        }
        #expect(try setting.serverText(of: copy).contains("> " + Setting.body))
    }
}
