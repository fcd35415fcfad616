internal import LocalServer
internal import MailTestSupport
internal import Testing

struct SendTests {
    private let fixture: ServerFixture

    init() throws { fixture = try ServerFixture() }

    private func mail(_ extra: String = "", from: String = "support@example.test") -> String {
        "{\"from\":\"\(from)\",\"to\":[\"X@Y.test\"],\"subject\":\" Hello \",\"text\":\" Body\\n\"\(extra)}"
    }

    @Test func `a sent mail is trimmed, stored as read and handed to the sender`() throws {
        let answer = try fixture.ask("POST", "/send", mail(",\"bcc\":[\"b@y.test\"],\"html\":\"<p>Hi</p>\""))
        #expect(answer.status == 201)
        #expect(json(answer.body, "folder") == "sent")
        #expect(json(answer.body, "direction") == "outbound")
        #expect(json(answer.body, "subject") == "Hello")
        #expect(json(answer.body, "to.0") == "x@y.test")
        #expect(json(answer.body, "receivedAt") == "null")
        #expect(json(answer.body, "readAt") == json(answer.body, "sentAt"))
        let id = try #require(json(answer.body, "id"))
        let detail = try fixture.ask("GET", "/messages/\(id)").body
        #expect(json(detail, "textBody") == "Body")
        #expect(json(detail, "bcc.0") == "b@y.test")
        #expect(json(detail, "htmlAvailable") == "true")
        let outgoing = try fixture.control("/outgoing").body
        #expect(json(outgoing, "mails.0.messageId") == json(detail, "messageId"))
        #expect(json(outgoing, "mails.0.html") == "<p>Hi</p>")
        #expect(json(outgoing, "mails.0.bcc.0") == "b@y.test")
    }

    @Test func `sending consumes the draft but keeps the bytes it sent`() throws {
        let draft = try fixture.draft()
        let attachment = try fixture.upload("data", to: draft)
        let start = try fixture.checkpoint("drafts/changes")
        let body = mail(",\"draftId\":\"\(draft)\",\"attachmentIds\":[\"\(attachment)\"]")
        let id = try #require(json(fixture.ask("POST", "/send", body).body, "id"))
        let detail = try fixture.ask("GET", "/messages/\(id)").body
        let sent = try #require(json(detail, "attachments.0.id"))
        #expect(try fixture.ask("GET", "/attachments/\(sent)").body == "data")
        #expect(try fixture.changes("drafts/changes", since: start) == ["delete " + draft])
        #expect(try fixture.ask("POST", "/send", body).status == 404)
    }

    /// Fails when the trap of shared files is not reproduced: a client must not delete a draft it sent from.
    @Test func `deleting a draft takes the bytes away under a copy sent without it`() throws {
        let draft = try fixture.draft()
        let attachment = try fixture.upload("data", to: draft)
        let answer = try fixture.ask("POST", "/send", mail(",\"attachmentIds\":[\"\(attachment)\"]"))
        let id = try #require(json(answer.body, "id"))
        let sent = try #require(json(fixture.ask("GET", "/messages/\(id)").body, "attachments.0.id"))
        #expect(try fixture.ask("GET", "/attachments/\(sent)").status == 200)
        _ = try fixture.ask("DELETE", "/drafts/\(draft)")
        let lost = try fixture.ask("GET", "/attachments/\(sent)")
        #expect(json(lost.body, "error.code") == "ATTACHMENT_OBJECT_NOT_FOUND")
    }

    @Test func `only the files that are named are sent`() throws {
        let draft = try fixture.draft()
        _ = try fixture.upload("lost", to: draft)
        let answer = try fixture.ask("POST", "/send", mail(",\"draftId\":\"\(draft)\""))
        #expect(json(answer.body, "hasAttachments") == "false")
    }

