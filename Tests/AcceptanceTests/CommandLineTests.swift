internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

struct CommandLineTests {
    @Test(arguments: [
        ["--nonsense"], ["list"], ["list", "nonsense"], ["list", "messages", "--folder", "nonsense"],
        ["list", "messages", "--limit", "none"], ["show"], ["--quiet"], ["--sync-once", "--offline"],
        ["status", "--nonsense"], ["serve", "--port", "none"],
    ])
    func `a line that is not understood ends with 64`(_ arguments: [String]) throws {
        let ended = try Herald(origin: nil).run(arguments)
        #expect(ended.code == 64)
        #expect(ended.errors.hasPrefix("herald"))
        #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func `help and version are printed without an account`() throws {
        let herald = try Herald(origin: nil)
        let help = try herald.run("--help")
        #expect(help.code == 0)
        #expect(help.text.hasPrefix("Usage: herald"))
        #expect(help.errors.isEmpty)
        let version = try herald.run("--version")
        #expect(version.code == 0)
        #expect(version.text.wholeMatch(of: /herald \d+\.\d+\.\d+\n/) != nil)
        #expect(version.errors.isEmpty)
    }

    @Test func `without an account every command ends with 77`() throws {
        let herald = try Herald(origin: nil)
        expectFailure(try herald.run("--sync-once"), 77)
        expectFailure(try herald.run("list", "mailboxes"), 77)
        expectFailure(try herald.run("status"), 77)
    }

    @Test func `a wrong token ends with 77`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        var herald = setting.herald
        herald.token = "hqb_access_wrong"
        expectFailure(try herald.run("--sync-once"), 77)
        expectFailure(try herald.run("--sync-once", "--quiet"), 77)
    }

    /// Fails when a program that cannot be started looks like a wrong command line, or like success.
    @Test func `a local server that is no program ends with 70`() throws {
        var herald = try Herald(origin: nil)
        try herald.home.write("no-program", "These are words.")
        let path = herald.home.path + "/no-program"
        #expect(chmod(path, 0o700) == 0)
        herald.variables["HERALD_SERVER"] = path
        expectFailure(try herald.run("serve", "--port", "0"), 70, "could not be started")
    }

    @Test func `a server that is not there ends with 69`() throws {
        expectFailure(try Herald(origin: "http://127.0.0.1:\(Loopback.deadPort())").run("--sync-once"), 69)
    }

    @Test(arguments: ["text/html", "application/json"])
    func `a page instead of an answer ends with 76`(_ type: String) throws {
        let server = try ScriptedServer(type: type, body: "<!DOCTYPE html><html><body>Welcome</body></html>")
        defer { withExtendedLifetime(server) {} }
        expectFailure(try Herald(origin: "http://127.0.0.1:\(server.port)").run("--sync-once"), 76)
    }

    @Test func `an unknown message ends with 65, before and after a sync`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        expectFailure(try setting.herald.run("show", "msg_none"), 65)
        #expect(try setting.herald.run("--sync-once").code == 0)
        expectFailure(try setting.herald.run("show", "msg_none"), 65)
        expectFailure(try setting.herald.run("list", "messages", "--mailbox", "nobody@example.test"), 65)
    }

    @Test func `an origin without encryption is refused off this machine`() throws {
        expectFailure(try Herald(origin: "http://192.0.2.1").run("--sync-once"), 78)
        expectFailure(try Herald(origin: "nonsense").run("--sync-once"), 78)
    }

    @Test func `a quiet sync says nothing`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        for _ in 0..<2 {
            let ended = try setting.herald.run("--sync-once", "--quiet")
            #expect(ended.code == 0)
            #expect(ended.output.isEmpty, "\(ended.text)")
            #expect(ended.errors.isEmpty, "\(ended.errors)")
        }
    }

    @Test func `a message is shown as text`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let rows = try Row.rows(try setting.herald.run("list", "conversations", "--json").output, in: "items").rows
        let newest = try #require(rows.first)
        let shown = try setting.herald.run("show", newest.id)
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.text.contains(Setting.subject))
        #expect(shown.text.contains(Setting.body))
    }

    /// Fails when mail could be read by other users of the machine, whatever their umask is.
    @Test func `every file and directory of an account is private`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let ended = try setting.herald.run("--sync-once", "--quiet")

        #expect(ended.code == 0, "\(ended.errors)")
        let home = setting.herald.home.path + "/h"
        let cache = home + "/cache"
        for directory in [cache, home + "/state"] {
            #expect(try mode(directory) & 0o077 == 0)
            let account = directory + "/" + (try #require(Files.names(in: directory).first))
            let names = Files.names(in: account)
            #expect(!names.isEmpty)
            for name in names { #expect(try mode(account + "/" + name) & 0o077 == 0, "\(name)") }
        }
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode
    }

    /// Fails when cron would send a mail every few minutes while the server is down.
    @Test func `a quiet pass tells a failure once`() throws {
        let herald = try Herald(origin: "http://127.0.0.1:1")
        let first = try herald.run("--sync-once", "--quiet")
        let second = try herald.run("--sync-once", "--quiet")

        expectFailure(first, 69)
        #expect(second.code == 69)
        #expect(second.errors.isEmpty)
    }

    @Test func `an account that is not set up is refused by its name`() throws {
        let herald = try Herald(origin: "http://127.0.0.1:1")

        expectFailure(try herald.run("--sync-once", "--account", "elsewhere"), 65)
        expectFailure(try herald.run("--sync-once", "--account", "127.0.0.1-1"), 69)
    }

    @Test func `a rebuild of another account is refused`() throws {
        expectFailure(
            try Herald(origin: "http://127.0.0.1:1").run("--rebuild-cache", "--account", "elsewhere"), 65)
    }

    /// Fails when a word of the command line or a variable acts on the terminal it is shown in.
    @Test(arguments: ["a\u{1B}]0;x\u{07}b", "a\u{202E}b", "a\u{9B}31mb", "a\nb"])
    func `what a sentence repeats does not act on the terminal`(_ word: String) throws {
        var herald = try Herald(origin: "http://127.0.0.1:1")
        var ended = [
            try herald.run(word), try herald.run("list", "messages", "--folder", word),
            try herald.run("--sync-once", "--account", word), try herald.run("--help", word),
        ]
        herald.variables["HERALD_ORIGIN"] = "https://" + word
        ended.append(try herald.run("--sync-once"))
        for one in ended {
            #expect([64, 65, 78].contains(one.code))
            #expect(one.errors.hasSuffix("\n"))
            let scalars = one.errors.dropLast().unicodeScalars
            #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{202E}" })
        }
    }
}
