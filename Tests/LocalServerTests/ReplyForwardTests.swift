internal import LocalServer
internal import MailTestSupport
internal import Testing

struct ReplyForwardTests {
    private let fixture: ServerFixture

    init() throws { fixture = try ServerFixture() }

    private func sent(_ route: String, _ body: String) throws -> String {
        let answer = try fixture.ask("POST", "/" + route, body)
        try #require(answer.status == 201, "\(answer.body)")
        return try fixture.ask("GET", "/messages/\(json(answer.body, "id") ?? "")").body
    }

    @Test func `a reply quotes the original and joins its thread`() throws {
        let id = try fixture.deliver(subject: "root", header: "References: <old@x.example>\r\n")
        let reply = try sent(
            "reply",
            "{\"messageId\":\"\(id)\",\"from\":\"support@example.test\",\"text\":\" Fixed. \",\"subject\":\"no\"}")
        #expect(json(reply, "subject") == "Re: root")
        #expect(json(reply, "to") == "[\"ann@client.example\"]")
        #expect(json(reply, "inReplyTo") == "<root@client.example>")
        #expect(json(reply, "references") == "[\"<old@x.example>\",\"<root@client.example>\"]")
        #expect(json(reply, "threadId") == json(try fixture.ask("GET", "/messages/\(id)").body, "threadId"))
        #expect(
            json(reply, "textBody")
                == "Fixed.\n\nOn 2026-11-02 at 10:00 UTC, ann@client.example wrote:\n> Line one\n>\n> Line two")
        let headers = "mails.0.headers.References"
        #expect(json(try fixture.control("/outgoing").body, headers) == "<old@x.example> <root@client.example>")
    }

    /// Fails when a quote loses its pictures, or shows what the server would not let through.
    @Test func `an HTML reply quotes the original's HTML with its pictures`() throws {
        let html =
            "<p onclick=x>Hi <img src=\"cid:pic@x\" width=2><img src=\"cid:none\"><script>1</script>"
            + "<img src=\"https://t.example/a.png\"></p>"
        let text =
            "--b\r\nContent-Type: text/html\r\n\r\n\(html)\r\n--b\r\nContent-Type: image/png\r\n"
            + "Content-ID: <pic@x>\r\nContent-Disposition: inline; filename=p.png\r\n\r\nPNG\r\n--b--\r\n"
        let id = try fixture.deliver(
            header: "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n", text: text)
        let reply = try sent(
            "reply", "{\"messageId\":\"\(id)\",\"from\":\"support@example.test\",\"text\":\"a\",\"html\":\"<p>a</p>\"}")
        #expect(json(reply, "attachments.0.contentId") == "pic@x")
        let outgoing = try fixture.control("/outgoing").body
        #expect(json(outgoing, "mails.0.attachments.0.disposition") == "inline")
        let quote = json(outgoing, "mails.0.html") ?? ""
        #expect(quote.hasPrefix("<p>a</p><div class=\"gmail_quote gmail_quote_container\">"))
        #expect(quote.contains("<p>Hi <img src=\"cid:pic@x\" width=\"2\" /><img />"))
        #expect(quote.contains("<img src=\"https://t.example/a.png\" referrerpolicy=\"no-referrer\" />"))
        #expect(!quote.contains("script"))
        let attachment = try #require(json(reply, "attachments.0.id"))
        #expect(try fixture.ask("GET", "/attachments/\(attachment)").body == "PNG")
    }

    @Test func `an answer to one's own answer does not pile up its mark`() throws {
        let id = try fixture.deliver(subject: "RE: root", id: "root")
        let body = "{\"messageId\":\"\(id)\",\"from\":\"support@example.test\",\"text\":\"a\",\"to\":[\"o@y.test\"]}"
        let reply = try sent("reply", body)
        #expect(json(reply, "subject") == "RE: root")
        #expect(json(reply, "to") == "[\"o@y.test\"]")
    }

    @Test func `a forwarded mail carries the original below the note, in a thread of its own`() throws {
        let id = try fixture.deliver(subject: "Fw: root", id: "root", header: "Cc: c@client.example\r\n")
        let forward = try sent(
            "forward",
            "{\"messageId\":\"\(id)\",\"from\":\"support@example.test\",\"to\":[\"f@y.test\"],\"text\":\"See <this>\"}")
        #expect(json(forward, "subject") == "Fwd: root")
        #expect(json(forward, "inReplyTo") == "null")
        #expect(json(forward, "threadId") != json(try fixture.ask("GET", "/messages/\(id)").body, "threadId"))
        #expect(
            json(forward, "textBody") == """
                See <this>

                ---------- Forwarded message ---------
                From: ann@client.example
                Date: Mon, 02 Nov 2026 10:00:00 GMT
                Subject: Fw: root
                To: support@example.test
                Cc: c@client.example

                Line one

                Line two
                """)
        let html = json(try fixture.control("/outgoing").body, "mails.0.html")
        #expect(html?.hasPrefix("<p>See &lt;this&gt;</p><blockquote>---------- Forwarded message") == true)
    }

    private func deliverWithFiles(_ count: Int) throws -> String {
        var text = ""
        for number in 0..<count {
            text +=
                "--b\r\nContent-Type: text/plain\r\n"
                + "Content-Disposition: attachment; filename=\"f\(number).txt\"\r\n\r\n"
            text += "file \(number)\r\n"
        }
        return try fixture.deliver(
            header: "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n", text: text + "--b--\r\n")
    }

    private func forward(_ id: String, _ extra: String = "") -> String {
        "{\"messageId\":\"\(id)\",\"from\":\"support@example.test\",\"to\":[\"f@y.test\"]\(extra)}"
    }

    @Test func `the original's files travel with it and no draft is left`() throws {
        let id = try deliverWithFiles(2)
        let start = try fixture.checkpoint("drafts/changes")
        let copy = try sent("forward", forward(id))
        #expect(json(copy, "attachments.1.filename") == "f1.txt")
        let attachment = try #require(json(copy, "attachments.1.id"))
        #expect(try fixture.ask("GET", "/attachments/\(attachment)").body == "file 1")
        #expect(try fixture.ask("GET", "/drafts").body == "[]")
        #expect(try fixture.changes("drafts/changes", since: start).count == 1)
        let plain = try sent("forward", forward(id, ",\"includeOriginalAttachments\":false"))
        #expect(json(plain, "hasAttachments") == "false")
    }

    @Test func `a forward that fails after the copies leaves its draft, a lost file does not`() throws {
        let id = try deliverWithFiles(1)
        try fixture.control("/sender?fail=1")
        #expect(try fixture.ask("POST", "/forward", forward(id)).status == 500)
        let drafts = try fixture.ask("GET", "/drafts").body
        #expect(json(drafts, "0.forwardOfMessageId") == id)
        #expect(json(drafts, "0.attachments.0.filename") == "f0.txt")
        _ = try fixture.ask("DELETE", "/drafts/\(json(drafts, "0.id") ?? "")")
        let attachment = try #require(json(fixture.ask("GET", "/messages/\(id)").body, "attachments.0.id"))
        try fixture.control("/lose?id=\(attachment)")
        let answer = try fixture.ask("POST", "/forward", forward(id))
        #expect(json(answer.body, "error.message") == "A forwarded attachment object is unavailable.")
        #expect(try fixture.ask("GET", "/drafts").body == "[]")
    }

    @Test func `a draft that forwards is sent with the original's files, which go again on failure`() throws {
        let id = try deliverWithFiles(1)
        let draft = try fixture.draft("{\"forwardOfMessageId\":\"\(id)\"}")
        let body = """
            {"from":"support@example.test","to":["f@y.test"],"subject":"Fwd","text":"t","draftId":"\(draft)"}
            """
        try fixture.control("/sender?fail=1")
        #expect(try fixture.ask("POST", "/send", body).status == 500)
        #expect(json(try fixture.ask("GET", "/drafts/\(draft)").body, "attachments") == "[]")
        let copy = try sent("send", body)
        #expect(json(copy, "attachments.0.filename") == "f0.txt")
        #expect(json(copy, "textBody") == "t")
    }

    @Test func `more than twenty files are too many`() throws {
        let id = try deliverWithFiles(6)
        let draft = try fixture.draft()
        let ids = try (0..<15).map { "\"\(try fixture.upload("x", named: "own\($0).txt", to: draft))\"" }
        let answer = try fixture.ask(
            "POST", "/forward", forward(id, ",\"attachmentIds\":[\(ids.joined(separator: ","))]"))
        #expect(json(answer.body, "error.code") == "ATTACHMENTS_TOO_MANY")
        #expect(json(try fixture.ask("GET", "/drafts").body, "1") == nil)
    }

    @Test(arguments: ["reply", "forward"]) func `both need the original and the sender`(_ route: String) throws {
        let hidden = try fixture.deliver(to: "billing@example.test")
        let shown = try fixture.deliver(subject: "shown")
        func code(_ id: String, _ from: String) throws -> String? {
            let body = "{\"messageId\":\"\(id)\",\"from\":\"\(from)\",\"to\":[\"x@y.test\"],\"text\":\"t\"}"
            return json(try fixture.ask("POST", "/" + route, body, as: "member").body, "error.code")
        }
        #expect(try code("msg_none", "nobody@example.test") == "MESSAGE_NOT_FOUND")
        #expect(try code(hidden, "nobody@example.test") == "MAILBOX_FORBIDDEN")
        #expect(try code(shown, "nobody@example.test") == "MAILBOX_NOT_FOUND")
        #expect(try code(shown, "billing@example.test") == "MAILBOX_FORBIDDEN")
        #expect(try code(shown, "support@example.test") == nil)
    }
}
