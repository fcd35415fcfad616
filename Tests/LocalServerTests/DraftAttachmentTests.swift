internal import LocalServer
internal import MailTestSupport
internal import Testing

struct DraftAttachmentTests {
    private static let formType = "multipart/form-data; boundary=XbX"
    private let fixture: ServerFixture

    init() throws { fixture = try ServerFixture() }

    @Test func `an upload is listed with the draft, whose version and time stay`() throws {
        let id = try fixture.draft()
        let before = try fixture.ask("GET", "/drafts/\(id)").body
        let answer = try fixture.ask(
            "POST", "/drafts/\(id)/attachments", form("hello"), type: DraftAttachmentTests.formType)
        #expect(answer.status == 201)
        #expect(json(answer.body, "filename") == "a.txt")
        #expect(json(answer.body, "contentType") == "text/plain")
        #expect(json(answer.body, "sizeBytes") == "5")
        let after = try fixture.ask("GET", "/drafts/\(id)").body
        #expect(json(after, "attachments.0") == answer.body)
        #expect(json(after, "version") == json(before, "version"))
        #expect(json(after, "updatedAt") == json(before, "updatedAt"))
        let attachment = try #require(json(answer.body, "id"))
        #expect(try fixture.ask("GET", "/attachments/\(attachment)").status == 404)
        #expect(try fixture.ask("DELETE", "/drafts/drf_none/attachments/\(attachment)").status == 404)
        #expect(try fixture.ask("DELETE", "/drafts/\(id)/attachments/\(attachment)").status == 204)
        let again = try fixture.ask("DELETE", "/drafts/\(id)/attachments/\(attachment)")
        #expect(json(again.body, "error.code") == "ATTACHMENT_NOT_FOUND")
    }

    @Test(arguments: [
        ("résumé €.txt", "résumé €.txt"), ("../../etc/passwd", "../../etc/passwd"), ("a%22b.txt", "a\"b.txt"),
        ("a\\\"b.txt", "a\"b.txt"), ("C:\\dir\\x.txt", "C:\\dir\\x.txt"), ("a;b=c.txt", "a;b=c.txt"),
        ("50%.txt", "50%.txt"),
        (String(repeating: "n", count: 300), String(repeating: "n", count: 255)), ("", ""),
    ])
    func `a file's name is kept`(_ name: String, _ kept: String) throws {
        let id = try fixture.draft()
        let answer = try fixture.ask(
            "POST", "/drafts/\(id)/attachments", form("x", named: name), type: DraftAttachmentTests.formType)
        #expect(answer.status == 201)
        #expect(json(answer.body, "filename") == kept)
    }

    @Test(arguments: ["", "\r\n", "a\r\n--XbY\r\nb", "\r\n--Xb", String(repeating: "\r", count: 100_000)])
    func `content that looks like a delimiter is kept whole`(_ content: String) throws {
        let id = try fixture.draft()
        let answer = try fixture.ask(
            "POST", "/drafts/\(id)/attachments", form(content), type: DraftAttachmentTests.formType)
        #expect(json(answer.body, "sizeBytes") == "\(content.utf8.count)")
    }

    private static let part = "Content-Disposition: form-data; name=\"file\""
    private static let faults: [(body: String, type: String?, status: Int, code: String)] = [
        ("--XbX--\r\n", formType, 400, "FILE_REQUIRED"),
        (form("x", field: "upload"), formType, 400, "FILE_REQUIRED"),
        ("--XbX\r\n\(part)\r\n\r\nx\r\n--XbX--\r\n", formType, 400, "FILE_REQUIRED"),
        ("file=x", "application/x-www-form-urlencoded", 400, "FILE_REQUIRED"),
        ("{}", "application/json", 500, "INTERNAL_ERROR"), ("", nil, 500, "INTERNAL_ERROR"),
        ("", formType, 500, "INTERNAL_ERROR"), (form("x"), "multipart/form-data", 500, "INTERNAL_ERROR"),
        ("--XbX\r\n\(part); filename=\"a\"\r\n\r\nx", formType, 500, "INTERNAL_ERROR"),
        ("--XbX\r\n\(part); filename=\"a\"", formType, 500, "INTERNAL_ERROR"),
        ("--XbX\r\nno header\r\n\r\nx\r\n--XbX--", formType, 500, "INTERNAL_ERROR"),
        ("--XbXy\r\n\(part); filename=\"a\"\r\n\r\nx\r\n--XbX--", formType, 500, "INTERNAL_ERROR"),
        (
            "--XbX\r\n\(part)\r\nX: \(String(repeating: "h", count: 20_000))\r\n\r\nx\r\n--XbX--", formType, 500,
            "INTERNAL_ERROR"
        ),
    ]

    @Test(arguments: faults.indices) func `a body that is no form with a file is refused`(_ index: Int) throws {
        let fault = DraftAttachmentTests.faults[index]
        let id = try fixture.draft()
        let answer = try fixture.ask("POST", "/drafts/\(id)/attachments", fault.body, type: fault.type)
        #expect(answer.status == fault.status)
        #expect(json(answer.body, "error.code") == fault.code)
    }

    @Test func `of two files the first is taken`() throws {
        let id = try fixture.draft()
        let body =
            "--XbX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nn\r\n"
            + form("1", named: "one.txt").dropLast(9) + form("2", named: "two.txt")
        let answer = try fixture.ask(
            "POST", "/drafts/\(id)/attachments", String(body), type: DraftAttachmentTests.formType)
        #expect(json(answer.body, "filename") == "one.txt")
    }

    @Test func `a file and a draft hold at most 25 MiB`() throws {
        let id = try fixture.draft()
        let limit = 26_214_400
        let tooLong = try fixture.ask(
            "POST", "/drafts/\(id)/attachments", form(String(repeating: "x", count: limit + 1)),
            type: DraftAttachmentTests.formType)
        #expect(tooLong.status == 413)
        #expect(json(tooLong.body, "error.code") == "ATTACHMENTS_TOO_LARGE")
        _ = try fixture.upload("x", to: id)
        let full = try fixture.ask(
            "POST", "/drafts/\(id)/attachments", form(String(repeating: "x", count: limit - 1)),
            type: DraftAttachmentTests.formType)
        #expect(full.status == 201)
        let over = try fixture.ask("POST", "/drafts/\(id)/attachments", form("x"), type: DraftAttachmentTests.formType)
        #expect(over.status == 413)
    }

    @Test func `the draft is checked before the form`() throws {
        let id = try fixture.draft()
        #expect(try fixture.ask("POST", "/drafts/\(id)/attachments", "", as: "member").status == 404)
        #expect(try fixture.ask("POST", "/drafts/\(id)/attachments", "", as: "owner_write").status == 403)
        #expect(try fixture.ask("GET", "/drafts/\(id)/attachments").status == 404)
    }
}
