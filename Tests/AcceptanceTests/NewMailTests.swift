internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Telling of new mail, with real processes.
@Suite(.serialized, .ownThread)
struct NewMailTests {
    private func mail(_ subject: String, date: String = "Mon, 02 Nov 2026 10:09:00 +0000") -> String {
        "From: Ann Berg <ann@client.example>\r\nTo: info@example.test\r\nSubject: \(subject)\r\nDate: \(date)\r\n\r\nHi\r\n"
    }

    private func deliver(_ setting: Setting, _ subject: String, date: String = "Mon, 02 Nov 2026 10:09:00 +0000") throws
    {
        try setting.control("/deliver?to=info@example.test", body: mail(subject, date: date))
    }

    /// Fails when a pass of cron tells of mail it lists for the first time, of the same mail again, of none, or of
    /// mail with an odd date never.
    @Test func `a pass of cron tells of each new message once`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        let recorder = try Recorder(&setting.herald, program: "notify-send")
        setting.herald.variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        #expect(recorder.notes() == [])

        try deliver(setting, "Tide & <time> tables", date: "Wed, 01 Jan 2003 00:00:00 +0000")
        let told = try setting.herald.run("--sync-once", "--quiet")
        #expect(told.code == 0 && told.errors.isEmpty && told.output.isEmpty, "\(told.errors)")
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        #expect(
            recorder.notes() == [
                [
                    "--app-name=Herald", "--category=email.arrived", "--icon=mail-unread", "--",
                    "New mail for info@example.test", "From ann@client.example: Tide &amp; &lt;time&gt; tables",
                    "new 1",
                ]
            ])

        for number in 1...7 { try deliver(setting, "Number \(number)", date: "Thu, 01 Jan 2099 00:00:00 +0000") }
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        #expect(try setting.herald.run("--rebuild-cache", "--quiet").code == 0)
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        #expect(recorder.notes().count == 2)
        #expect(recorder.notes().last?.suffix(2) == ["7 new messages, from ann@client.example", "new 7"])
    }

    /// Fails when a program of the person's is started through a shell, without its own arguments, or for a mailbox
    /// that is to be quiet; or when one that fails makes a pass fail or what it did not tell is lost at once.
    @Test func `a program of the person's tells, and one that fails is tried once more`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        let recorder = try Recorder(&setting.herald, program: "tell")
        try setting.write(
            settings: "notify_command = [\"\(recorder.path)\", \"a b; $HOME\"]\nnotify.text = \"sender\"\n")
        #expect(try setting.herald.run("--sync-once").code == 0)

        try recorder.fail(true)
        try deliver(setting, "First")
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        try recorder.fail(false)
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        let note = ["a b; $HOME", "New mail for info@example.test", "From ann@client.example", "new 1"]
        #expect(recorder.notes() == [note])

        try setting.write(
            settings: "notify_command = [\"\(recorder.path)\"]\n[mailboxes.\"info@example.test\"]\nnotify = \"off\"\n")
        try deliver(setting, "Second")
        #expect(try setting.herald.run("--sync-once", "--quiet").code == 0)
        #expect(recorder.notes().count == 1)
        #expect(try setting.herald.run("config").text.contains("mailboxes.\"info@example.test\".notify = \"off\""))
    }

    /// Fails when a terminal and passes of cron tell of one message twice, or of one not at all.
    @Test func `a terminal and cron never both tell`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        let recorder = try Recorder(&setting.herald, program: "tell")
        try setting.write(settings: "notify_command = [\"\(recorder.path)\"]\n")
        #expect(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.wait { _ in (try? setting.streams()) == 1 })

        for round in 1...6 {
            for number in 1...3 { try deliver(setting, "Round \(round) number \(number)") }
            let passes = try (0..<2).map { _ in try setting.herald.start(["--sync-once", "--quiet"]) }
            for pass in passes { #expect(try #require(pass.wait()).code == 0) }
        }
        #expect(terminal.waitFor("Round 6 number 3"), "\(terminal.screen)")

        #expect(comesTrue { recorder.told() >= 18 })
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(recorder.told() == 18, "\(recorder.notes())")
    }

    /// Fails when a pass that is killed, at any statement, makes a message be told twice or not at all.
    @Test func `a pass killed anywhere tells once, or its successor does`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        let recorder = try Recorder(&setting.herald, program: "tell")
        try setting.write(settings: "notify_command = [\"\(recorder.path)\"]\n")
        #expect(try setting.herald.run("--sync-once").code == 0)
        let stride = Environment.value("HERALD_SOAK_SECONDS") == nil ? 11 : 1

        var (point, kills) = (1, 0)
        while true {
            try deliver(setting, "Number \(kills)")
            setting.herald.variables["HERALD_FAULT"] = "statement:\(point)"
            let isOver = try setting.herald.run("--sync-once").code == 0
            setting.herald.variables.removeValue(forKey: "HERALD_FAULT")
            #expect(try setting.herald.run("--sync-once").code == 0)
            #expect(comesTrue(ceiling: 60) { recorder.told() == kills + 1 }, "statement \(point)")
            if isOver { break }
            (point, kills) = (point + stride, kills + 1)
        }
        #expect(kills > 3)
    }

    /// Fails when the terminal is not told, is told of what it shows from the start, or a subject steers it.
    @Test func `a terminal that can tells on the desktop`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.write(settings: "notify.terminal = \"osc777\"\nterminal.bell = \"mail\"\n")
        #expect(try setting.herald.run("--sync-once").code == 0)
        try deliver(setting, "Before")
        #expect(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor("Before"), "\(terminal.screen)")
        #expect(terminal.wait { _ in (try? setting.streams()) == 1 })

        try deliver(setting, "=?utf-8?q?A=1B=5D0=3Bx=07=3B_B=C2=9B2J?=")

        let isTold = terminal.wait { terminal in
            let audit = EscapeAudit(terminal.log)
            return !audit.notifications.isEmpty && audit.bells > 0
        }
        #expect(isTold, "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        let audit = EscapeAudit(terminal.log)
        #expect(audit.violations == [])
        #expect(audit.notifications.count == 1)
        #expect(audit.bells == 1)
        let note = try #require(audit.notifications.first)
        #expect(note.hasPrefix("777;notify;New mail for info@example.test;From ann@client.example: A"), "\(note)")
    }

    /// Fails when a status bar gets anything but the number, or a network is asked for it.
    @Test func `the number for a status bar`() throws {
        let setting = try Setting()
        #expect(try setting.herald.run("status", "--unread").code == 65)
        #expect(try setting.herald.run("--sync-once").code == 0)
        setting.server.stop()

        let ended = try setting.herald.run("status", "--unread")

        #expect(ended.text == "4\n" && ended.code == 0 && ended.errors.isEmpty, "\(ended.text)\(ended.errors)")
        #expect(try setting.herald.run("status", "--unread", "--account", "none").code == 65)
        #expect(try setting.herald.run("status", "--unread", "--json").code == 64)
    }
}

