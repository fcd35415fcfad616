internal import LocalServer
internal import MailTestSupport
internal import Testing

struct DraftWriteTests {
    private let fixture: ServerFixture

    init() throws { fixture = try ServerFixture() }

    @Test func `a new draft has the defaults and the first version`() throws {
        let answer = try fixture.ask("POST", "/drafts", "{}")
        #expect(answer.status == 201)
        #expect(answer.headers["content-type"] == "application/json")
        for (member, value) in [
            ("mailboxId", "null"), ("from", ""), ("to", "[]"), ("subject", ""), ("text", ""), ("html", ""),
            ("version", "1"), ("attachments", "[]"),
        ] {
            #expect(json(answer.body, member) == value, "\(member)")
        }
        #expect(json(answer.body, "id")?.hasPrefix("drf_") == true)
    }

    @Test func `texts are kept as they are, addresses in lower case`() throws {
        let body = """
            {"mailboxId":"mbx_local_support","from":"Help@Example.test","to":["A@B.test"],"subject":"  S ",\
            "text":"\\u00e9\\ud83d\\ude00","html":"<p>x</p>","extra":1}
            """
        let answer = try fixture.ask("POST", "/drafts", body)
        #expect(json(answer.body, "from") == "help@example.test")
        #expect(json(answer.body, "to.0") == "a@b.test")
        #expect(json(answer.body, "subject") == "  S ")
        #expect(json(answer.body, "text") == "é😀")
        #expect(json(answer.body, "mailboxId") == "mbx_local_support")
    }

    @Test func `a save replaces everything and counts the version`() throws {
        let id = try fixture.draft("{\"from\":\"support@example.test\",\"to\":[\"a@b.test\"],\"text\":\"t\"}")
        let answer = try fixture.ask("PATCH", "/drafts/\(id)", "{\"subject\":\"only\",\"version\":1,\"id\":\"drf_x\"}")
        #expect(answer.status == 200)
        #expect(json(answer.body, "id") == id)
        #expect(json(answer.body, "version") == "2")
        #expect(json(answer.body, "from") == "")
        #expect(json(answer.body, "to") == "[]")
        #expect(json(answer.body, "text") == "")
    }

    @Test(arguments: ["", ",\"version\":1", ",\"version\":99"])
    func `a save with another version is a conflict and changes nothing`(_ version: String) throws {
        let id = try fixture.draft("{\"subject\":\"first\"}")
        _ = try fixture.ask("PATCH", "/drafts/\(id)", "{\"subject\":\"second\",\"version\":1}")
        let answer = try fixture.ask("PATCH", "/drafts/\(id)", "{\"subject\":\"third\"\(version)}")
        #expect(answer.status == 409)
        #expect(json(answer.body, "error.code") == "DRAFT_CONFLICT")
        #expect(json(try fixture.ask("GET", "/drafts/\(id)").body, "subject") == "second")
    }

    @Test func `a create that names an own draft saves it`() throws {
        let id = try fixture.draft()
        let answer = try fixture.ask("POST", "/drafts", "{\"id\":\"\(id)\",\"version\":1,\"subject\":\"x\"}")
        #expect(answer.status == 201)
        #expect(json(answer.body, "version") == "2")
        #expect(try fixture.ask("POST", "/drafts", "{\"id\":\"\(id)\"}").status == 409)
        #expect(try fixture.ask("POST", "/drafts", "{\"id\":\"\(id)\",\"version\":2}", as: "member").status == 404)
        #expect(json(try fixture.ask("POST", "/drafts", "{\"id\":\"drf_x\"}").body, "error.code") == "DRAFT_NOT_FOUND")
    }

