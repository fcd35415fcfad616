internal import LocalServer
internal import MailTestSupport
internal import Testing

/// A thread of two messages in support, one in billing, and a sent answer.
struct ConversationActionTests {
    private struct Thread {
        let fixture: ServerFixture
        let ids: [String]
        let sent: String

        init() throws {
            fixture = try ServerFixture()
            var ids = [try fixture.deliver(subject: "root")]
            for (name, address) in [("two", "support@example.test"), ("three", "billing@example.test")] {
                let header = "In-Reply-To: <root@client.example>\r\n"
                ids.append(try fixture.deliver(to: address, subject: name, header: header))
            }
            self.ids = ids
            let reply = try fixture.ask(
                "POST", "/reply", "{\"messageId\":\"\(ids[0])\",\"from\":\"support@example.test\",\"text\":\"Answer\"}")
            sent = try #require(json(reply.body, "id"))
        }

        func act(_ action: String, _ folder: String, as bearer: String = "owner") throws -> String? {
            let answer = try fixture.ask(
                "POST", "/conversations/\(ids[0])/\(action)", "{\"folder\":\"\(folder)\"}", as: bearer)
            return json(answer.body, "affected") ?? json(answer.body, "error.code")
        }

        func folder(_ id: String) throws -> String? { json(try fixture.ask("GET", "/messages/\(id)").body, "folder") }
    }

    @Test(arguments: [
        ("read", "inbox", "3"), ("unread", "sent", "3"), ("star", "inbox", "4"), ("unstar", "trash", "4"),
        ("archive", "sent", "3"), ("unarchive", "archived", "0"), ("restore", "trash", "0"),
        ("trash", "inbox", "3"), ("trash", "sent", "1"), ("trash", "starred", "0"), ("trash", "archived", "0"),
    ])
    func `an action counts the rows it writes`(_ action: String, _ folder: String, _ count: String) throws {
        #expect(try Thread().act(action, folder) == count)
    }

    @Test func `archiving leaves the sent copy and comes back only from its list`() throws {
        let thread = try Thread()
        #expect(try thread.act("archive", "inbox") == "3")
        #expect(try thread.act("archive", "inbox") == "0")
        #expect(try thread.folder(thread.sent) == "sent")
        #expect(try thread.act("unarchive", "inbox") == "0")
        #expect(try thread.act("unarchive", "archived") == "3")
        #expect(try thread.folder(thread.ids[0]) == "inbox")
    }

    @Test func `the trash takes what the list shows and gives it back`() throws {
        let thread = try Thread()
        _ = try thread.fixture.ask("POST", "/messages/\(thread.ids[1])/star")
        #expect(try thread.act("trash", "starred") == "1")
        #expect(try thread.act("trash", "sent") == "1")
        #expect(try thread.act("trash", "trash") == "2")
        #expect(try thread.act("restore", "inbox") == "0")
        #expect(try thread.act("restore", "trash") == "2")
        #expect(try thread.folder(thread.sent) == "sent")
        #expect(try thread.folder(thread.ids[1]) == "inbox")
    }

    /// Fails when an action reaches a mailbox in which the caller has too low a level.
    @Test func `an action touches only what the caller may change`() throws {
        let thread = try Thread()
        #expect(try thread.act("read", "inbox", as: "member") == "2")
        #expect(try thread.act("star", "inbox", as: "member") == "3")
        #expect(try thread.act("read", "inbox", as: "viewer") == "MAILBOX_FORBIDDEN")
        try thread.fixture.control("/access?user=viewer&mailbox=support@example.test&level=agent")
        try thread.fixture.control("/access?user=viewer&mailbox=billing@example.test&level=read")
        #expect(try thread.act("read", "inbox", as: "viewer") == "3")
        #expect(try thread.act("star", "inbox", as: "viewer") == "3")
    }

    @Test func `all rows of one action carry one instant`() throws {
        let thread = try Thread()
        _ = try thread.act("star", "inbox")
        let stamps = try (thread.ids + [thread.sent]).map {
            json(try thread.fixture.ask("GET", "/messages/\($0)").body, "starredAt")
        }
        #expect(Set(stamps).count == 1)
    }

    @Test(arguments: ["", "{", "{}", "{\"folder\":\"drafts\"}", "{\"folder\":5}", "{\"folder\":null}"])
    func `a body without a known folder is refused after the access`(_ body: String) throws {
        let thread = try Thread()
        let answer = try thread.fixture.ask("POST", "/conversations/\(thread.ids[0])/read", body)
        #expect(answer.status == 400)
        #expect(
            json(answer.body, "error.message")
                == "Invalid option: expected one of \"inbox\"|\"sent\"|\"starred\"|\"archived\"|\"trash\"|\"catchall\"")
        #expect(try thread.fixture.ask("POST", "/conversations/msg_none/read", body).status == 404)
        #expect(
            try thread.fixture.ask("POST", "/conversations/\(thread.ids[0])/read", body, as: "viewer").status == 403)
    }

    @Test func `the id is a message's, not a thread's`() throws {
        let thread = try Thread()
        let id = try #require(json(thread.fixture.ask("GET", "/messages/\(thread.ids[0])").body, "threadId"))
        let answer = try thread.fixture.ask("POST", "/conversations/\(id)/read", "{\"folder\":\"inbox\"}")
        #expect(json(answer.body, "error.code") == "MESSAGE_NOT_FOUND")
    }
}
