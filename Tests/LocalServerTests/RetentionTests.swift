internal import LocalServer
internal import MailTestSupport
internal import Testing

struct RetentionTests {
    @Test func `the purge removes what outstayed its mailbox's policy, with tombstones`() throws {
        let fixture = try ServerFixture()
        try fixture.control("/clock?at=2026-01-01T00:00:00.000Z&stopped=1")
        let kept = try fixture.deliver(subject: "kept")
        let trashed = try fixture.deliver(subject: "trashed")
        let elsewhere = try fixture.deliver(to: "sales@example.test", subject: "elsewhere")
        let unassigned = try fixture.deliver(to: "x@elsewhere.example", subject: "unassigned")
        for id in [trashed, elsewhere, unassigned] { _ = try fixture.ask("POST", "/messages/\(id)/trash") }
        let draft = try fixture.draft("{\"replyToMessageId\":\"\(trashed)\"}")
        try fixture.control("/retention?mailbox=support@example.test&trashDays=30")
        try fixture.control("/clock?at=2026-01-31T00:00:00.000Z")
        #expect(json(try fixture.control("/purge").body, "count") == "0")
        try fixture.control("/clock?advance=1")
        let messages = try fixture.checkpoint("changes")
        let drafts = try fixture.checkpoint("drafts/changes")
        #expect(json(try fixture.control("/purge").body, "ids.0") == trashed)
        #expect(try fixture.changes("changes", since: messages) == ["delete " + trashed])
        #expect(try fixture.changes("drafts/changes", since: drafts) == ["upsert " + draft])
        #expect(try fixture.ask("GET", "/messages/\(trashed)").status == 404)
        for id in [kept, elsewhere, unassigned] { #expect(try fixture.ask("GET", "/messages/\(id)").status == 200) }
    }

    @Test func `an age limit reaches every folder, and no policy keeps all`() throws {
        let fixture = try ServerFixture()
        try fixture.control("/clock?at=2026-01-01T00:00:00.000Z&stopped=1")
        let id = try fixture.deliver()
        try fixture.control("/clock?at=2027-01-01T00:00:00.000Z")
        #expect(json(try fixture.control("/purge").body, "count") == "0")
        try fixture.control("/retention?mailbox=support@example.test&ageDays=364")
        try fixture.control("/retention?mailbox=support@example.test&trashDays=none")
        #expect(json(try fixture.control("/purge").body, "count") == "0")
        try fixture.control("/retention?mailbox=support@example.test&ageDays=364")
        #expect(json(try fixture.control("/purge").body, "ids.0") == id)
    }

    @Test func `one run removes at most a hundred`() throws {
        let fixture = try ServerFixture()
        try fixture.control("/deliver?to=support@example.test&count=130")
        try fixture.control("/retention?mailbox=support@example.test&ageDays=1")
        try fixture.control("/clock?advance=172800000")
        #expect(json(try fixture.control("/purge").body, "count") == "100")
        #expect(json(try fixture.control("/purge").body, "count") == "30")
    }

    /// Fails when a server whose clock was set dates its answers by the machine's.
    @Test func `answers are dated by the clock`() throws {
        let fixture = try ServerFixture()
        func date() throws -> String? {
            try #require(exchange(fixture.server.port, "/api/v1/mailboxes", bearer: "owner")).headers["date"]
        }
        #expect(try date()?.hasSuffix("GMT") == true)
        try fixture.control("/clock?at=2000-02-29T23:59:59.999Z&stopped=1")
        #expect(try date() == "Tue, 29 Feb 2000 23:59:59 GMT")
        try fixture.control("/clock?reset=1")
        #expect(try date()?.contains("2000") == false)
    }

    @Test func `the clock can be set, moved, stopped and given back`() throws {
        let fixture = try ServerFixture()
        func now(_ query: String) throws -> String? { json(try fixture.control("/clock" + query).body, "now") }
        #expect(try now("?at=2000-02-29T23:59:59.999Z&stopped=1") == "2000-02-29T23:59:59.999Z")
        #expect(try now("?advance=1") == "2000-03-01T00:00:00.000Z")
        #expect(try now("") == "2000-03-01T00:00:00.000Z")
        #expect(try now("?advance=-1") == "2000-02-29T23:59:59.999Z")
        #expect(try now("?stopped=0")?.hasPrefix("2000-0") == true)
        #expect(try now("?reset=1")?.hasPrefix("2000") == false)
        #expect(try #require(exchange(fixture.server.controlPort, "/clock?at=now", method: "POST")).status == 400)
    }
}
