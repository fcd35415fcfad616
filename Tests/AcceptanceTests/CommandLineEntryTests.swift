internal import Glibc
internal import LocalServer
internal import Platform
internal import MailTestSupport
internal import TerminalTestSupport
internal import Testing

/// The `:` line, the palette and changed keys in the real program.
struct CommandLineEntryTests {
    private static func configure(_ setting: Setting, _ text: String) throws {
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write("h/config/config.toml", text)
    }

    private static func opened(_ setting: Setting) throws -> VirtualTerminal {
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        return terminal
    }

    /// Fails when a typed command is lost with the run, or its file is not private.
    @Test func `the history of commands lasts and is private`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let first = try Self.opened(setting)
        first.send(":go sent\r")
        #expect(first.waitFor("Nothing here."), "\(first.screen)")
        first.send(":q\r")
        #expect(first.waitForExit() == 0, "\(first.screen)")

        let second = try Self.opened(setting)
        #expect(second.waitForIdle(), "\(second.screen)")
        second.send(":g\u{1B}[A")
        #expect(second.waitFor(":go sent"), "\(second.screen)")
        second.send("\r")
        #expect(second.waitFor("Nothing here."), "\(second.screen)")
        second.send("Q")
        #expect(second.waitForExit() == 0)
        let path = setting.herald.home.path + "/h/state/command-history"
        #expect(try Files.read(path) == Array("go sent\nq\ngo sent\n".utf8))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// Fails when the bytes that terminals send for C-Space, C-k, Tab or Alt do not reach what they are bound to.
    @Test func `the palette and completion work with what terminals send`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        terminal.send("\u{0}drafts")
        #expect(terminal.waitFor("Go to drafts."), "\(terminal.screen)")
        terminal.send("\u{1B}")
        #expect(terminal.wait { !$0.screen.contains("Action:") }, "\(terminal.screen)")
        terminal.send("\u{B}go-trash\r")
        #expect(terminal.waitFor("Nothing here."), "\(terminal.screen)")
        terminal.send(":go inb\t\r")
        #expect(terminal.waitFor("An invoice"), "\(terminal.screen)")
        // What is pasted is never executed, and a line feed in it is a blank.
        terminal.send(":\u{1B}[200~go sent\nquit\n\u{1B}[201~")
        #expect(terminal.waitFor(":go sent quit"), "\(terminal.screen)")
        terminal.send("\u{1B}b\u{1B}b\u{B}")
        #expect(terminal.wait { !$0.screen.contains("sent quit") }, "\(terminal.screen)")
        terminal.send("\u{3}Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
    }

    /// Fails when other settings need a new start, or a broken file costs those in force.
    @Test(arguments: [true, false]) func `settings are read again`(_ bySignal: Bool) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Self.configure(setting, "[keys.list]\nw = \"go sent\"\n")
        let terminal = try Self.opened(setting)
        func reload() {
            if bySignal { terminal.signal(SIGUSR1) } else { terminal.send(":reload\r") }
        }
        try Self.configure(setting, "[keys.list]\nw = \"opne\"\n")
        reload()
        #expect(terminal.waitFor("“keys.list.w” on line 2"), "\(terminal.screen)")
        terminal.send("w")
        #expect(terminal.waitFor("Nothing here."), "\(terminal.screen)")
        try Self.configure(setting, "[keys.list]\nW = \"go inbox\"\nw = \"none\"\n")
        reload()
        #expect(terminal.waitFor("The settings file was read again."), "\(terminal.screen)")
        terminal.send("W")
        #expect(terminal.waitFor("An invoice"), "\(terminal.screen)")
        terminal.send("w")
        #expect(terminal.waitFor("“w” does nothing here"), "\(terminal.screen)")
        terminal.send(":set keys.profile=mutt\rx")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
    }

    /// Fails when a conflict of keys is not told before anything else, with its line.
    @Test func `keys that hide others end the program with 78`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Self.configure(setting, "[keys.list]\n\ng = \"refresh\"\n")

        for command in [["--sync-once"], ["config"], []] {
            let ended = try setting.herald.run(command)
            #expect(ended.code == 78)
            #expect(ended.errors.contains("“keys.list.g” on line 3"), "\(ended.errors)")
            #expect(ended.errors.contains("would hide “gg” (first)"), "\(ended.errors)")
        }
    }

    @Test func `changed keys are printed in a form that can be the file`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let text =
            "save.directory = '/tmp/a \"b\\'\n"
            + "keys.profile = \"emacs\"\n[keys.list]\n'\"' = \"open\"\n\"\\\\\" = 'filter \"\\'\n\"C-x y\" = \"go sent\"\n"
        try Self.configure(setting, text)
        let first = try setting.herald.run("config")
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.text.contains("keys.list.\"C-x y\" = \"go sent\""), "\(first.text)")
        try Self.configure(setting, first.text)
        let second = try setting.herald.run("config")
        func values(_ text: String) -> [Substring] {
            text.split(separator: "\n").compactMap { $0.split(separator: "#").first }
        }
        #expect(values(first.text) == values(second.text))
        let json = try setting.herald.run("config", "--json")
        #expect(json.text.contains("{\"group\":\"list\",\"keys\":\"C-x y\",\"command\":\"go sent\",\"line\":"))
    }
}
