internal import Glibc
internal import Synchronization
internal import TerminalDriver

/// How the terminal program ended, for the main thread when the loop is over.
final class Ending: Sendable {
    private struct State {
        var failure: String?
        var signal: Int32?
        var isForDemo = false
    }

    private let state = Mutex(State())

    /// Notes why the screen could not be opened.
    func fail(_ message: String) {
        state.withLock { $0.failure = message }
    }

    /// Notes the signal that ended the program.
    func note(signal: Int32?) {
        state.withLock { $0.signal = signal }
    }

    /// Notes that the person wants to see the demo next.
    func noteDemo() {
        state.withLock { $0.isForDemo = true }
    }

    /// Ends the process: 128 plus the signal's number when one ended it.
    ///
    /// The log is written before the demo goes, since it is among the demo's files.
    func exitProcess(_ demo: Demo?) -> Never {
        let ended = state.withLock { $0 }
        if let message = ended.failure {
            Log.shared.note(.error, "terminal not opened", .number("exit", Int(ExitCode.usage.rawValue)))
            Log.shared.flush()
            demo?.end()
            Output.failure(message)
            exit(ExitCode.usage.rawValue)
        }
        Log.shared.note(.info, "terminal closed", .number("signal", Int(ended.signal ?? 0)))
        Log.shared.flush()
        demo?.end()
        if ended.isForDemo, ended.signal == nil { ThisProgram.begin(["--demo"]) }
        exit(ended.signal.map { 128 + $0 } ?? ExitCode.done.rawValue)
    }
}

/// The one running terminal program, reachable from the loop's handler.
@UIActor
enum Running {
    static var program: TerminalProgram?
}