    private static let faults: [(body: String, message: String)] = [
        ("[1]", "Invalid input: expected object, received array"),
        ("null", "Invalid input: expected object, received null"),
        ("{\"subject\":5}", "Invalid input: expected string, received number"),
        ("{\"subject\":null}", "Invalid input: expected string, received null"),
        ("{\"to\":\"a@b.test\"}", "Invalid input: expected array, received string"),
        ("{\"to\":[\"nope\"]}", "Invalid email address"), ("{\"to\":[\"A <a@b.test>\"]}", "Invalid email address"),
        ("{\"to\":[\" a@b.test\"]}", "Invalid email address"), ("{\"to\":[\"a@b\"]}", "Invalid email address"),
        ("{\"to\":[\"é@b.test\"]}", "Invalid email address"), ("{\"to\":[\"a..b@b.test\"]}", "Invalid email address"),
        ("{\"from\":\"x\"}", "Invalid input"), ("{\"from\":null}", "Invalid input"),
        ("{\"version\":0}", "Too small: expected number to be >0"),
        ("{\"version\":1.5}", "Invalid input: expected int, received number"),
        ("{\"version\":\"1\"}", "Invalid input: expected number, received string"),
        ("{\"mailboxId\":\"\"}", "Too small: expected string to have >=1 characters"),
        ("{\"mailboxId\":true}", "Invalid input: expected string, received boolean"),
        (
            "{\"subject\":\"\(String(repeating: "x", count: 201))\"}",
            "Too big: expected string to have <=200 characters"
        ),
        (
            "{\"subject\":\"\(String(repeating: "😀", count: 101))\"}",
            "Too big: expected string to have <=200 characters"
        ),
        (
            "{\"text\":\"\(String(repeating: "x", count: 100_001))\"}",
            "Too big: expected string to have <=100000 characters"
        ),
        (
            "{\"cc\":[\((0..<51).map { "\"a\($0)@b.test\"" }.joined(separator: ","))]}",
            "Too big: expected array to have <=50 items"
        ),
        (
            "{\"to\":[\"\(String(repeating: "a", count: 250))@b.test\"]}",
            "Too big: expected string to have <=254 characters"
        ),
    ]

    @Test(arguments: faults.indices) func `a fault of the body is named`(_ index: Int) throws {
        let (body, message) = DraftWriteTests.faults[index]
        let answer = try fixture.ask("POST", "/drafts", body)
        #expect(answer.status == 400)
        #expect(json(answer.body, "error.code") == "VALIDATION_ERROR")
        #expect(json(answer.body, "error.message") == message)
    }

    @Test(arguments: ["", "{", "{\"a\":1}x", "{\"subject\":\"\u{1}\"}", "\u{FF}"])
    func `what is no JSON is refused as such`(_ body: String) throws {
        let answer = try fixture.ask("POST", "/drafts", body)
        #expect(answer.status == 400)
        #expect(json(answer.body, "error.code") == "INVALID_JSON")
    }

    @Test(arguments: [
        ("owner", "{\"from\":\"nobody@example.test\"}", 404, "MAILBOX_NOT_FOUND"),
        (
            "owner", "{\"mailboxId\":\"mbx_local_sales\",\"from\":\"support@example.test\"}", 400,
            "DRAFT_MAILBOX_MISMATCH"
        ),
        ("owner", "{\"mailboxId\":\"mbx_none\"}", 403, "MAILBOX_FORBIDDEN"),
        ("viewer", "{\"mailboxId\":\"mbx_local_info\"}", 403, "MAILBOX_FORBIDDEN"),
        ("viewer", "{\"from\":\"info@example.test\"}", 403, "MAILBOX_FORBIDDEN"),
        ("viewer", "{\"from\":\"support@example.test\"}", 404, "MAILBOX_NOT_FOUND"),
        ("admin", "{\"from\":\"billing@example.test\"}", 403, "MAILBOX_FORBIDDEN"),
        ("owner", "{\"replyToMessageId\":\"msg_none\"}", 404, "MESSAGE_NOT_FOUND"),
        ("owner", "{\"id\":\"drf_none\",\"mailboxId\":\"mbx_none\"}", 403, "MAILBOX_FORBIDDEN"),
        ("owner_write", "{", 403, "INSUFFICIENT_SCOPE"),
    ])
    func `targets are checked in the contract's order`(
        _ bearer: String, _ body: String, _ status: Int, _ code: String
    ) throws {
        let answer = try fixture.ask("POST", "/drafts", body, as: bearer)
        #expect(answer.status == status)
        #expect(json(answer.body, "error.code") == code)
    }

    @Test func `a draft is its author's alone and deleting it twice is harmless`() throws {
        let id = try fixture.draft()
        for method in ["GET", "PATCH", "DELETE"] {
            #expect(try fixture.ask(method, "/drafts/\(id)", "{\"version\":1}", as: "member").status == 404)
        }
        let answer = try fixture.ask("DELETE", "/drafts/\(id)")
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(answer.headers["content-type"] == nil)
        #expect(try fixture.ask("DELETE", "/drafts/\(id)").status == 404)
    }

    /// Fails when lost access hides a draft only in the list, or lets its author delete it.
    @Test func `a draft stranded by lost access can be neither read, saved nor deleted`() throws {
        let id = try fixture.draft("{\"mailboxId\":\"mbx_local_support\"}", as: "member")
        try fixture.control("/access?user=member&mailbox=support@example.test&level=none")
        #expect(try fixture.ask("GET", "/drafts", as: "member").body == "[]")
        for method in ["GET", "PATCH", "DELETE"] {
            #expect(try fixture.ask(method, "/drafts/\(id)", "{", as: "member").status == 403, "\(method)")
        }
    }

    /// Fails when pages are filled up past hidden drafts, or a page without drafts loses its link.
    @Test func `pages are cut before the access filter`() throws {
        for number in 0..<4 {
            try fixture.control("/clock?advance=1000")
            let mailbox = number == 2 ? "null" : "\"mbx_local_support\""
            _ = try fixture.draft("{\"mailboxId\":\(mailbox),\"subject\":\"\(number)\"}", as: "member")
        }
        try fixture.control("/access?user=member&mailbox=support@example.test&level=none")
        let first = try fixture.ask("GET", "/drafts?limit=2", as: "member")
        #expect(json(first.body, "0.subject") == "2")
        #expect(json(first.body, "1") == nil)
        let link = try #require(first.headers["link"])
        let target = "/drafts" + link.drop { $0 != "?" }.prefix { $0 != ">" }
        let second = try fixture.ask("GET", String(target), as: "member")
        #expect(second.body == "[]")
        #expect(second.headers["link"] == nil)
    }

    @Test func `each write of a draft is journaled once, and a purged target too`() throws {
        let message = try fixture.deliver()
        let start = try fixture.checkpoint("drafts/changes")
        let id = try fixture.draft("{\"replyToMessageId\":\"\(message)\"}")
        _ = try fixture.ask("PATCH", "/drafts/\(id)", "{\"version\":1,\"replyToMessageId\":\"\(message)\"}")
        let attachment = try fixture.upload("x", to: id)
        #expect(try fixture.changes("drafts/changes", since: start) == Array(repeating: "upsert " + id, count: 3))
        _ = try fixture.ask("DELETE", "/drafts/\(id)/attachments/\(attachment)")
        let middle = try fixture.checkpoint("drafts/changes")
        try fixture.control("/delete?id=\(message)")
        #expect(try fixture.changes("drafts/changes", since: middle) == ["upsert " + id])
        #expect(json(try fixture.ask("GET", "/drafts/\(id)").body, "replyToMessageId") == "null")
        #expect(json(try fixture.ask("GET", "/drafts/\(id)").body, "version") == "2")
        _ = try fixture.upload("y", to: id)
        let end = try fixture.checkpoint("drafts/changes")
        _ = try fixture.ask("DELETE", "/drafts/\(id)")
        #expect(try fixture.changes("drafts/changes", since: end) == ["delete " + id])
        #expect(try fixture.changes("drafts/changes", since: start) == ["delete " + id])
    }

    @Test func `a cursor of the draft feed is its user's alone`() throws {
        let cursor = try fixture.checkpoint("drafts/changes")
        let answer = try fixture.ask("GET", "/drafts/changes?cursor=\(cursor)", as: "member")
        #expect(json(answer.body, "error.code") == "INVALID_DRAFT_CHANGE_CURSOR")
    }
}
