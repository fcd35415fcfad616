internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Testing

/// Requests that break the rules of HTTP, or strain them.
struct HostileRequestTests {
    private let fixture: ServerFixture

    init() throws { fixture = try ServerFixture() }

    private var client: WireClient { WireClient(port: fixture.server.port) }

    private func head(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(fixture.server.port)\r\nConnection: close\r\n"
            + "Authorization: Bearer hqb_access_owner\r\n\(fields)\r\n"
    }

    private func send(_ text: String) -> WireAnswer? {
        try? WireAnswer(client.exchange(Array(text.utf8), isCut: true))
    }

    /// The server must still answer after each of these.
    private func expectAlive(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try fixture.ask("GET", "/mailboxes").status == 200, sourceLocation: sourceLocation)
    }

    @Test func `a chunked body is read like any other`() throws {
        let body = "5\r\n{\"sub\r\nd;name=value\r\nject\":\"four\"}\r\n0\r\nX-Trailer: t\r\n\r\n"
        let answer = send(head("POST /api/v1/drafts", "Transfer-Encoding: chunked\r\n") + body)
        #expect(answer?.status == 201)
        #expect(json(answer?.body ?? "", "subject") == "four")
    }

    @Test(arguments: [
        "zz\r\nabc\r\n0\r\n\r\n", "-5\r\nabcde\r\n0\r\n\r\n", "5\r\nabcdefgh\r\n0\r\n\r\n",
        "fffffffffffffffff\r\na\r\n0\r\n\r\n",
    ])
    func `a broken chunk ends the request without an effect`(_ body: String) throws {
        let answer = send(head("POST /api/v1/drafts", "Transfer-Encoding: chunked\r\n") + body)
        #expect(answer.map { $0.status >= 400 } ?? true)
        #expect(try fixture.ask("GET", "/drafts").body == "[]")
        try expectAlive()
    }

    @Test(arguments: ["-1", "x", "99999999999999999999999", "1, 2"])
    func `a length that is no number is refused`(_ length: String) throws {
        let answer = send(head("POST /api/v1/drafts", "Content-Length: \(length)\r\n") + "{}")
        #expect(answer.map { $0.status == 400 || $0.status == 413 } ?? true)
        try expectAlive()
    }

    @Test func `headers beyond the limit are refused`() throws {
        for fields in [
            "X-Long: \(String(repeating: "h", count: 200_000))\r\n",
            (0..<20_000).map { "X-\($0): v\r\n" }.joined(),
        ] {
            let answer = send(head("GET /api/v1/mailboxes", fields))
            #expect(answer.map { $0.status == 431 || $0.status == 413 } ?? true)
        }
        let target = send(head("GET /api/v1/messages?search=" + String(repeating: "a", count: 200_000)))
        #expect(target.map { $0.status == 414 || $0.status == 431 } ?? true)
        try expectAlive()
    }

    @Test(arguments: [
        "", "\r\n\r\n", "GET /api", "GET /api/v1/mailboxes HTTP/1.1\r\nHost: x\r\nX-", "GET\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "{\"a\":1}\r\n\r\n",
    ])
    func `what is no request, or half of one, gets no success and no wait`(_ text: String) throws {
        #expect(send(text).map { $0.status >= 400 } ?? true)
        try expectAlive()
    }

    /// Fails when an escaped NUL or slash changes which route or id a path names.
    @Test(arguments: [
        ("/api/v1/mailboxes%00", "NOT_FOUND"), ("/api/v1/mailboxes%00/x", "NOT_FOUND"),
        ("/api/v1/messages%2Fmsg_none", "NOT_FOUND"), ("/api/v1/messages/a%27b%25%2Fc", "MESSAGE_NOT_FOUND"),
        ("/api/v1/messages/%FF%zz%", "MESSAGE_NOT_FOUND"), ("/api/v1//messages", "NOT_FOUND"), ("*", "NOT_FOUND"),
        ("/api/v1/messages/..", "MESSAGE_NOT_FOUND"), ("/api/v1/messages/msg_none%00", "MESSAGE_NOT_FOUND"),
    ])
    func `a path is taken byte by byte`(_ target: String, _ code: String) throws {
        let answer = send(head("GET " + target))
        #expect(answer?.status == 404)
        #expect(json(answer?.body ?? "", "error.code") == code)
    }

    @Test func `a query is decoded as forms are`() throws {
        let id = try fixture.deliver(subject: "a b&c=d +é")
        for target in ["a+b%26c%3Dd+%2B%C3%A9", "a%20b%26c%3dd%20%2b%c3%a9"] {
            #expect(json(try fixture.ask("GET", "/messages?&&search=" + target).body, "0.id") == id)
        }
        #expect(try fixture.ask("GET", "/messages?search=a%00b").body == "[]")
        #expect(try fixture.ask("GET", "/messages?limit").status == 400)
    }

    @Test func `a body longer than any route takes is refused and not kept`() throws {
        let draft = try fixture.draft()
        let size = 70 << 20
        let request = head(
            "POST /api/v1/drafts/\(draft)/attachments",
            "Content-Type: multipart/form-data; boundary=XbX\r\nContent-Length: \(size)\r\n")
        let bytes = Array(request.utf8) + [UInt8](repeating: 0x78, count: size)
        let answer = try WireAnswer(client.exchange(bytes))
        #expect(answer.status == 413)
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(json(answer.body, "error.code") == "ATTACHMENTS_TOO_LARGE")
    }

    @Test func `a long JSON body is refused before it is read`() throws {
        let body = "{\"x\":[" + String(repeating: "[],", count: 3_000_000) + "1]}"
        #expect(json(try fixture.ask("POST", "/drafts", body).body, "error.code") == "VALIDATION_ERROR")
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(json(try fixture.ask("POST", "/drafts", "{\"x\":\(deep)}").body, "error.code") == "INVALID_JSON")
    }

    /// Fails when a client that sends slowly keeps others waiting, or half a body has an effect.
    @Test func `slow bodies hold up nobody and count only when complete`() throws {
        let open = head("POST /api/v1/drafts", "Content-Length: 15\r\n") + "{\"subject\""
        let sockets = try (0..<20).map { _ in try Loopback.connect(fixture.server.port) }
        for socket in sockets { #expect(Loopback.write(open, to: socket)) }
        try expectAlive()
        #expect(try fixture.ask("GET", "/drafts").body == "[]")
        #expect(Loopback.write(":\"s\"}", to: sockets[0]))
        #expect(Loopback.read(sockets[0])?.starts(with: Array("HTTP/1.1 201".utf8)) == true)
        for socket in sockets { close(socket) }
        #expect(json(try fixture.ask("GET", "/drafts").body, "0.subject") == "s")
        #expect(json(try fixture.ask("GET", "/drafts").body, "1") == nil)
    }

    @Test func `two requests on one connection are both answered`() throws {
        let first = "GET /api/health HTTP/1.1\r\nHost: h\r\n\r\n"
        let answers = try client.exchange(Array((first + head("GET /api/v1/mailboxes")).utf8))
        #expect(answers.ranges(of: Array("HTTP/1.1 200".utf8)).count == 2)
    }
}
