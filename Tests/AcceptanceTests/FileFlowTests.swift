internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Files out of mail, by the real program on a real terminal.
struct FileFlowTests {
    private static let pdf = Array("%PDF-1.4\n".utf8)

    /// A setting, a directory to save into, and the message with a file open in a terminal.
    private struct Reading {
        let setting: Setting
        let directory: Scratch
        let terminal: VirtualTerminal

        /// `files` are put into the directory, those below `bin` as programs that are found before all others.
        init(variables: [String: String] = [:], programs: [String: String] = [:]) throws {
            var setting = try Setting()
            directory = try Scratch()
            try Files.makeDirectory(directory.path + "/bin")
            for (name, script) in programs { try makeProgram(directory.path + "/bin/" + name, script) }
            setting.herald.variables["PATH"] = directory.path + "/bin:/usr/bin:/bin"
            setting.herald.variables["HOME"] = directory.path
            setting.herald.variables["XDG_DOWNLOAD_DIR"] = directory.path
            setting.herald.variables["SHELL"] = "/bin/sh"
            setting.herald.variables["MAILCAPS"] = directory.path + "/mailcap"
            for (name, value) in variables { setting.herald.variables[name] = value }
            self.setting = setting
            terminal = try Reading.open(setting)
        }

        /// Opens the message with a file.
        static func open(_ setting: Setting) throws -> VirtualTerminal {
            let terminal = try setting.herald.open()
            #expect(terminal.waitFor("An invoice"), "\(terminal.screen)")
            terminal.send("j\r")
            #expect(terminal.waitFor("1. a.pdf"), "\(terminal.screen)")
            return terminal
        }

        /// The directories of opened files that are there now.
        var opened: [String] { Files.names(in: setting.herald.home.path + "/h/cache/opened") }

        /// The saved files, without what the test put there.
        var saved: [String] { Files.names(in: directory.path).filter { !["bin", "mailcap"].contains($0) } }

        /// Presses Esc alone: with what follows at once it would be another key.
        func escape(sourceLocation: SourceLocation = #_sourceLocation) {
            terminal.send("\u{1B}")
            #expect(terminal.waitForIdle(), "\(terminal.screen)", sourceLocation: sourceLocation)
        }

        func quit(sourceLocation: SourceLocation = #_sourceLocation) {
            terminal.send("Q")
            #expect(terminal.waitForExit() == 0, "\(terminal.screen)", sourceLocation: sourceLocation)
            #expect(terminal.isCooked, sourceLocation: sourceLocation)
        }
    }

    /// Whether the screen comes to tell that a program was interrupted, as its shell puts it.
    private static func isInterrupted(_ terminal: VirtualTerminal) -> Bool {
        terminal.wait { $0.screen.contains("ended by signal 2") || $0.screen.contains("ended with status 130") }
    }

    /// Fails when a file is not the server's, one is replaced unasked, or several of one name lose any.
    @Test func `attachments are saved one by one and all together`() throws {
        let reading = try Reading()
        defer { reading.setting.server.stop() }
        let (terminal, path) = (reading.terminal, reading.directory.path)
        terminal.send("v")
        #expect(terminal.waitFor("One attachment"), "\(terminal.screen)")
        terminal.send("S\r")
        #expect(terminal.waitFor("Saved as ~/a.pdf."), "\(terminal.screen)")
        terminal.send("S\r")
        #expect(terminal.waitFor("Replace “a.pdf”"), "\(terminal.screen)")
        terminal.send("n")
        reading.escape()
        terminal.send("A\r")
        #expect(terminal.waitFor("Saved one file into ~."), "\(terminal.screen)")
        #expect(reading.saved == ["a (2).pdf", "a.pdf"])
        for name in reading.saved { #expect(try Files.read("\(path)/\(name)") == Self.pdf) }
        reading.quit()
    }

    /// Fails when a file that did not come whole leaves something, or Esc does not end the work.
    @Test func `a file that breaks off leaves nothing and says why`() throws {
        let reading = try Reading()
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        terminal.send("v")
        try reading.setting.control("/fault?kind=cut&bytes=3&path=/api/v1/attachments/*")
        terminal.send("S\r")
        #expect(terminal.waitFor("connection broke"), "\(terminal.screen)")
        reading.escape()
        try reading.setting.control("/fault?kind=stall&milliseconds=100000&bytes=3&path=/api/v1/attachments/*")
        terminal.send("S\r")
        #expect(terminal.waitFor("Fetching 0 B of 9 B: a.pdf"), "\(terminal.screen)")
        terminal.send("\u{1B}")
        #expect(terminal.waitFor("Ended. Nothing was saved."), "\(terminal.screen)")
        #expect(reading.saved.isEmpty)
        try reading.setting.control(
            "/fault?kind=status&status=404&code=ATTACHMENT_OBJECT_NOT_FOUND&path=/api/v1/attachments/*")
        terminal.send("S\r")
        #expect(terminal.waitFor("The server no longer has this file."), "\(terminal.screen)")
        #expect(reading.saved.isEmpty)
        reading.escape()
        reading.quit()
    }

    /// Fails when a full disk costs more than a sentence, or a part of the file stays on it.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a full disk takes no part of a file`() throws {
        let disk = try SmallDisk(kilobytes: 64)
        try disk.fill(leaving: 0)
        let reading = try Reading(variables: ["XDG_DOWNLOAD_DIR": disk.path])
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        for keys in ["vS\r", "A\r", "qS\r"] {
            terminal.send(keys)
            #expect(terminal.waitFor("The disk is full. Nothing was saved."), "\(terminal.screen)")
            #expect(Files.names(in: disk.path) == ["filler"])
            reading.escape()
            #expect(!terminal.screen.contains("The disk is full."), "\(terminal.screen)")
        }
        disk.empty()
        terminal.send("S\r")
        #expect(terminal.waitFor("Saved as"), "\(terminal.screen)")
        #expect(Files.names(in: disk.path) == ["An invoice.txt"])
        reading.quit()
    }

