import Glibc
import LocalServer
import MailModel
import MailStorage
import MailTestSupport
import Platform
import Testing

@Suite(.serialized, .ownThread)
struct ApplyTests {
    private func synced() throws -> Setting {
        let setting = try Setting()
        #expect(try setting.herald.run("--sync-once").code == 0)
        return setting
    }

    private func subjects(_ setting: Setting, _ words: String...) throws -> [Substring] {
        try setting.herald.run(["search"] + words + ["--json"]).text.split(separator: "\"subject\":\"").dropFirst()
            .map { $0.prefix { $0 != "\"" } }
    }

    /// Fails when the action reaches other messages than the filter means, or not the server.
    @Test func `an action is done to exactly what the filter means`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let dry = try setting.herald.run("apply", "--where", "light", "archive", "--dry-run")
        #expect(dry.code == 0 && dry.text.split(separator: "\n").count == 2)
        #expect(try subjects(setting, "in:archive") == [])

        // A line begins with the id, two blanks, and goes on as “list” prints a message.
        let ids = try setting.herald.run("search", "--ids", "light").text.split(separator: "\n")
        #expect(dry.text.split(separator: "\n").map { $0.prefix { $0 != " " } } == ids)
        #expect(dry.text.contains("Ann Berg") || dry.text.contains("ann@client.example"))
        #expect(dry.text.contains("  Re: First light\n"))

        let ended = try setting.herald.run("apply", "--where", "light", "--where", "is:unread", "archive")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.text == dry.text)
        #expect(ended.errors.contains("as of the pass of"))
        #expect(try subjects(setting, "in:archive").sorted() == ["First light", "Re: First light"])
        // The server has it, too.
        #expect(try setting.herald.run("--rebuild-cache", "--sync-once").code == 0)
        #expect(try subjects(setting, "in:archive").count == 2)
        // What is so already is left out; the archive is out of reach unless it is named.
        #expect(try setting.herald.run("apply", "--where", "light", "star").text == "")
        let starred = try setting.herald.run("apply", "--where", "light in:archive", "star", "--json")
        #expect(starred.text.contains(#""matched":2"#) && starred.text.contains(#""queued":2"#), "\(starred.text)")
    }

    /// Fails when a mistake acts on more than was meant.
    @Test func `mistakes act on nothing`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        expectFailure(try setting.herald.run("apply", "archive"), 64)
        expectFailure(try setting.herald.run("apply", "--where", "", "archive"), 65, "empty")
        expectFailure(try setting.herald.run("apply", "--where", "form:ann", "archive"), 65, "Column 1")
        expectFailure(try setting.herald.run("apply", "--where", "from:ann"), 64)
        expectFailure(try setting.herald.run("apply", "--where", "from:ann", "delete"), 64)
        expectFailure(try setting.herald.run("apply", "--where", "from:ann", "archive", "--max", "3"), 65, "--max")
        #expect(try subjects(setting, "in:archive") == [])
    }

    /// Fails when the server's present state does not keep a message from being acted on.
    @Test func `what no longer fits on the server is left out`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        var other = try Herald(origin: setting.server.origin)
        other.token = setting.herald.token
        #expect(try other.run("--sync-once").code == 0)
        #expect(try other.run("apply", "--where", "subject:invoice", "read").code == 0)

        let ended = try setting.herald.run("apply", "--where", "is:unread", "--if", "is:unread", "archive")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.text.split(separator: "\n").count == 3)
        #expect(ended.errors.contains("1 no longer fit --if"))
        #expect(try subjects(setting, "in:archive").contains("An invoice") == false)
        #expect(try setting.herald.run("outbox", "journal").text.contains("no longer as it should be"))
    }

    /// Fails when a condition is asked for only while the command runs, and not when the operation is sent.
    @Test func `a condition is kept with what is queued`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let queued = try setting.herald.run(
            "apply", "--where", "is:unread", "--if", "is:unread", "archive", "--offline")
        #expect(queued.code == 79 && queued.text.split(separator: "\n").count == 4, "\(queued.errors)")
        #expect(try setting.herald.run("outbox", "--json").text.contains(#""precondition":"is:unread""#))
        var other = try Herald(origin: setting.server.origin)
        other.token = setting.herald.token
        #expect(try other.run("--sync-once").code == 0)
        #expect(try other.run("apply", "--where", "subject:invoice", "read").code == 0)

        #expect(try setting.herald.run("--sync-once").code == 0)

        #expect(try subjects(setting, "in:archive").count == 3)
        #expect(try subjects(setting, "in:inbox") == ["An invoice"])
        #expect(try setting.herald.run("outbox", "journal", "--json").text.contains(#""reason":"PRECONDITION""#))
    }

    /// Fails when what the server would refuse is queued all the same, or left out in silence.
    @Test func `mail that may only be read is left out and told`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        setting.herald.token = "hqb_access_member"
        try setting.control("/access?user=member&mailbox=info@example.test&level=read")
        #expect(try setting.herald.run("--sync-once").code == 0)
        for words in [["--dry-run"], []] {
            let ended = try setting.herald.run(["apply", "--where", "light", "archive"] + words)
            #expect(ended.code == (words.isEmpty ? 77 : 0) && ended.text.isEmpty, "\(ended.errors)")
            #expect(ended.errors.contains("2 may only be read"))
        }
        #expect(try setting.herald.run("outbox").text.isEmpty)
        #expect(try setting.herald.run("apply", "--where", "light", "read").code == 0)
        #expect(try DoneWrite.all(setting.server.controlPort).map(\.path).allSatisfy { $0.hasSuffix("/read") })
    }

    /// Fails when C-c loses what was queued, leaves it as being sent, or says nothing of it.
    @Test(arguments: [(["apply", "--where", "is:unread", "archive"]), ["outbox", "retry"]])
    func `a signal ends it, and what remains is told`(_ words: [String]) async throws {
        let setting = try synced()
        defer { setting.server.stop() }
        if words[0] == "outbox" {
            #expect(try setting.herald.run("apply", "--where", "is:unread", "archive", "--offline").code == 79)
        }
        try setting.control("/fault?kind=swallow&ms=600000&method=POST&path=/api/v1/messages/*&times=9")
        let running = try setting.herald.start(words)
        #expect(
            try comesTrue {
                try !running.isRunning
                    || !ask(setting.server.controlPort, "/struck", method: "POST").starts(
                        with: Array(#"{"ok":true,"count":0"#.utf8))
            })
        running.signal(SIGINT)
        let ended = try #require(running.wait())
        #expect(ended.code == 128 + SIGINT)
        #expect(ended.errors.contains("Interrupted. Operations remain: 4 queued."), "\(ended.errors)")
        let waiting = try await setting.herald.outbox().operations()
        #expect(waiting.count == 4 && waiting.allSatisfy { $0.status != .inFlight })
        try setting.control("/fault")
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try DoneWrite.all(setting.server.controlPort).count == 4)
    }

    /// Fails when an action that could only be queued looks as if it were done.
    @Test func `offline it is queued and ends with 79`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let ended = try setting.herald.run("apply", "--where", "invoice", "archive", "--offline")
        #expect(ended.code == 79, "\(ended.errors)")
        #expect(try subjects(setting, "in:archive") == ["An invoice"])
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try subjects(setting, "in:archive") == ["An invoice"])
    }
}
