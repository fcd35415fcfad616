import Glibc
import LocalServer
import MailTestSupport
import Platform
import TerminalTestSupport
import Testing

/// Writing with the real program on a pseudo-terminal, against the local server.
@Suite(.serialized, .ownThread) struct WritingTerminalTests {
    private static func setting(delay: Int) throws -> Setting {
        let setting = try Setting()
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write("h/config/config.toml", "[send]\ndelay = \(delay)\n")
        return setting
    }

    private static func opened(_ setting: Setting) throws -> VirtualTerminal {
        let terminal = try setting.herald.open()
        try #require(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        return terminal
    }

    /// Types a whole mail, up to the review.
    private static func write(_ subject: String, in terminal: VirtualTerminal) throws {
        terminal.send("cann@client.example\t\t\t\(subject)\tThe boats are in.\rSee you\u{1B}")
        try #require(terminal.waitFor("y send"), "\(terminal.screen)")
    }

    private static func sends(_ setting: Setting) throws -> Int {
        try setting.requests("POST /api/v1/send")
    }

    /// Fails when a mail cannot be written, is sent otherwise than it was typed, or not exactly once.
    @Test func `a mail goes from the first key to its copy in Sent`() throws {
        let setting = try Self.setting(delay: 0)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try Self.write("Harbour news", in: terminal)
        terminal.send("y")

        try #require(terminal.waitFor("Sent: “Harbour news”."), "\(terminal.screen)")
        #expect(try Self.sends(setting) == 1)
        terminal.send("gt")
        try #require(terminal.waitFor("To: ann"), "\(terminal.screen)")
        terminal.send("\r")
        try #require(terminal.waitFor("The boats are in."), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Fails when a mail that was taken back goes all the same, or its text is lost.
    @Test func `a sent mail is taken back within its delay`() throws {
        let setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try Self.write("Too early", in: terminal)
        terminal.send("y")
        try #require(terminal.waitFor("u takes it back"), "\(terminal.screen)")
        terminal.send("u")
        try #require(terminal.waitFor("Taken back"), "\(terminal.screen)")
        #expect(terminal.screen.contains("The boats are in."))
        terminal.send("p")
        try #require(terminal.waitFor("Kept as a draft."), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
        #expect(try Self.sends(setting) == 0)
    }

    /// Fails when a killed program takes what was typed with it, or the next one says nothing.
    @Test func `what is typed survives a kill`() throws {
        let setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        let first = try Self.opened(setting)
        first.send("cann@client.example\t\t\tUnfinished\tHalf a sent")
        try #require(first.waitFor("Half a sent"), "\(first.screen)")
        // Not the “saved” of “not saved yet”.
        try #require(first.waitFor("─ saved"), "\(first.screen)")
        first.signal(SIGKILL)
        _ = first.waitForExit()

        let second = try Self.opened(setting)
        try #require(second.waitFor("being written when Herald ended"), "\(second.screen)")
        second.send("gd")
        try #require(second.waitFor("Unfinished"), "\(second.screen)")
        second.send("\r")
        try #require(second.waitFor("Half a sent"), "\(second.screen)")
        second.send("Q")
        #expect(second.waitForExit() == 0)
    }

    /// Fails when the editor's work is not taken, or its file stays behind or is for others to read.
    @Test func `another editor writes the mail`() throws {
        var setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        let path = setting.herald.home.path
        let script = """
            stat -c %a "$1" > \(path)/mode
            printf 'From: info@example.test\\nTo: ann@client.example\\nSubject: By an editor\\n\\nWritten there.\\n' > "$1"
            """
        try setting.herald.home.write("editor", script)
        setting.herald.variables["EDITOR"] = "/bin/sh \(path)/editor"
        let terminal = try Self.opened(setting)
        terminal.send("c")

        try #require(terminal.waitFor("Written there."), "\(terminal.screen)")
        #expect(terminal.screen.contains("By an editor") && terminal.screen.contains("y send"))
        #expect(setting.herald.home.lines("mode") == ["600"])
        let account = Files.names(in: path + "/h/state").first { Files.isDirectory(path + "/h/state/" + $0) } ?? ""
        #expect(comesTrue { Files.names(in: path + "/h/state/\(account)/writing").isEmpty })
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Fails when what a person gave up in an editor is taken over by the next start, or is gone for the next edit.
    @Test func `what was given up in an editor comes back only when it is edited again`() throws {
        var setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        let path = setting.herald.home.path
        let script = """
            [ -e \(path)/again ] && exit 0
            touch \(path)/again
            printf 'To: ann@client.example\\nSubject: Given up\\n\\nNot to be kept.\\n' > "$1"
            exit 1
            """
        try setting.herald.home.write("editor", script)
        setting.herald.variables["EDITOR"] = "/bin/sh \(path)/editor"
        let first = try Self.opened(setting)
        first.send("c")
        try #require(first.waitFor("ended with status 1"), "\(first.screen)")
        first.signal(SIGKILL)
        _ = first.waitForExit()

        let second = try Self.opened(setting)
        try #require(second.waitFor("being written when Herald ended"), "\(second.screen)")
        second.send("gd\r")
        try #require(second.waitFor("y send"), "\(second.screen)")
        #expect(!second.screen.contains("Not to be kept."))
        second.send("e")
        try #require(second.waitFor("Not to be kept."), "\(second.screen)")
        second.send("Q")
        #expect(second.waitForExit() == 0)
    }

    /// Fails when an editor that wrote nothing leaves a draft, or a mail left in good order is told of as cut off.
    @Test func `a program that ends leaves no empty draft and no false word`() throws {
        var setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        setting.herald.variables["EDITOR"] = "false"
        let first = try Self.opened(setting)
        first.send("c")
        // What is typed while the editor has the terminal is the editor's.
        try #require(first.waitFor("ended with status 1"), "\(first.screen)")
        first.send("Q")
        #expect(first.waitForExit() == 0)
        #expect(try setting.herald.run("list", "drafts", "--json").text.contains("\"items\":[]"))

        setting.herald.variables["EDITOR"] = ""
        let second = try Self.opened(setting)
        try Self.write("In good order", in: second)
        second.send("Q")
        #expect(second.waitForExit() == 0)
        let third = try Self.opened(setting)
        third.send("gd")
        try #require(third.waitFor("In good order"), "\(third.screen)")
        #expect(!third.screen.contains("when Herald ended"))
        third.send("Q")
        #expect(third.waitForExit() == 0)
    }

    /// Fails when a draft that was thrown away is lost, or its last letters, or it does not go with the program.
    @Test func `a draft that was thrown away is brought back`() throws {
        let setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try Self.write("Thrown too early", in: terminal)
        terminal.send("nu")
        try #require(terminal.waitFor("Brought back"), "\(terminal.screen)")
        try #require(terminal.waitFor("See you"), "\(terminal.screen)")
        terminal.send("n")
        try #require(terminal.waitFor("u brings it back"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
        #expect(try setting.herald.run("list", "drafts", "--json").text.contains("\"items\":[]"))
    }

    /// Fails when an answer that an editor wrote among the quoted lines is dropped, though nothing was said.
    @Test func `an answer among the quoted lines is not lost`() throws {
        var setting = try Self.setting(delay: 300)
        defer { setting.server.stop() }
        let path = setting.herald.home.path
        // The first time it writes below the line, the second time it takes the line away.
        let script = """
            if [ -e \(path)/again ]; then sed -i '/^----.*Below/d' "$1"; else echo 'At ten for me.' >> "$1"; fi
            touch \(path)/again
            """
        try setting.herald.home.write("editor", script)
        setting.herald.variables["EDITOR"] = "/bin/sh \(path)/editor"
        let terminal = try Self.opened(setting)
        terminal.send("r")
        try #require(terminal.waitFor("is below the line"), "\(terminal.screen)")
        terminal.send("e")
        try #require(terminal.waitFor("At ten for me."), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Fails when an answer goes to the wrong person, outside its conversation, or with the quote twice.
    @Test func `an answer goes to the sender, and the server quotes once`() throws {
        let setting = try Self.setting(delay: 0)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        terminal.send("r")
        try #require(terminal.waitFor("> \(Setting.body)"), "\(terminal.screen)")
        terminal.send("At ten for me.\u{1B}")
        try #require(terminal.waitFor("y send"), "\(terminal.screen)")
        terminal.send("y")
        try #require(terminal.waitFor("Sent: "), "\(terminal.screen)")

        #expect(try setting.requests("POST /api/v1/reply") == 1)
        let sent = try setting.herald.run("list", "messages", "--folder", "sent", "--json").text
        #expect(sent.contains("Re: \(Setting.subject)") && sent.contains("ann@client.example"))
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }
}