    /// Fails when a message's text or HTML is not what was read, or a wrong ending is not told.
    @Test func `a message is saved as text`() throws {
        let reading = try Reading()
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        terminal.send("S\r")
        #expect(terminal.waitFor("Saved as ~/An invoice.txt."), "\(terminal.screen)")
        let text = String(decoding: try Files.read(reading.directory.path + "/An invoice.txt"), as: UTF8.self)
        for part in ["From: ann@client.example\n", "Subject: An invoice\n", "\nPlease find it attached."] {
            #expect(text.contains(part))
        }
        terminal.send("S\u{15}~/none/x\r")
        #expect(terminal.waitFor("There is no directory"), "\(terminal.screen)")
        terminal.send("\u{15}~/x.html\r")
        #expect(terminal.waitFor("This message has no HTML."), "\(terminal.screen)")
        reading.escape()
        #expect(reading.saved == ["An invoice.txt"])
        reading.quit()
    }

    /// Fails when a command gets another text or no terminal, its end is not told, or the screen does not come back.
    @Test func `a message is piped to a command that has the terminal`() throws {
        let reading = try Reading()
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        terminal.send("|grep Subject; stty -a <&2 | grep -c ' icanon'; exit 3\r")
        #expect(terminal.waitFor("The command ended with status 3. Press any key"), "\(terminal.screen)")
        #expect(terminal.screen.contains("Subject: An invoice\n1\n"), "\(terminal.screen)")
        terminal.resize(columns: 70, rows: 20)
        terminal.send("x")
        #expect(terminal.waitFor("1. a.pdf"), "\(terminal.screen)")
        terminal.send("|\u{15}echo \"[$HERALD_TOKEN$HERALD_ORIGIN]\"\r")
        #expect(terminal.waitFor("[]\n\nThe command is done."), "\(terminal.screen)")
        terminal.send("x")
        #expect(terminal.waitFor("1. a.pdf"), "\(terminal.screen)")
        // A key that interrupts is the command's, not ours; a shell would put it off while it starts something.
        try reading.directory.write("told", "begun")
        terminal.send("|\u{15}exec tail -f \(reading.directory.path)/told\r")
        #expect(terminal.waitFor("begun"), "\(terminal.screen)")
        terminal.send("\u{3}")
        #expect(Self.isInterrupted(terminal), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitFor("1. a.pdf"), "\(terminal.screen)")
        reading.quit()
    }

    /// Fails when the signal of a key that a command was ended by, and that comes late, ends this program as well.
    @Test func `the late signal of an interrupting key is not ours, and the next one is`() throws {
        let reading = try Reading()
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        terminal.send("|kill -INT $$\r")
        #expect(Self.isInterrupted(terminal), "\(terminal.screen)")
        terminal.signal(2)
        terminal.send("x")
        #expect(terminal.waitFor("1. a.pdf"), "\(terminal.screen)")
        #expect(terminal.waitForIdle())
        terminal.signal(2)
        #expect(terminal.waitForExit() == 130)
        #expect(terminal.isCooked)
    }

    /// Fails when a signal during a command keeps the program, leaves the terminal broken, or keeps the command.
    @Test func `a signal ends the program and the command that has the terminal`() throws {
        let reading = try Reading()
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        let mark = reading.directory.path + "/mark"
        terminal.send("|trap 'echo gone > \(mark); exit' HUP; echo be''gun; while :; do sleep 0.1; done\r")
        #expect(terminal.waitFor("begun"), "\(terminal.screen)")
        terminal.signal(15)
        #expect(terminal.waitForExit() == 143, "\(terminal.screen)")
        #expect(terminal.isCooked)
        #expect(comesTrue { Files.exists(mark) })
    }

    private static let opener =
        "printf '%s' \"$1\" > \"$HOME/told.new\" && cp \"$1\" \"$HOME/copy\" && mv \"$HOME/told.new\" \"$HOME/told\""

