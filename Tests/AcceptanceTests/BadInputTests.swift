internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// What can be wrong around the program, each with its exit code and one sentence.
struct BadInputTests {
    private func expectEnding(fromAnswer body: String, _ code: Int32, _ words: String) throws {
        let server = try ScriptedServer(type: "application/json", body: body)
        defer { withExtendedLifetime(server) {} }
        let herald = try Herald(origin: "http://127.0.0.1:\(server.port)")
        expectFailure(try herald.run("--sync-once"), code, words)
    }

    @Test(.enabled(if: Surroundings.areAllowed))
    func `without a network a pass ends with 69`() throws {
        let herald = try Herald(origin: "http://127.0.0.1:9")

        expectFailure(
            try herald.run(["--sync-once"], through: Surroundings.noNetwork), 69, "The server cannot be reached.")
    }

    @Test(.enabled(if: Surroundings.areAllowed))
    func `without a network a name that cannot be found ends with 69`() throws {
        let herald = try Herald(origin: "https://mail.example.com")

        expectFailure(
            try herald.run(["--sync-once"], through: Surroundings.noNetwork), 69, "The server cannot be reached.")
    }

    @Test(arguments: [
        "", "null", "3", "[]", "{}", "{\"mailboxes\":3}", "{\"mailboxes\":[{\"id\":\"a\"}]}", "{\"paths\":[1]}",
        String(repeating: "[", count: 100_000), "{\"mailboxes\":[", "\u{0}\u{1}",
    ])
    func `JSON that is not the contract's ends with 76`(_ body: String) throws {
        try expectEnding(fromAnswer: body, 76, "")
    }

    @Test func `an answer that is too large ends with 76`() throws {
        let body = "{\"padding\":\"" + String(repeating: "x", count: 17 << 20) + "\"}"

        try expectEnding(fromAnswer: body, 76, "The answer is larger than")
    }

    @Test(.enabled(if: Surroundings.areAllowed))
    func `a full disk ends with 74`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let home = setting.herald.home.path + "/h"

