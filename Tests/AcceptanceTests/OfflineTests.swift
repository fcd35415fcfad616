import LocalServer
import TerminalTestSupport
import Testing

/// What the terminal says while there is no way to the server.
struct OfflineTests {
    /// Fails when the age of the mail is not told, or the line is too long for an ordinary terminal.
    @Test func `without its server the terminal is offline and says how old the mail is`() throws {
        let setting = try Setting()
        #expect(try setting.herald.run("--sync-once").code == 0)
        setting.server.stop()

        let terminal = try setting.herald.open()

        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.waitFor("ago: The server cannot be reached. "), "\(terminal.screen)")
        #expect(terminal.screen.contains("offline, synced "), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
    }

    @Test func `a start without the network says how old the mail is`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)

        let terminal = try setting.herald.open(["--offline"])

        #expect(terminal.waitFor("offline, synced "), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
    }

    /// Fails when an option is left out of account without a word.
    @Test func `one mailbox is listed by its address`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)

        let listed = try setting.herald.run("list", "mailboxes", "--mailbox", "info@example.test", "--json")
        #expect(try Row.rows(listed.output, in: "items").rows.count == 1)
        #expect(listed.text.contains("info@example.test"))
        let all = try setting.herald.run("list", "mailboxes", "--json")
        #expect(try Row.rows(all.output, in: "items").rows.count > 1)
        #expect(try setting.herald.run("list", "mailboxes", "--mailbox", "nobody@example.test").code == 65)
        #expect(try setting.herald.run("list", "mailboxes", "--folder", "inbox").code == 64)
    }
}
