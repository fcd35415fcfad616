internal import Glibc
internal import Platform
internal import TerminalTestSupport

/// The terminal program with nothing to do.
struct IdleBench {
    private static let settle: UInt32 = 3
    private static let seconds: UInt32 = 6

    let program: String
    let environment: [String: String]

    /// Wake-ups and milliseconds of processor time in a second.
    func run() throws -> (wakeups: Double, milliseconds: Double) {
        let terminal = try VirtualTerminal(
            program, arguments: ["--offline"], environment: environment, columns: 110, rows: 30)
        guard terminal.waitFor(MadeMail.subjectStart) else { throw BenchError("no list was shown") }
        sleep(IdleBench.settle)
        let before = ProcessFigures(terminal.processID)
        sleep(IdleBench.seconds)
        let after = ProcessFigures(terminal.processID)
        terminal.send("q")
        _ = terminal.waitForExit()
        let seconds = Double(IdleBench.seconds)
        return (
            Double(after.switches - before.switches) / seconds,
            Double(after.nanoseconds - before.nanoseconds) / 1e6 / seconds
        )
    }
}

/// What the kernel counts of a process, over all its threads.
struct ProcessFigures {
    /// How often a thread had waited and went on.
    private(set) var switches = 0
    private(set) var nanoseconds = 0

    init(_ process: pid_t) {
        let tasks = "/proc/\(process)/task"
        for task in Files.names(in: tasks) {
            switches += ProcessFigures.number(after: "\nvoluntary_ctxt_switches:", in: "\(tasks)/\(task)/status")
            nanoseconds += ProcessFigures.number(after: "", in: "\(tasks)/\(task)/schedstat")
        }
    }

    /// The first number after a word in a file of the kernel; 0 when there is none.
    static func number(after word: String, in path: String) -> Int {
        guard let bytes = try? Files.read(path) else { return 0 }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let range = word.isEmpty ? text.startIndex..<text.startIndex : text.ranges(of: word).first
        else { return 0 }
        let digits = text[range.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
        return Int(digits) ?? 0
    }
}
