internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Acting on mail in the real program: on the screen at once, at the server soon, and never lost on the way.
@Suite(.serialized, .ownThread) struct TriageTests {
    private static let ceiling = 120

    /// The program with its mail fetched, and the cursor on the newest conversation.
    private static func open(
        _ setting: Setting, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24
    ) throws -> VirtualTerminal {
        try #require(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open(arguments, columns: columns, rows: rows)
        #expect(terminal.waitFor(Setting.subject, ceiling: ceiling), "\(terminal.screen)")
        #expect(terminal.waitForIdle(ceiling: ceiling))
        return terminal
    }

    private static func leave(_ terminal: VirtualTerminal) {
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: ceiling) == 0, "\(terminal.screen)")
        #expect(EscapeAudit(terminal.log).violations == [])
    }

    /// What the server has in a folder.
    private static func stored(_ setting: Setting, folder: String) throws -> String {
        String(decoding: try ask(setting.server.port, "/api/v1/messages?folder=\(folder)"), as: UTF8.self)
    }

    /// Whether a list is in view, above the lines of status and hints.
    private static func lists(_ terminal: VirtualTerminal, _ subject: String) -> Bool {
        (0..<20).contains { row in terminal.line(row).contains(subject) }
    }

    @Test func `an archived conversation leaves at once, is archived at the server, and comes back`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.open(setting)

        terminal.send("gge")
        #expect(terminal.wait(ceiling: Self.ceiling) { !Self.lists($0, Setting.subject) }, "\(terminal.screen)")
        #expect(
            terminal.waitFor("Archived “\(Setting.subject)”; u undoes it.", ceiling: Self.ceiling), "\(terminal.screen)"
        )
        #expect(try comesTrue { try Self.stored(setting, folder: "archived").contains(Setting.subject) })
        terminal.send("u")
        #expect(terminal.waitFor("Undone: Archive, “\(Setting.subject)”.", ceiling: Self.ceiling), "\(terminal.screen)")
        #expect(terminal.wait(ceiling: Self.ceiling) { Self.lists($0, Setting.subject) }, "\(terminal.screen)")
        #expect(try comesTrue { try Self.stored(setting, folder: "inbox").contains(Setting.subject) })
        Self.leave(terminal)
    }

    @Test func `a selection goes to the trash as a whole`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.open(setting)

        terminal.send("ggVGd")
        #expect(terminal.waitFor("Moved to the trash: 3 conversations; u undoes it.", ceiling: Self.ceiling))
        #expect(terminal.waitFor("Nothing here.", ceiling: Self.ceiling), "\(terminal.screen)")
        #expect(
            try comesTrue {
                let trash = try Self.stored(setting, folder: "trash")
                return [Setting.subject, "An invoice", "Re: First light"].allSatisfy(trash.contains)
            })
        terminal.send("gx")
        #expect(terminal.wait(ceiling: Self.ceiling) { Self.lists($0, "An invoice") }, "\(terminal.screen)")
        Self.leave(terminal)
    }

    /// Fails when what was done offline is not shown, is lost with the process, or is not sent by the next pass.
    @Test func `offline everything works, survives a kill, and is sent later`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.open(setting, ["--offline"])

        terminal.send("ggsjd")
        #expect(terminal.waitFor("2 queued", ceiling: Self.ceiling), "\(terminal.screen)")
        terminal.send("go")
        #expect(terminal.waitFor("Move to trash “An invoice”, info@example.test", ceiling: Self.ceiling))
        #expect(terminal.waitFor("Star “\(Setting.subject)”", ceiling: Self.ceiling), "\(terminal.screen)")
        terminal.signal(SIGKILL)
        #expect(terminal.waitForExit(ceiling: Self.ceiling) != nil)

        let again = try setting.herald.open(["--offline"])
        #expect(again.waitFor("2 queued", ceiling: Self.ceiling), "\(again.screen)")
        #expect(again.wait(ceiling: Self.ceiling) { Self.lists($0, "★") && !Self.lists($0, "An invoice") })
        again.send("u")
        #expect(again.waitFor("Undone: Move to trash, 1 message.", ceiling: Self.ceiling), "\(again.screen)")
        #expect(again.waitFor("1 queued", ceiling: Self.ceiling), "\(again.screen)")
        Self.leave(again)

        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try Self.stored(setting, folder: "inbox").matches(of: /"starredAt":"/).count == 1)
        #expect(try Self.stored(setting, folder: "inbox").contains("An invoice"))
    }

    /// Fails when a key waits for a server that does not answer, or the row comes back meanwhile.
    @Test func `a server that stalls keeps no key waiting`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.open(setting)
        try setting.control("/fault?kind=stall&ms=60000&times=100")

        terminal.send("gge")
        #expect(terminal.wait(ceiling: Self.ceiling) { !Self.lists($0, Setting.subject) }, "\(terminal.screen)")
        #expect(terminal.waitFor("1 queued", ceiling: Self.ceiling), "\(terminal.screen)")
        terminal.send("j?")
        #expect(terminal.waitFor("In the list", ceiling: Self.ceiling), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.wait(ceiling: Self.ceiling) { Self.lists($0, "An invoice") })
        #expect(!Self.lists(terminal, Setting.subject), "\(terminal.screen)")
        try setting.control("/fault")
        Self.leave(terminal)
    }

    /// Fails when a refusal is silent, or leaves the screen with what did not happen.
    @Test func `what the server refuses comes back with the reason`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.open(setting)
        try setting.control("/fault?kind=status&status=403&code=FORBIDDEN&method=POST&times=1")

        terminal.send("gge")
        #expect(terminal.waitFor("The server refused that", ceiling: Self.ceiling), "\(terminal.screen)")
        #expect(terminal.wait(ceiling: Self.ceiling) { Self.lists($0, Setting.subject) }, "\(terminal.screen)")
        terminal.send("go")
        #expect(terminal.waitFor("Ended without being done", ceiling: Self.ceiling), "\(terminal.screen)")
        #expect(terminal.waitFor("Archive “\(Setting.subject)”", ceiling: Self.ceiling), "\(terminal.screen)")
        Self.leave(terminal)
    }

    /// Fails when mail is read by moving over it, or is still unread when it was open for a while.
    @Test func `mail counts as read when it was open, not when the cursor passed`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write("h/config/config.toml", "read.mark_after = 0\n")
        let terminal = try Self.open(setting, columns: 160, rows: 40)

        terminal.send("ggjjkk")
        #expect(terminal.waitForIdle(ceiling: Self.ceiling))
        #expect(try setting.requests("POST /api/v1/messages/{id}/read") == 0)
        terminal.send("\r")
        #expect(terminal.waitFor(Setting.body, ceiling: Self.ceiling), "\(terminal.screen)")
        #expect(
            try comesTrue { try Self.stored(setting, folder: "inbox").contains(#""readAt":"2"#) })
        let unread = try Self.stored(setting, folder: "inbox").matches(of: /"readAt":null/).count
        #expect(unread == 3)
        Self.leave(terminal)
    }

    /// Fails when a key acts on another conversation because mail has come.
    @Test func `mail that arrives does not move what a key acts on`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try Self.open(setting)
        terminal.send("ggj\r")
        #expect(terminal.waitFor("An invoice", ceiling: Self.ceiling), "\(terminal.screen)")
        try setting.control("/deliver?to=info@example.test&count=10&seed=7")
        #expect(terminal.wait(ceiling: Self.ceiling) { _ in (try? setting.herald.listed().contains("seed")) != nil })

        terminal.send("$")
        #expect(terminal.waitForIdle(ceiling: Self.ceiling))
        terminal.send("d")
        #expect(terminal.waitFor("Moved to the trash: “An invoice”", ceiling: Self.ceiling), "\(terminal.screen)")
        #expect(
            try comesTrue {
                let trash = try Self.stored(setting, folder: "trash")
                return trash.contains("An invoice") && trash.matches(of: /"subject"/).count == 1
            })
        Self.leave(terminal)
    }

    /// Fails when undo after a restart brings back too little, or what lay in the trash before.
    @Test func `undo after a restart brings all back and leaves older trash alone`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.run("apply", "--where", "subject:invoice", "trash").code == 0)
        // A batch of somebody else is not ours to undo.
        var other = try Herald(origin: setting.server.origin)
        other.token = setting.herald.token
        #expect(try other.run("--sync-once").code == 0)
        #expect(try other.run("apply", "--where", "in:trash", "star").code == 0)
        let first = try Self.open(setting)
        first.send("~d")
        #expect(first.waitFor("Moved to the trash: 2 conversations", ceiling: Self.ceiling), "\(first.screen)")
        func count(_ folder: String) throws -> Int {
            try Self.stored(setting, folder: folder).matches(of: /"subject"/).count
        }
        #expect(try comesTrue { try count("trash") == 4 })
        Self.leave(first)

        let second = try setting.herald.open()
        #expect(second.waitForIdle(ceiling: Self.ceiling))
        second.send("u")
        #expect(second.waitFor("Undone: Move to trash, 3 messages.", ceiling: Self.ceiling), "\(second.screen)")
        #expect(second.waitFor(Setting.subject, ceiling: Self.ceiling), "\(second.screen)")
        #expect(try comesTrue { try count("inbox") == 3 && count("trash") == 1 })
        #expect(try Self.stored(setting, folder: "trash").contains("An invoice"))
        Self.leave(second)
    }
}
