internal import Glibc
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport

/// The real program while it runs, without a terminal.
final class RunningHerald {
    let processID: pid_t
    private let output: String
    private let errors: String
    private var code: Int32?
    private let kept: Scratch?

    /// Starts a program with exactly this environment, but for the options of a sanitizer; what it prints goes to files in `directory`.
    ///
    /// `kept` stays until the program has ended.
    init(_ words: [String], environment: [String: String], directory: String, keeping kept: Scratch? = nil) throws {
        self.kept = kept
        let name = "\(directory)/run-\(UInt64.random(in: 0...UInt64.max))"
        (output, errors) = (name + ".out", name + ".err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let argv = words.map { strdup($0) } + [nil]
        let envp = environmentWithSanitizers(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Tests that run in the background ignore signals, and what they start would, too.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let answer = posix_spawn(&child, words[0], &actions, &attributes, argv, envp)
        guard answer == 0 else { throw SetupError.notStarted(answer) }
        processID = child
    }

    deinit {
        if code == nil {
            kill(processID, SIGKILL)
            waitpid(processID, nil, 0)
        }
    }

    func signal(_ number: Int32) {
        if code == nil { kill(processID, number) }
    }

    /// Whether the program is still there.
    var isRunning: Bool {
        look(WNOHANG)
        return code == nil
    }

    /// How the program ended; `nil` when it still runs after so many seconds.
    func wait(ceiling seconds: Int = 600) -> Ended? {
        let end = Environment.monotonicMilliseconds + Int64(seconds) * 1_000
        while isRunning, Environment.monotonicMilliseconds < end { poll(nil, 0, 5) }
        guard let code else { return nil }
        return Ended(
            code: code, output: (try? Files.read(output)) ?? [],
            errors: String(decoding: (try? Files.read(errors)) ?? [], as: UTF8.self))
    }

    private func look(_ options: Int32) {
        var raw: Int32 = 0
        guard code == nil, waitpid(processID, &raw, options) == processID else { return }
        code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
    }
}

extension Herald {
    /// Starts the program without waiting for it; `shell` is run before it, in the same process.
    func start(
        _ arguments: [String], after shell: String? = nil, environment variables: [String: String]? = nil
    ) throws -> RunningHerald {
        let prefix = shell.map { ["/bin/sh", "-c", $0 + "; exec \"$@\"", "sh"] } ?? []
        return try RunningHerald(
            prefix + [Herald.program] + arguments, environment: variables ?? environment, directory: home.path,
            keeping: home)
    }

    /// The account's directory below `cache` or `state`; it has only one.
    func directory(_ kind: String) -> String {
        let base = "\(home.path)/h/\(kind)"
        return "\(base)/\(Files.names(in: base).first { Files.isDirectory("\(base)/\($0)") } ?? "none")"
    }

    var cache: String { directory("cache") + "/cache.sqlite" }
    var passLock: String { directory("state") + "/pass.lock" }

    /// The subjects of the inbox, from the cache alone.
    func listed() throws -> String {
        let ended = try run("list", "messages", "--all", "--json")
        guard ended.code == 0 else { throw SetupError.noAnswer(ended.errors) }
        return ended.text
    }
}

extension Herald {
    /// The environment with another port of the server.
    func environment(port: Int) -> [String: String] {
        environment.merging(["HERALD_ORIGIN": "http://127.0.0.1:\(port)"]) { $1 }
    }
}

/// Whether nobody holds a lock; a lock whose file is not there yet is held by nobody.
func isFree(_ path: String) throws -> Bool {
    guard Files.exists(path) else { return true }
    guard let lock = try FileLock.take(path) else { return false }
    _ = consume lock
    return true
}
