import Glibc
import TerminalTestSupport
import Testing

/// What the driver switches on, and that it is all switched off again.
struct ModeTests {
    private func open(_ variables: [String: String], term: String = "xterm-256color") throws -> VirtualTerminal {
        var environment = variables
        environment["TERM"] = term
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return try VirtualTerminal(DriverTests.probe, environment: environment)
    }

    private func text(_ terminal: VirtualTerminal) -> String { String(decoding: terminal.log, as: UTF8.self) }

    @Test func `the mouse arrives and can be given away`() throws {
        let terminal = try open(["PROBE_MOUSE": "1"])
        #expect(terminal.waitFor("ready"))
        #expect(text(terminal).contains("\u{1B}[?1000h\u{1B}[?1006h"))
        terminal.send("\u{1B}[<0;5;3M")
        #expect(terminal.waitFor("mouse press 2,4"))
        terminal.send("\u{1B}[<0;5;3m\u{1B}[<65;9;9M")
        #expect(terminal.waitFor("mouse wheelDown 8,8"))
        #expect(!text(terminal).contains("\u{1B}[?1000l"))
        terminal.send("M")
        #expect(terminal.wait { text($0).contains("\u{1B}[?1006l\u{1B}[?1000l") })
    }

    /// Fails when a way to end leaves the mouse on or another program's title lost.
    @Test(arguments: ["q", "x"])
    func `mouse and title are given back`(key: String) throws {
        let terminal = try open(["PROBE_MOUSE": "1", "PROBE_TITLE": "1"])
        #expect(terminal.waitFor("ready"))
        #expect(text(terminal).contains("\u{1B}[22;2t"))
        terminal.send(key)
        #expect(terminal.waitForExit() != nil)
        #expect(text(terminal).contains("\u{1B}[?1006l\u{1B}[?1000l"))
        #expect(text(terminal).contains("\u{1B}[23;2t"))
    }

    /// Fails when a title can end its own sequence and begin another.
    @Test func `a title is one sequence whatever it holds`() throws {
        let terminal = try open(["PROBE_TITLE": "1"])
        #expect(terminal.waitFor("ready"))
        terminal.send("w")
        #expect(
            terminal.wait { text($0).contains("\u{1B}]2;Title ]0;bad end\u{1B}\\") },
            "\(text(terminal).debugDescription)")
    }

    /// Fails when a terminal that does not know titles or questions is sent them.
    @Test(arguments: ["linux", "vt100"])
    func `a plain terminal gets no title and no question`(term: String) throws {
        let terminal = try open(["PROBE_TITLE": "1", "PROBE_BACKGROUND": "1"], term: term)
        #expect(terminal.waitFor("ready"))
        terminal.send("w")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(!text(terminal).contains("\u{1B}]") && !text(terminal).contains("t\u{1B}[?"))
    }

    @Test func `the background is asked for and the answer arrives`() throws {
        let terminal = try open(["PROBE_BACKGROUND": "1"])
        #expect(terminal.waitFor("ready"))
        #expect(text(terminal).contains("\u{1B}]11;?\u{1B}\\"))
        terminal.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
        #expect(terminal.waitFor("background light"))
    }
}