    @Test(arguments: [
        ("{}", 400, "VALIDATION_ERROR"), ("{", 400, "INVALID_JSON"),
        (
            "{\"from\":\"nobody@example.test\",\"to\":[\"x@y.test\"],\"subject\":\"S\",\"text\":\"t\"}", 404,
            "MAILBOX_NOT_FOUND"
        ),
        ("{\"from\":\"support@example.test\",\"to\":[],\"subject\":\"S\",\"text\":\"t\"}", 400, "VALIDATION_ERROR"),
        (
            "{\"from\":\"support@example.test\",\"to\":[\"x@y.test\"],\"subject\":\" \",\"text\":\"t\"}", 400,
            "VALIDATION_ERROR"
        ),
        (
            "{\"from\":\"support@example.test\",\"to\":[\"x@y.test\"],\"subject\":\"S\",\"text\":\"\\n\"}", 400,
            "VALIDATION_ERROR"
        ),
        (
            "{\"from\":\"support@example.test\",\"to\":[\"x@y.test\"],\"subject\":\"S\","
                + "\"text\":\"t\",\"attachmentIds\":[\"att_none\"]}",
            404, "ATTACHMENT_NOT_FOUND"
        ),
        (
            "{\"from\":\"support@example.test\",\"to\":[\"x@y.test\"],\"subject\":\"S\","
                + "\"text\":\"t\",\"draftId\":\"drf_none\"}",
            404, "DRAFT_NOT_FOUND"
        ),
    ])
    func `a send is refused with the contract's code`(_ body: String, _ status: Int, _ code: String) throws {
        let answer = try fixture.ask("POST", "/send", body)
        #expect(answer.status == status)
        #expect(json(answer.body, "error.code") == code)
    }

    @Test func `a sender must be granted, enabled, ready and active`() throws {
        let owner = mail(from: "sales@example.test")
        #expect(json(try fixture.ask("POST", "/send", mail(), as: "viewer").body, "error.code") == "MAILBOX_FORBIDDEN")
        #expect(try fixture.ask("POST", "/send", mail(), as: "member").status == 201)
        try fixture.control("/mailbox?mailbox=sales@example.test&active=0")
        #expect(json(try fixture.ask("POST", "/send", owner).body, "error.code") == "MAILBOX_DISABLED")
        try fixture.control("/address?address=sales@example.test&send=0")
        #expect(json(try fixture.ask("POST", "/send", owner).body, "error.code") == "MAILBOX_NOT_FOUND")
        let ops = mail(from: "ops@ops.example.test")
        #expect(try fixture.ask("POST", "/send", ops).status == 201)
        try fixture.control("/domain?address=ops@ops.example.test&send=0")
        #expect(json(try fixture.ask("POST", "/send", ops).body, "error.code") == "MAILBOX_NOT_FOUND")
    }

    @Test(arguments: [("before", "0"), ("after", "1")])
    func `a failing sender leaves the draft and stores nothing`(_ moment: String, _ taken: String) throws {
        let draft = try fixture.draft()
        try fixture.control("/sender?fail=1&when=\(moment)&message=refused")
        let answer = try fixture.ask("POST", "/send", mail(",\"draftId\":\"\(draft)\""))
        #expect(answer.status == 500)
        #expect(json(answer.body, "error.message") == "refused")
        #expect(try fixture.ask("GET", "/drafts/\(draft)").status == 200)
        #expect(try fixture.ask("GET", "/messages?folder=sent").body == "[]")
        #expect(json(try fixture.control("/outgoing").body, "count") == taken)
        #expect(try fixture.ask("POST", "/send", mail(",\"draftId\":\"\(draft)\"")).status == 201)
    }

    @Test func `sixty sends fit in a window of a minute, refused ones counted`() throws {
        try fixture.control("/clock?at=2026-11-05T10:00:30.000Z&stopped=1")
        for _ in 0..<60 { #expect(try fixture.ask("POST", "/send", "{}").status == 400) }
        let answer = try fixture.ask("POST", "/send", "{}")
        #expect(answer.status == 429)
        #expect(json(answer.body, "error.code") == "RATE_LIMITED")
        #expect(answer.headers["retry-after"] == nil)
        #expect(try fixture.ask("POST", "/reply", "{}").status == 400)
        #expect(try fixture.ask("POST", "/send", "{}", as: "member").status == 400)
        try fixture.control("/clock?at=2026-11-05T10:01:00.000Z")
        #expect(try fixture.ask("POST", "/send", "{}").status == 400)
    }
}
