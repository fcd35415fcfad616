internal import LocalServer
internal import MailTestSupport
internal import Testing

struct MessageActionTests {
    private static let actions = ["read", "unread", "star", "unstar", "archive", "unarchive", "trash", "restore"]

    @Test(arguments: [
        (["read"], "readAt", true), (["read", "unread"], "readAt", false), (["star"], "starredAt", true),
        (["star", "unstar"], "starredAt", false),
    ])
    func `a mark is an instant or null`(_ actions: [String], _ member: String, _ isSet: Bool) throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver()
        var body = ""
        for action in actions { body = try fixture.ask("POST", "/messages/\(id)/\(action)").body }
        #expect((json(body, member) == "null") == !isSet)
    }

    @Test(arguments: [
        ("archive", "archived"), ("trash", "trash"), ("archive unarchive", "inbox"), ("trash restore", "inbox"),
        ("archive trash restore", "inbox"), ("archive restore", "archived"), ("trash unarchive", "trash"),
        ("unarchive", "inbox"), ("trash archive", "archived"), ("trash archive restore", "archived"),
    ])
    func `a message moves as the contract says`(_ actions: String, _ folder: String) throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver()
        var body = ""
        for action in actions.split(separator: " ") { body = try fixture.ask("POST", "/messages/\(id)/\(action)").body }
        #expect(json(body, "folder") == folder)
    }

    /// Fails when mail without a mailbox, or sent mail, comes back to the inbox.
    @Test func `a message goes back to the folder it belongs to`() throws {
        let fixture = try ServerFixture()
        let unassigned = try fixture.deliver(to: "nobody@elsewhere.example")
        let sent = try #require(
            json(
                fixture.ask(
                    "POST", "/send",
                    "{\"from\":\"support@example.test\",\"to\":[\"x@y.test\"],\"subject\":\"S\",\"text\":\"t\"}"
                ).body, "id"))
        for (id, home) in [(unassigned, "catchall"), (sent, "sent")] {
            for (away, back) in [("archive", "unarchive"), ("trash", "restore")] {
                _ = try fixture.ask("POST", "/messages/\(id)/\(away)")
                #expect(json(try fixture.ask("POST", "/messages/\(id)/\(back)").body, "folder") == home)
            }
        }
    }

    @Test func `a repeated action stamps anew and is journaled, one without effect is not`() throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver()
        try fixture.control("/clock?at=2026-11-05T10:00:00.000Z&stopped=1")
        let first = json(try fixture.ask("POST", "/messages/\(id)/read").body, "readAt")
        try fixture.control("/clock?advance=1000")
        let start = try fixture.checkpoint("changes")
        let second = json(try fixture.ask("POST", "/messages/\(id)/read").body, "readAt")
        #expect(first == "2026-11-05T10:00:00.000Z")
        #expect(second == "2026-11-05T10:00:01.000Z")
        for action in ["unarchive", "restore"] {
            #expect(try fixture.ask("POST", "/messages/\(id)/\(action)").status == 200)
        }
        #expect(try fixture.changes("changes", since: start) == ["upsert " + id])
    }

    @Test(arguments: actions)
    func `an action needs the level the contract names`(_ action: String) throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver(to: "info@example.test")
        let reads = action == "read" || action == "unread"
        #expect(try fixture.ask("POST", "/messages/\(id)/\(action)", as: "viewer").status == (reads ? 200 : 403))
        #expect(try fixture.ask("POST", "/messages/\(id)/\(action)", as: "member").status == 403)
        #expect(try fixture.ask("POST", "/messages/\(id)/\(action)", as: "owner_read").status == 403)
        #expect(try fixture.ask("POST", "/messages/msg_none/\(action)").status == 404)
    }

    /// Fails when existence, orphans or unassigned mail are judged in another order than the contract's.
    @Test func `access is judged in the contract's order`() throws {
        let fixture = try ServerFixture()
        let unassigned = try fixture.deliver(to: "nobody@elsewhere.example")
        let orphan = try fixture.deliver(to: "billing@example.test")
        try fixture.control("/delete-mailbox?address=billing@example.test")
        let asAdmin = try fixture.ask("POST", "/messages/\(unassigned)/read", as: "admin")
        #expect(asAdmin.status == 403)
        #expect(json(asAdmin.body, "error.code") == "MAILBOX_FORBIDDEN")
        #expect(asAdmin.headers["www-authenticate"] == nil)
        #expect(try fixture.ask("POST", "/messages/\(unassigned)/read").status == 200)
        #expect(json(try fixture.ask("POST", "/messages/\(orphan)/read").body, "error.code") == "MESSAGE_NOT_FOUND")
    }

    @Test(arguments: [
        ("POST", "/messages/ID/spam"), ("GET", "/messages/ID/read"), ("PUT", "/messages/ID/read"),
        ("POST", "/messages/ID/read/"), ("DELETE", "/messages/ID"), ("POST", "/messages"),
        ("OPTIONS", "/messages/ID/read"),
        ("PATCH", "/conversations/ID/read"), ("POST", "/mailboxes"), ("POST", "/drafts/changes"),
    ])
    func `a wrong method or path is absent`(_ method: String, _ target: String) throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver()
        let target = target.split(separator: "ID", omittingEmptySubsequences: false).joined(separator: id)
        let answer = try fixture.ask(method, target)
        #expect(answer.status == 404)
        #expect(json(answer.body, "error.code") == "NOT_FOUND")
        #expect(answer.headers["content-type"] == "application/json")
    }

    @Test func `a body of an action is not read`() throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver()
        #expect(try fixture.ask("POST", "/messages/\(id)/star", "{").status == 200)
    }

    @Test func `trusting a sender loads the pictures for this user alone`() throws {
        let fixture = try ServerFixture()
        let id = try fixture.deliver(
            header: "Content-Type: text/html\r\n", text: "<p><img src=\"https://t.example/a.png\"></p>")
        #expect(json(try fixture.ask("GET", "/messages/\(id)/html").body, "remoteMediaTrusted") == "false")
        #expect(try fixture.ask("POST", "/messages/\(id)/remote-media/trust", as: "viewer").status == 403)
        let start = try fixture.checkpoint("changes")
        for _ in 0..<2 {
            #expect(
                try fixture.ask("POST", "/messages/\(id)/remote-media/trust").body == "{\"remoteMediaTrusted\":true}")
        }
        let shown = try fixture.ask("GET", "/messages/\(id)/html?loadRemoteImages=0").body
        #expect(json(shown, "remoteMediaTrusted") == "true")
        #expect(json(shown, "html")?.contains("https://t.example/a.png") == true)
        #expect(
            json(try fixture.ask("GET", "/messages/\(id)/html", as: "member").body, "remoteMediaTrusted") == "false")
        #expect(try fixture.changes("changes", since: start).isEmpty)
    }
}
