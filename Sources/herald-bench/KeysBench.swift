internal import CSystem
internal import Glibc
internal import MailModel
internal import Platform
internal import SQLite
internal import TerminalTestSupport

/// Keys pressed in the real program on a real terminal while its first pass writes.
struct KeysBench {
    static let keys = 2_000
    /// First passes to try at most; each gives some hundred keys.
    private static let roundsMax = 60

    let program: String
    let mail: LocalMail

    /// The time from each key to the frame that shows what it did, and how far memory rose.
    func run() throws -> (times: Samples, peakMegabytes: Double) {
        var samples = Samples()
        var peak = 0.0
        for round in 0..<KeysBench.roundsMax where samples.values.count < KeysBench.keys {
            let home = "\(mail.directory)/keys\(round)"
            try Files.makeDirectory(home)
            defer { Files.removeTree(home) }
            let terminal = try VirtualTerminal(
                program, environment: KeysBench.environment(home, mail), columns: 110, rows: 30)
            guard terminal.waitFor(MadeMail.subjectStart, ceiling: 30) else { throw BenchError("no list was shown") }
            let database = try Database(SeededCache.path(home, mail.origin), mode: .readOnly)
            try KeysBench.press(terminal, &samples) {
                try database.scalar("SELECT count(*) FROM meta WHERE key = 'bootstrapped'") == 0
            }
            peak = max(peak, KeysBench.peakMegabytes(terminal.processID))
            terminal.send("q")
            _ = terminal.waitForExit(ceiling: 10)
        }
        guard samples.values.count >= KeysBench.keys else { throw BenchError("the passes were over too soon") }
        return (samples, peak)
    }

    static func environment(_ home: String, _ mail: LocalMail) -> [String: String] {
        [
            "HERALD_HOME": home, "HERALD_ORIGIN": mail.origin, "HERALD_TOKEN": LocalMail.token,
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        ]
    }

    /// Moves the selection down and up as long as something goes on.
    static func press(
        _ terminal: VirtualTerminal, _ samples: inout Samples, while goesOn: () throws -> Bool
    ) throws {
        let home = KeysBench.selection(terminal)
        var isDown = false
        // What is measured is the program's delay and not this one's, as far as the system lets it be told apart.
        _ = herald_set_thread_niceness(-10)
        defer { _ = herald_set_thread_niceness(0) }
        while try goesOn() {
            isDown.toggle()
            let row = isDown ? home.row + 1 : home.row
            let started = ContinuousClock.now
            terminal.send(isDown ? "j" : "k")
            // A frame is whole when it leaves the cursor on the selected row.
            guard terminal.wait(ceiling: 5, until: { $0.cursor.row == row && $0.cursor.column == home.column }) else {
                throw BenchError("a key did nothing")
            }
            samples.add(ContinuousClock.now - started)
        }
    }

    /// Where the cursor most often is in a few frames: on the selected row.
    private static func selection(_ terminal: VirtualTerminal) -> (row: Int, column: Int) {
        var seen: [[Int]: Int] = [:]
        var looks = 0
        _ = terminal.wait(ceiling: 1) { terminal in
            seen[[terminal.cursor.row, terminal.cursor.column], default: 0] += 1
            looks += 1
            return looks == 8
        }
        let most = seen.max { $0.value < $1.value }?.key ?? [0, 0]
        return (most[0], most[1])
    }

    /// The peak of a running program's resident memory.
    static func peakMegabytes(_ process: pid_t) -> Double {
        Double(ProcessFigures.number(after: "VmHWM:", in: "/proc/\(process)/status")) / 1_024
    }
}
