internal import JSON
internal import LocalServer
internal import MailTestSupport
internal import MailWire
internal import Testing

struct RouteTests {
    /// A server with the demo users, stopped by the caller.
    private func started() throws -> RunningServer {
        var options = ServerOptions()
        options.hasDemoUsers = true
        return try MailServer.start(options)
    }

    private func deliver(_ server: RunningServer, to address: String, subject: String) throws {
        let mail = """
            From: Ann <ann@client.example>\r\nTo: \(address)\r\nSubject: \(subject)\r\n\
            Date: Mon, 02 Nov 2026 10:00:00 +0000\r\nMessage-ID: <\(subject)@client.example>\r\n\r\nHello\r\n
            """
        let answer = try #require(
            exchange(server.controlPort, "/deliver?to=\(address)", method: "POST", body: mail))
        #expect(answer.status == 200)
    }

    private func summaries(_ body: String) throws -> [MessageSummaryWire] {
        var reader = JSONReader(Array(body.utf8))
        var found: [MessageSummaryWire] = []
        try reader.array { reader throws(JSONError) in found.append(try MessageSummaryWire(from: &reader)) }
        return found
    }

    private func changes(_ server: RunningServer, _ bearer: String, _ cursor: String?) throws -> ChangePageWire {
        let target = "/api/v1/changes" + (cursor.map { "?limit=100&cursor=" + $0 } ?? "")
        let answer = try #require(exchange(server.port, target, bearer: bearer))
        var reader = JSONReader(Array(answer.body.utf8))
        return try ChangePageWire(from: &reader)
    }

    @Test func `a request without a bearer is challenged`() throws {
        let server = try started()
        defer { server.stop() }
        let answer = try #require(exchange(server.port, "/api/v1/drafts"))
        #expect(answer.status == 401)
        let metadata = server.origin + "/.well-known/oauth-protected-resource/api/v1"
        #expect(answer.headers["www-authenticate"] == "Bearer resource_metadata=\"\(metadata)\", scope=\"mail:send\"")
        #expect(answer.headers["cache-control"] == "no-store")
    }

    @Test(arguments: [
        ("owner", "/api/v1/mailboxes", 200), ("owner_send", "/api/v1/mailboxes", 403),
        ("owner_read", "/api/v1/drafts", 403), ("nope", "/api/v1/mailboxes", 401),
        ("owner", "/api/v1/mailboxes/", 404), ("owner", "/api/v1/nothing", 404),
        ("owner", "/api/v1/messages/msg_none", 404), ("owner", "/api/v1/messages?limit=0", 400),
        ("owner", "/api/v1/changes?folder=", 400), ("owner", "/api/v1/messages?cursor=YWJj", 400),
        ("nogrant", "/api/v1/messages?cursor=YWJj", 200),
    ])
    func `a route answers with the contract's status`(_ bearer: String, _ target: String, _ status: Int) throws {
        let server = try started()
        defer { server.stop() }
        #expect(try #require(exchange(server.port, target, bearer: bearer)).status == status)
    }

    @Test(arguments: [("owner", 6), ("admin", 6), ("member", 1), ("viewer", 1), ("nogrant", 0)])
    func `each user sees the granted mailboxes`(_ bearer: String, _ count: Int) throws {
        let server = try started()
        defer { server.stop() }
        let answer = try #require(exchange(server.port, "/api/v1/mailboxes", bearer: bearer))
        var reader = JSONReader(Array(answer.body.utf8))
        var mailboxes: [MailboxWire] = []
        try reader.array { reader throws(JSONError) in mailboxes.append(try MailboxWire(from: &reader)) }
        #expect(mailboxes.count == count)
    }

    @Test func `pages with equal timestamps show each message once`() throws {
        let server = try started()
        defer { server.stop() }
        for number in 0..<7 { try deliver(server, to: "support@example.test", subject: "s\(number)") }
        var target: String? = "/api/v1/messages?folder=inbox&limit=3"
        var ids: [String] = []
        while let next = target {
            let answer = try #require(exchange(server.port, next, bearer: "member"))
            ids += try summaries(answer.body).map(\.id)
            target = answer.headers["link"].map { String($0.drop { $0 != "?" }.prefix { $0 != ">" }) }
            target = target.map { "/api/v1/messages" + $0 }
        }
        #expect(ids.count == 7)
        #expect(ids == Array(Set(ids)).sorted(by: >))
    }

    @Test func `a change reaches only those who may read it`() throws {
        let server = try started()
        defer { server.stop() }
        let start = try changes(server, "owner", nil).nextCursor
        try deliver(server, to: "billing@example.test", subject: "hidden")
        try deliver(server, to: "support@example.test", subject: "shown")
        let owner = try changes(server, "owner", start)
        #expect(owner.changes.count == 2)
        #expect(!owner.hasMore)
        #expect(try changes(server, "member", start).changes.count == 1)
        #expect(try changes(server, "nogrant", start).changes.isEmpty)
        guard case .upsert(let message)? = owner.changes.first else {
            Issue.record("no upsert")
            return
        }
        _ = exchange(server.controlPort, "/delete?id=\(message.id)", method: "POST")
        let after = try changes(server, "owner", owner.nextCursor).changes
        #expect(after == [.delete(messageId: message.id, mailboxId: "mbx_local_billing")])
        #expect(try changes(server, "owner", start).changes.count == 2)
    }

    @Test func `a message in a hidden mailbox is forbidden, not absent`() throws {
        let server = try started()
        defer { server.stop() }
        try deliver(server, to: "billing@example.test", subject: "hidden")
        let list = try #require(exchange(server.port, "/api/v1/messages", bearer: "owner"))
        let id = try #require(try summaries(list.body).first?.id)
        #expect(try #require(exchange(server.port, "/api/v1/messages/\(id)", bearer: "member")).status == 403)
        #expect(try #require(exchange(server.port, "/api/v1/messages/\(id)", bearer: "owner")).status == 200)
    }
}
