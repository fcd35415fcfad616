internal import Glibc
internal import LocalServer
internal import Testing

/// Requests that break the rules of HTTP, or strain them.
struct HostileRequestTests {
    private let fixture: ServerFixture

    init() throws { fixture = try ServerFixture() }

    private func head(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(fixture.server.port)\r\nConnection: close\r\n"
            + "Authorization: Bearer hqb_access_owner\r\n\(fields)\r\n"
    }

    private func send(_ text: String) -> WireAnswer? {
        exchange(fixture.server.port, bytes: Array(text.utf8), isCut: true).flatMap(parsed)
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
        let answer = exchange(fixture.server.port, bytes: bytes).flatMap(parsed)
        #expect(answer?.status == 413)
        #expect(answer?.headers["cache-control"] == "no-store")
        #expect(json(answer?.body ?? "", "error.code") == "ATTACHMENTS_TOO_LARGE")
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
        let sockets = (0..<20).compactMap { _ in connected(fixture.server.port) }
        #expect(sockets.count == 20)
        for socket in sockets { #expect(put(socket, open)) }
        try expectAlive()
        #expect(try fixture.ask("GET", "/drafts").body == "[]")
        #expect(put(sockets[0], ":\"s\"}"))
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(sockets[0], &buffer, buffer.count, 0)
        #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).hasPrefix("HTTP/1.1 201"))
        for socket in sockets { close(socket) }
        #expect(json(try fixture.ask("GET", "/drafts").body, "0.subject") == "s")
        #expect(json(try fixture.ask("GET", "/drafts").body, "1") == nil)
    }

    @Test func `two requests on one connection are both answered`() throws {
        let first = "GET /api/health HTTP/1.1\r\nHost: h\r\n\r\n"
        let answers = exchange(fixture.server.port, bytes: Array((first + head("GET /api/v1/mailboxes")).utf8)) ?? ""
        #expect(answers.components(of: "HTTP/1.1 200") == 2)
    }

    private func connected(_ port: Int) -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return socket }
        close(socket)
        return nil
    }

    private func put(_ socket: Int32, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int {
        var rest = self[...]
        var count = 0
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
