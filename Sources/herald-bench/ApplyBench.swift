internal import MailModel
internal import Platform
internal import TerminalTestSupport

/// `herald apply` on ten thousand messages: how soon they are queued, and what keys do meanwhile in a terminal.
struct ApplyBench {
    private static let runs = 5

    let program: String
    let mail: LocalMail

    /// What was measured.
    struct Found {
        /// From the start of the program to its end, with everything queued and shown.
        var queueing = Samples()
        /// From a key to the frame that shows what it did, in a terminal of the account while all are sent.
        var keys = Samples()
        var peakMegabytes = 0.0
        /// The same before anything was queued.
        var calmMegabytes = 0.0
    }

    private var home: String { mail.directory + "/apply" }

    func run() throws -> Found {
        try Files.makeDirectory(home)
        defer { Files.removeTree(home) }
        try run("--sync-once")
        var found = Found()
        for _ in 0..<ApplyBench.runs {
            let started = ContinuousClock.now
            // What waits ends it with 79.
            try run("apply", "--where", "in:anywhere", "--offline", "archive", code: 79)
            found.queueing.add(ContinuousClock.now - started)
            try run("outbox", "drop", "--all")
        }
        try keys(&found)
        return found
    }

    private func run(_ arguments: String..., code expected: Int32 = 0) throws {
        let code = try start(arguments).wait()
        guard code == expected else { throw BenchError("herald \(arguments[0]) ended with \(code)") }
    }

    private func start(_ arguments: [String]) throws -> ChildProcess {
        let environment = KeysBench.environment(home, mail).map { "\($0.key)=\($0.value)" }
        return try ChildProcess([program] + arguments, environment: environment)
    }

    private func keys(_ found: inout Found) throws {
        let terminal = try VirtualTerminal(
            program, environment: KeysBench.environment(home, mail), columns: 110, rows: 30)
        guard terminal.waitFor(MadeMail.subjectStart, ceiling: 30) else { throw BenchError("no list was shown") }
        found.calmMegabytes = KeysBench.peakMegabytes(terminal.processID)
        // Stars leave every row where it is.
        let apply = try start(["apply", "--where", "in:anywhere -is:starred", "star"])
        var hasEnded = false
        try KeysBench.press(terminal, &found.keys) {
            hasEnded = apply.hasEnded
            return !hasEnded
        }
        found.peakMegabytes = KeysBench.peakMegabytes(terminal.processID)
        terminal.send("q")
        _ = terminal.waitForExit(ceiling: 10)
    }
}
