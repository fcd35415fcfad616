internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Links of the real program.
struct LinkTests {
    /// Fails when a link reaches a shell, takes the token along, or the browser gets hold of the terminal.
    @Test func `a link is opened by the browser of the environment`() throws {
        let setting = try Setting(body: "See https://example.com/a?b=$(id)&c=;d for more.")
        defer { setting.server.stop() }
        var herald = setting.herald
        let told = herald.home.path + "/told"
        let script = """
            #!/bin/sh
            out=$(readlink /proc/$$/fd/1)
            { echo "$#"; echo "$1"; echo "token=$HERALD_TOKEN"; readlink /proc/$$/fd/0; echo "$out"; readlink /proc/$$/fd/2
            ls /proc/$$/fd | wc -w; } >'\(told).new'
            echo "words for the terminal"
            mv '\(told).new' '\(told)'
            """
        try Files.replace(herald.home.path + "/browser", with: Array(script.utf8))
        chmod(herald.home.path + "/browser", 0o700)
        herald.variables["BROWSER"] = herald.home.path + "/browser"
        let terminal = try herald.open()
        #expect(terminal.waitFor(Setting.subject, ceiling: 30), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor("for more", ceiling: 30), "\(terminal.screen)")
        terminal.send("o")
        #expect(terminal.waitFor("Open link: 1", ceiling: 30), "\(terminal.screen)")
        #expect(terminal.screen.contains("https://example.com/a?b=$(id)&c=;d"))
        terminal.send("\r")
        #expect(comesTrue(ceiling: 30) { Files.exists(told) })
        let lines = String(decoding: try Files.read(told), as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(6) == [
                "1", "https://example.com/a?b=$(id)&c=;d", "token=", "/dev/null", "/dev/null", "/dev/null",
            ])
        #expect((Int(lines.last ?? "") ?? 99) <= 5, "\(lines)")
        terminal.send("j")
        #expect(terminal.waitForIdle(ceiling: 30))
        #expect(!String(decoding: terminal.log, as: UTF8.self).contains("words for the terminal"))
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 30) == 0)
    }

    /// Fails when a browser that is not there goes without a word.
    @Test func `a browser that is not there is told of, and a link is copied`() throws {
        let setting = try Setting(body: "See https://example.com/x for more.")
        defer { setting.server.stop() }
        var herald = setting.herald
        herald.variables["BROWSER"] = "/nowhere/browser"
        let terminal = try herald.open()
        #expect(terminal.waitFor(Setting.subject, ceiling: 30), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor("for more", ceiling: 30), "\(terminal.screen)")
        terminal.send("o\r")
        #expect(terminal.waitFor("There is no program to open links", ceiling: 30), "\(terminal.screen)")
        terminal.send("O\r")
        #expect(terminal.waitFor("Copied through the terminal", ceiling: 30), "\(terminal.screen)")
        let log = String(decoding: terminal.log, as: UTF8.self)
        #expect(log.contains("\u{1B}]52;c;aHR0cHM6Ly9leGFtcGxlLmNvbS94\u{7}"))
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 30) == 0)
    }
}