    /// Fails when an opener gets another file, others may read it, or the file outlives the program.
    @Test func `an attachment is opened from a private directory that goes with the program`() throws {
        let reading = try Reading(variables: ["DISPLAY": ":0"], programs: ["xdg-open": Self.opener])
        defer { reading.setting.server.stop() }
        let (terminal, path) = (reading.terminal, reading.directory.path)
        terminal.send("vo")
        #expect(comesTrue { Files.exists(path + "/told") }, "\(terminal.screen)")
        #expect(try Files.read(path + "/copy") == Self.pdf)
        let told = String(decoding: try Files.read(path + "/told"), as: UTF8.self)
        #expect(told.hasPrefix(reading.setting.herald.home.path) && told.hasSuffix("/a.pdf"))
        let directory = String(told.dropLast("/a.pdf".count))
        #expect(permissions(told) == 0o600 && permissions(directory) == 0o700)
        #expect(reading.opened.count == 2)
        reading.quit()
        #expect(reading.opened.isEmpty)
    }

    /// Fails when what a killed program left is kept, or taken from one that still runs.
    @Test func `what a killed program had opened is gone after the next command`() throws {
        let reading = try Reading(variables: ["DISPLAY": ":0"], programs: ["xdg-open": Self.opener])
        defer { reading.setting.server.stop() }
        let path = reading.directory.path
        reading.terminal.send("vo")
        #expect(comesTrue { Files.exists(path + "/told") }, "\(reading.terminal.screen)")
        let first = reading.opened
        let other = try Reading.open(reading.setting)
        #expect(other.waitForIdle())
        #expect(reading.opened == first)
        reading.terminal.signal(9)
        #expect(reading.terminal.waitForExit() == 137)
        #expect(reading.opened == first)
        // Any command cleans up, and leaves alone what is in use.
        other.send("vo")
        #expect(comesTrue { reading.opened.count == first.count * 2 }, "\(other.screen)")
        #expect(try reading.setting.herald.run("status").code == 0)
        #expect(reading.opened.count == first.count && Set(reading.opened).isDisjoint(with: first))
        other.send("Q")
        #expect(other.waitForExit() == 0)
        #expect(reading.opened.isEmpty)
    }

    /// Fails when the person's own mailcap is not asked first, or its program gets no terminal.
    @Test func `an attachment is shown by the mailcap in the terminal`() throws {
        let reading = try Reading(variables: ["DISPLAY": ":0"], programs: ["xdg-open": "exit 9"])
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        try reading.directory.write(
            "mailcap",
            "application/pdf; false %s; test=false\napplication/pdf; exec tail -f %s; needsterminal\n")
        terminal.send("vo")
        #expect(terminal.waitFor("%PDF-1.4"), "\(terminal.screen)")
        terminal.send("\u{3}")
        #expect(Self.isInterrupted(terminal), "\(terminal.screen)")
        try reading.directory.write("mailcap", "")
        terminal.send("o")
        #expect(terminal.waitFor("xdg-open ended with status 9."), "\(terminal.screen)")
        reading.quit()
    }

    /// Fails when a file that acts reaches a program.
    @Test func `a starter is only saved`() throws {
        let reading = try Reading(variables: ["DISPLAY": ":0"], programs: ["xdg-open": Self.opener])
        defer { reading.setting.server.stop() }
        let terminal = reading.terminal
        for (name, content) in [("menu.desktop", "[Desktop Entry]\r\nExec=x"), ("photo.pdf", "#!/bin/sh\r\nexit")] {
            try reading.setting.control(
                "/deliver?to=info@example.test",
                body: """
                    From: Ann Berg <ann@client.example>\r\nTo: info@example.test\r\nSubject: With \(name)\r\n\
                    Date: Tue, 03 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n\
                    Content-Type: multipart/mixed; boundary="cut"\r\n\r\n--cut\r\nContent-Type: text/plain\r\n\r\nx\r\n\
                    --cut\r\nContent-Type: application/pdf; name="\(name)"\r\n\
                    Content-Disposition: attachment; filename="\(name)"\r\n\r\n\(content)\r\n--cut--\r\n
                    """)
            terminal.send("q$gg")
            #expect(terminal.waitFor("With \(name)"), "\(terminal.screen)")
            terminal.send("gg\r")
            #expect(terminal.waitFor("1. \(name)"), "\(terminal.screen)")
            terminal.send("vo")
            #expect(terminal.waitFor("It is not opened; S saves it."), "\(terminal.screen)")
            terminal.send("q")
        }
        #expect(!Files.exists(reading.directory.path + "/told"))
        reading.quit()
    }
}

private func makeProgram(_ path: String, _ script: String) throws {
    try Files.replace(path, with: Array("#!/bin/sh\n\(script)\n".utf8))
    chmod(path, 0o755)
}

private func permissions(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}
