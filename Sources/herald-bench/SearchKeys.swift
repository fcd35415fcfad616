internal import CSystem
internal import TerminalTestSupport

/// Filters typed in the real program on a large cache: each letter is sent as soon as the one before it is seen.
struct SearchKeysBench {
    private static let rounds = 12
    private static let typed = [
        "invoice printer", "is:unread from:person77 -budget", "winter garden travel", "older:2y zebra", "p", "-a or b",
    ]

    let program: String
    let environment: [String: String]

    /// The time from each key to the frame that shows it.
    func run() throws -> Samples {
        let terminal = try VirtualTerminal(
            program, arguments: ["--offline"], environment: environment, columns: 110, rows: 30)
        guard terminal.waitFor(MadeMail.subjectStart, ceiling: 30) else { throw BenchError("no list was shown") }
        terminal.send("/")
        guard terminal.waitFor("Filter:") else { throw BenchError("there is no prompt") }
        var samples = Samples()
        // What is measured is the program's delay and not this one's, as far as the system lets it be told apart.
        _ = herald_set_thread_niceness(-10)
        defer { _ = herald_set_thread_niceness(0) }
        for text in (0..<SearchKeysBench.rounds).flatMap({ _ in SearchKeysBench.typed }) {
            for length in 1...text.count {
                let shown = "Filter: " + text.prefix(length)
                let started = ContinuousClock.now
                terminal.send(String(text.prefix(length).suffix(1)))
                // A blank at the end of a line is not to be seen.
                if shown.hasSuffix(" ") { continue }
                guard terminal.wait(ceiling: 10, until: { $0.screen.contains(shown) }) else {
                    throw BenchError("a letter was not shown")
                }
                samples.add(ContinuousClock.now - started)
            }
            // All letters go at once.
            terminal.send("\u{15}")
            guard terminal.wait(until: { !$0.screen.contains("Filter: " + text.prefix(1)) }) else {
                throw BenchError("the line was not emptied")
            }
        }
        terminal.send("\u{1B}")
        _ = terminal.wait { !$0.screen.contains("Filter: ") }
        terminal.send("Q")
        _ = terminal.waitForExit(ceiling: 10)
        return samples
    }
}
