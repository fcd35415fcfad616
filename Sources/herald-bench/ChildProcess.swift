internal import CSystem
internal import Glibc

/// A program that was started, measured from its start to its end.
struct ChildProcess {
    /// `POSIX_SPAWN_SETSID`, which only GNU sources see in the header.
    private static let newSession: Int16 = 0x80

    let id: pid_t

    /// Starts a program; `output` is the file its output goes to, and with `isTerminal` its whole terminal.
    init(_ arguments: [String], environment: [String], output: String = "/dev/null", isTerminal: Bool = false) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let quiet = isTerminal ? output : "/dev/null"
        posix_spawn_file_actions_addopen(&actions, 0, quiet, O_RDWR, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_RDWR, 0)
        posix_spawn_file_actions_addopen(&actions, 2, quiet, O_RDWR, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A new session takes the first terminal it opens as its own.
        if isTerminal { posix_spawnattr_setflags(&attributes, ChildProcess.newSession) }
        guard let path = arguments.first else { throw BenchError("there is no program to start") }
        var process: pid_t = 0
        var code: Int32 = 0
        ChildProcess.withPointers(arguments) { arguments in
            ChildProcess.withPointers(environment) { environment in
                code = posix_spawn(&process, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw BenchError("\(path) did not start") }
        id = process
    }

    /// Waits for the end; answers the exit code, 255 for a signal's end.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 255
    }

    /// Whether the program has ended; `wait` still answers how.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// Asks the program to end and waits for it.
    func end() {
        kill(id, SIGTERM)
        _ = wait()
    }

    private static func withPointers(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Void) {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        body(pointers)
        for pointer in pointers { free(pointer) }
    }
}
