internal import CSystem
internal import Glibc
internal import Platform
internal import TerminalTestSupport

/// A key held down in the real program: each press is sent as soon as the frame of the last one is whole.
struct ScrollBench {
    /// How long a key is held.
    private static let held = Duration.seconds(10)
    private static let size = (columns: 100, rows: 30)
    private static let escapes = 50

    let program: String
    let environment: [String: String]

    /// `j` in a long list; answers the time of each frame and the list's length in words.
    func list() throws -> (frames: Samples, length: String) {
        let terminal = try open(["--offline"])
        guard terminal.waitFor(MadeMail.subjectStart, ceiling: 30) else { throw BenchError("no list was shown") }
        let status = ScrollBench.size.rows - 2
        guard terminal.wait(until: { $0.line(status).contains(" 1 of ") }) else {
            throw BenchError("no number is shown")
        }
        let length = terminal.line(status).split(separator: " ").last.map(String.init) ?? "?"
        var number = 1
        let frames = try hold(terminal) { terminal in
            terminal.line(status).contains(" \(ScrollBench.grouped(number)) of ")
        } before: {
            number += 1
        }
        leave(terminal)
        return (frames, length)
    }

    /// `j` in a long message of which every line is numbered.
    func reader() throws -> Samples {
        let terminal = try open([])
        guard terminal.waitFor(LongMail.subject, ceiling: 30) else { throw BenchError("no list was shown") }
        terminal.send("\r")
        // The first lines are in the list, too.
        guard terminal.waitFor(LongMail.line(9), ceiling: 30) else { throw BenchError("no text was shown") }
        for _ in 0..<20 where !terminal.line(0).contains(LongMail.line(1)) {
            // One key at a time, however slow: one too many would be counted as one that did nothing.
            let before = terminal.line(0)
            terminal.send("j")
            _ = terminal.wait(ceiling: 30) { $0.line(0) != before }
            // The frame may come in two pieces.
            _ = terminal.wait(ceiling: 1) { $0.line(0).contains(LongMail.line(1)) }
        }
        var number = 1
        let frames = try hold(terminal) {
            $0.line(0).contains(LongMail.line(number))
        } before: {
            number += 1
        }
        leave(terminal)
        return frames
    }

    /// From the escape key to the frame without help.
    func escape() throws -> Samples {
        let terminal = try open(["--offline"])
        guard terminal.waitFor(MadeMail.subjectStart, ceiling: 30) else { throw BenchError("no list was shown") }
        var samples = Samples()
        for _ in 0..<ScrollBench.escapes {
            terminal.send("?")
            guard terminal.wait(until: { !$0.screen.contains(MadeMail.subjectStart) }) else {
                throw BenchError("help was not shown")
            }
            let started = ContinuousClock.now
            terminal.send("\u{1B}")
            guard terminal.waitFor(MadeMail.subjectStart) else { throw BenchError("the escape key did nothing") }
            samples.add(ContinuousClock.now - started)
        }
        leave(terminal)
        return samples
    }

    private func open(_ arguments: [String]) throws -> VirtualTerminal {
        try VirtualTerminal(
            program, arguments: arguments, environment: environment, columns: ScrollBench.size.columns,
            rows: ScrollBench.size.rows)
    }

    private func leave(_ terminal: VirtualTerminal) {
        terminal.send("Q")
        _ = terminal.waitForExit()
    }

    private func hold(
        _ terminal: VirtualTerminal, isShown: (VirtualTerminal) -> Bool, before: () -> Void
    ) throws -> Samples {
        var samples = Samples()
        // What is measured is the program's delay and not this one's, as far as the system lets it be told apart.
        _ = herald_set_thread_niceness(-10)
        defer { _ = herald_set_thread_niceness(0) }
        let end = ContinuousClock.now.advanced(by: ScrollBench.held)
        while ContinuousClock.now < end {
            before()
            let started = ContinuousClock.now
            terminal.send("j")
            guard terminal.wait(ceiling: 30, until: isShown) else { throw BenchError("a key did nothing") }
            samples.add(ContinuousClock.now - started)
        }
        return samples
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0 && index.isMultiple(of: 3) { text = "," + text }
            text = String(digit) + text
        }
        return text
    }
}

/// A mail of very many numbered lines on a server of its own, and a program that has fetched it.
struct LongMail {
    static let subject = "A long report"
    private static let lines = 60_000

    static func line(_ number: Int) -> String { "line \(number) of the report" }

    let environment: [String: String]
    private let server: LocalMail

    init(programs: String, directory: String) throws {
        let head = "From: ann@client.example\r\nTo: info@example.test\r\nSubject: \(LongMail.subject)\r\n\r\n"
        let text = head + (1...LongMail.lines).map { LongMail.line($0) + "\r\n" }.joined()
        server = try LocalMail(
            program: programs + "/herald-server", importing: Array(text.utf8), as: "long.eml", directory: directory)
        let home = directory + "/home"
        try Files.makeDirectory(home)
        environment = KeysBench.environment(home, server)
        let pass = try ChildProcess(
            [programs + "/herald", "--sync-once"], environment: environment.map { "\($0.key)=\($0.value)" })
        guard pass.wait() == 0 else { throw BenchError("the pass failed") }
    }

    func end() { server.end() }
}