/// A program that writes down how it was called, a file for each call.
private struct Recorder {
    let path: String
    private let scratch: Scratch

    /// Puts a program of this name first on the path of another.
    init(_ herald: inout Herald, program: String) throws {
        scratch = try Scratch()
        path = scratch.path + "/" + program
        try scratch.write(
            program,
            """
            #!/bin/sh
            [ -e '\(scratch.path)/fails' ] && exit 1
            printf '%s\\n' "$@" "new $HERALD_NEW" > '\(scratch.path)'/making.$$
            mv '\(scratch.path)'/making.$$ '\(scratch.path)'/note.$(date +%s%N).$$
            """)
        chmod(path, 0o755)
        herald.variables["PATH"] = scratch.path + ":/usr/bin:/bin"
    }

    /// Has the program fail, or not any more.
    func fail(_ isFailing: Bool) throws {
        if isFailing { try scratch.write("fails", "") } else { Files.remove(scratch.path + "/fails") }
    }

    /// The arguments of each call, in the order of the calls.
    func notes() -> [[String]] {
        Files.names(in: scratch.path).filter { $0.hasPrefix("note.") }.sorted().map { name in
            let text = String(decoding: (try? Files.read(scratch.path + "/" + name)) ?? [], as: UTF8.self)
            return text.split(separator: "\n").map(String.init)
        }
    }

    /// How many messages were told of, all together.
    func told() -> Int {
        notes().reduce(0) { $0 + (Int($1.last?.dropFirst(4) ?? "") ?? 1_000) }
    }
}