        for kilobytes in [64, 128, 200] {
            let disk = Surroundings.disk(home, kilobytes: kilobytes)
            expectFailure(try setting.herald.run(["--sync-once"], through: disk), 74, "disk is full")
        }
        let filled = Surroundings.disk(
            home, kilobytes: 400, after: "dd if=/dev/zero of='\(home)/x' 2>/dev/null || true")
        for command in ["--sync-once", "--rebuild-cache"] {
            expectFailure(try setting.herald.run([command], through: filled), 74, "disk is full")
        }
    }

    @Test(.enabled(if: Surroundings.areAllowed))
    func `a home that cannot be written ends with 73`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let readOnly = Surroundings.readOnly(setting.herald.home.path + "/h")

        for command in ["--sync-once", "--rebuild-cache"] {
            expectFailure(try setting.herald.run([command], through: readOnly), 73, "Read-only file system")
        }
        try #require(try setting.herald.run("--sync-once").code == 0)
        for command in ["--sync-once", "--rebuild-cache"] {
            expectFailure(try setting.herald.run([command], through: readOnly), 73, "Read-only file system")
        }
    }

    /// Fails when output is lost and the exit code says that it was not.
    @Test func `output that cannot be written ends with 74`() throws {
        let herald = try Herald(origin: nil)
        let full = ["/bin/sh", "-c", "exec \"$@\" > /dev/full", "sh"]

        for command in [["config"], ["config", "--json"], ["--help"]] {
            expectFailure(try herald.run(command, through: full), 74, "The output cannot be written")
        }
    }

    @Test func `a file in the place of a directory ends with 73`() throws {
        let herald = try Herald(origin: "http://127.0.0.1:9")
        try herald.home.write("h", "")

        expectFailure(try herald.run("--sync-once"), 73, "The directories for mail cannot be made")
    }

    @Test(arguments: [
        "http://192.0.2.1", "http://mail.example.com", "ftp://127.0.0.1", "mail.example.com", "https://",
        "http://127.0.0.1:9/mail", "http://127.0.0.1:9/?a=b", "http://ann:secret@127.0.0.1:9",
    ])
    func `an origin that cannot be used ends with 78`(_ origin: String) throws {
        let herald = try Herald(origin: origin)

        for command in [["--sync-once"], ["list", "mailboxes"], ["status"], []] {
            let ended = try herald.run(command)
            expectFailure(ended, 78)
            #expect(!ended.errors.contains("secret"))
        }
    }

    /// Fails when mail is kept in another directory than the one that was named.
    @Test(arguments: ["HERALD_HOME", "HOME", "XDG_CACHE_HOME"])
    func `a directory whose name is not UTF-8 ends with 78`(_ variable: String) throws {
        let herald = try Herald(origin: "http://127.0.0.1:9")
        let shell = "export \(variable)=\"$(printf '\(herald.home.path)/\\377')\"; exec \"$@\""

        for command in [["--sync-once"], ["list", "mailboxes"], ["status"], ["config", "path"]] {
            expectFailure(try herald.run(command, through: ["/bin/sh", "-c", shell, "sh"]), 78, variable)
        }
        #expect(!Files.exists(herald.home.path + "/h"))
    }

    @Test func `without HOME and HERALD_HOME every command ends with 78`() throws {
        var herald = try Herald(origin: "http://127.0.0.1:9")
        herald.variables["HERALD_HOME"] = .some(nil)

        for command in [["--sync-once"], ["list", "mailboxes"], ["status"], ["config"], ["config", "path"], []] {
            expectFailure(try herald.run(command), 78, "HOME is not set.")
        }
        #expect(try herald.run("--help").code == 0)
    }

    @Test func `without a terminal the program ends with 64`() throws {
        let herald = try Herald(origin: "http://127.0.0.1:9")

        expectFailure(try herald.run(), 64, "must be a terminal")
        expectFailure(try herald.run("--demo"), 64, "must be a terminal")
    }

    /// Fails when a file of the program gets the number of a closed output and the output goes into it.
    @Test func `closed standard descriptors are no file of ours`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let closed = ["/bin/sh", "-c", "exec \"$@\" <&- >&-", "sh"]

        expectFailure(try setting.herald.run(["config"], through: closed), 74, "The output cannot be written")
        let ended = try setting.herald.run(["--sync-once", "--quiet"], through: closed)
        #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
        #expect(try setting.herald.run(["--sync-once"], through: closed).code == 74)
        let state = setting.herald.home.path + "/h/state"
        let account = try #require(Files.names(in: state).first { $0 != "herald.log" })
        #expect(try Files.read(state + "/" + account + "/pass.lock").isEmpty)
        #expect(try setting.herald.run("list", "messages").code == 0)
    }

    @Test(arguments: [
        ("dumb", "cannot move its cursor"), ("no-such-terminal", "is not known here"), ("", "TERM is not set"),
    ])
    func `a terminal that cannot be drawn on ends with 64`(_ term: String, _ words: String) throws {
        let terminal = try Herald(origin: "http://127.0.0.1:9").open(term: term)

        #expect(terminal.waitForExit() == 64, "\(terminal.screen)")
        #expect(terminal.screen.hasPrefix("herald: ") && terminal.screen.contains(words), "\(terminal.screen)")
        #expect(terminal.isCooked)
    }

    /// Fails when a tiny window at the start crashes the program or leaves it useless.
    @Test func `a window too small gets a sentence and is usable once it grows`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open(columns: 20, rows: 3)
        #expect(terminal.waitFor("Herald needs a"), "\(terminal.screen)")

        terminal.send("jkGgg?\u{1B}")
        terminal.resize(columns: 80, rows: 24)

        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor(Setting.body), "\(terminal.screen)")
        terminal.resize(columns: 20, rows: 3)
        #expect(terminal.waitFor("Herald needs a"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.isCooked)
    }
}
