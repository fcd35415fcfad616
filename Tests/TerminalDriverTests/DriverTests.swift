import Glibc
import TerminalTestSupport
import Testing

struct DriverTests {
    static let probe = builtProgram("terminal-probe")

    /// Whether a whole frame comes: its last cells, and then the cursor in its place.
    private static func isPainted(_ terminal: VirtualTerminal, rows: Int) -> Bool {
        terminal.wait { $0.line(rows - 1).hasSuffix("corner") && $0.cursor == (1, 3) }
    }

    @Test(arguments: ["xterm-256color", "xterm", "screen", "linux", "vt100"])
    func `cells stand where the grid says`(term: String) throws {
        let terminal = try VirtualTerminal(Self.probe, environment: ["TERM": term], columns: 40, rows: 6)
        #expect(Self.isPainted(terminal, rows: 6))
        #expect(terminal.line(0).hasPrefix("  日本 e\u{301}"))
        #expect(terminal.line(0).hasSuffix("|"))
        #expect(terminal.look(row: 1, column: 0).reverse)
        #expect(!terminal.isCooked)
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.isCooked)
    }

    @Test func `keys, pastes, sizes and deadlines arrive`() throws {
        let terminal = try VirtualTerminal(Self.probe, columns: 60, rows: 6)
        #expect(terminal.waitFor("ready"))
        terminal.send("\u{1B}[A")
        #expect(terminal.waitFor("key up 0"))
        terminal.send("\u{1B}")
        #expect(terminal.waitFor("key escape 0"))
        terminal.send("\u{1B}[200~hello\u{1B}[201~")
        #expect(terminal.waitFor("paste hello"))
        terminal.send("\u{3}")
        #expect(terminal.waitFor("key character(\"c\") 1"))
        terminal.send("t")
        #expect(terminal.waitFor("deadline"))
        terminal.resize(columns: 50, rows: 8)
        #expect(terminal.waitFor("size 50x8"))
        #expect(Self.isPainted(terminal, rows: 8))
    }

    @Test(arguments: [("x", Int32(139)), ("q", 0)])
    func `the terminal is given back`(key: String, status: Int32) throws {
        let terminal = try VirtualTerminal(
            Self.probe, environment: ["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"])
        #expect(terminal.waitFor("ready"))
        terminal.send(key)
        #expect(terminal.waitForExit() == status)
        #expect(terminal.isCooked)
        let log = String(decoding: terminal.log, as: UTF8.self)
        #expect(log.contains("\u{1B}[?1049l") && log.contains("\u{1B}[?2004l"))
    }

    /// Fails when a signal that ends a process leaves the terminal raw.
    @Test(arguments: [
        SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGQUIT, SIGXCPU, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGPROF,
        SIGVTALRM, SIGPWR,
    ])
    func `the terminal is given back by every signal that ends the program`(_ number: Int32) throws {
        let terminal = try VirtualTerminal(Self.probe)
        #expect(terminal.waitFor("ready"))
        terminal.signal(number)
        #expect(terminal.waitForExit() == 128 + number)
        #expect(terminal.isCooked)
        let log = String(decoding: terminal.log, as: UTF8.self)
        #expect(log.contains("\u{1B}[?1049l") && log.contains("\u{1B}[?2004l"))
    }

    @Test func `a signal ends the program with its number`() throws {
        let terminal = try VirtualTerminal(Self.probe)
        #expect(terminal.waitFor("ready"))
        terminal.signal(15)
        #expect(terminal.waitForExit() == 143)
        #expect(terminal.isCooked)
    }

    @Test func `the screen comes back after a stop`() throws {
        let terminal = try VirtualTerminal(Self.probe)
        #expect(terminal.waitFor("ready"))
        let before = terminal.log.count
        terminal.send("\u{1A}")
        #expect(terminal.waitFor("resumed"))
        #expect(terminal.waitFor("corner"))
        let log = String(decoding: terminal.log[before...], as: UTF8.self)
        #expect(log.contains("\u{1B}[?1049l") && log.contains("\u{1B}[?1049h") && log.contains("\u{1B}[?2004h"))
        #expect(!terminal.isCooked)
    }

    @Test(arguments: ["dumb", "no-such-terminal"])
    func `a terminal that cannot be used is named`(term: String) throws {
        let terminal = try VirtualTerminal(Self.probe, environment: ["TERM": term])
        #expect(terminal.waitForExit() == 78)
        #expect(terminal.screen.contains(term))
    }

    @Test func `no colour is sent when none is wanted`() throws {
        let terminal = try VirtualTerminal(Self.probe, environment: ["TERM": "xterm-256color", "NO_COLOR": "1"])
        #expect(terminal.waitFor("ready"))
        let log = String(decoding: terminal.log, as: UTF8.self)
        #expect(!log.contains("[91m") && !log.contains("[31m"))
        #expect(terminal.look(row: 0, column: 2).bold)
    }
}
