import LocalServer
import MailTestSupport
import Platform
import Testing

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
