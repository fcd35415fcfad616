internal import CSystem
internal import Glibc
internal import Synchronization

/// Another program that was started from this one.
///
/// A thread waits for its end, so it never stays behind as a zombie, whether anybody asks for the end or not. It gets
/// none of this program's open files, and no signal is blocked or ignored in it.
package final class ChildProcess: Sendable {
    /// What the program reads.
    package enum Input: Sendable {
        /// Nothing: its input ends at once.
        case nothing
        /// These bytes, kept in memory and never in a file with a name.
        case bytes([UInt8])
        /// The file at a path.
        case file(String)
        /// What is typed in the terminal; only for a program that has it.
        case terminal
    }

    /// Whether the program has the terminal.
    package enum Place: Sendable {
        /// No: it is on its own, and what it prints is thrown away.
        ///
        /// It is in a session of its own, so no key typed here and no end of this program reaches it.
        case detached
        /// Yes: this program's output is its output, and keys that interrupt or stop reach both.
        case terminal
    }

    /// How a program ended.
    package enum Ending: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)

        /// Whether it ended as programs do that have nothing to complain of.
        package var isSuccess: Bool { self == .exited(0) }
    }

    private struct State {
        var ending: Ending?
        var waiting: [CheckedContinuation<Ending, Never>] = []
    }

    /// The process id; of use only to tell about it, since it may be another's once the program ended.
    package let id: Int32
    private let state = Mutex(State())

    /// Starts a program: found on `PATH` unless its name has a slash, with arguments that no shell looks at.
    ///
    /// The variables of `settings` are set in its environment, beside what this program has. What a detached program
    /// prints goes to `output`, if there is one.
    /// - Throws: `SystemError` when it cannot be started, such as `ENOENT` when there is none of this name.
    package init(
        _ arguments: [String], input: Input = .nothing, place: Place = .detached, output: MemoryFile? = nil,
        settings: [String: String] = [:]
    ) throws(SystemError) {
        let file = try ChildProcess.open(input)
        defer { if let file { close(file) } }
        id = try ChildProcess.spawn(
            arguments, input: file, place: place, output: output?.descriptor, settings: settings)
        ChildProcess.watch(self)
    }

    /// Waits for the end.
    package func ended() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil { state.waiting.append(continuation) }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    /// Sends a signal, unless the program has ended.
    package func send(_ signal: Int32) {
        // The lock keeps the process id from being given to another program meanwhile.
        state.withLock { state in
            if state.ending == nil { kill(id, signal) }
        }
    }

    /// Kills the program and all that it started in its session, unless it has ended.
    package func endGroup() {
        state.withLock { state in
            guard state.ending == nil else { return }
            kill(-id, SIGKILL)
            kill(id, SIGKILL)
        }
    }

    /// Whether a program of this name can be started: on `PATH`, or at the path it is.
    package static func isThere(_ name: String) -> Bool {
        if name.contains("/") { return access(name, X_OK) == 0 && !Files.isDirectory(name) }
        return (Environment.value("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains { directory in
            directory.hasPrefix("/") && access("\(directory)/\(name)", X_OK) == 0
                && !Files.isDirectory("\(directory)/\(name)")
        }
    }
}

// Starting.
extension ChildProcess {
    /// The file that input comes from, `nil` for the terminal.
    private static func open(_ input: Input) throws(SystemError) -> Int32? {
        let file: Int32
        switch input {
        case .terminal: return nil
        case .nothing: file = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        case .file(let path): file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        case .bytes(let bytes):
            file = herald_memory_file()
            guard file < 0 || Files.writeAll(file, bytes) && lseek(file, 0, SEEK_SET) == 0 else {
                let code = errno
                close(file)
                throw SystemError(call: "write", code: code)
            }
        }
        guard file >= 0 else { throw SystemError(call: "open", code: errno) }
        return file
    }

    private static func spawn(
        _ arguments: [String], input: Int32?, place: Place, output: Int32?, settings: [String: String]
    ) throws(SystemError) -> pid_t {
        guard let name = arguments.first, !name.isEmpty, !arguments.contains(where: { $0.contains("\0") }) else {
            throw SystemError(call: "posix_spawn", code: EINVAL)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if place == .detached {
            for file: Int32 in 1...2 { posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0) }
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        _ = herald_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(&attributes, place)
        var process: pid_t = 0
        var code: Int32 = 0
        withPointers(arguments) { arguments in
            withPointers(environment(settings)) { environment in
                code = posix_spawnp(&process, name, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemError(call: "posix_spawn", code: code) }
        return process
    }

    /// The program gets no signal blocked and none ignored, whatever this one does with its own.
    private static func setSignals(_ attributes: inout posix_spawnattr_t, _ place: Place) {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let own = place == .detached ? herald_spawn_new_session : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | own)
    }

    private static func environment(_ settings: [String: String]) -> [String] {
        var variables: [String] = []
        var pointer = environ
        while let entry = pointer.pointee {
            let text = String(cString: entry)
            if settings[String(text.prefix { $0 != "=" })] == nil { variables.append(text) }
            pointer += 1
        }
        return variables + settings.map { "\($0.key)=\($0.value)" }
    }

    private static func withPointers(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Void) {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        pointers.append(nil)
        body(pointers)
        for pointer in pointers { free(pointer) }
    }
}

// Ending.
extension ChildProcess {
    private static func watch(_ child: ChildProcess) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(child).toOpaque()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<ChildProcess>.fromOpaque(context).takeRetainedValue().waitForEnd()
            return nil
        }
        guard pthread_create(&thread, nil, body, context) == 0 else {
            // Without a thread nobody could be told of the end; the program is waited for here.
            return Unmanaged<ChildProcess>.fromOpaque(context).takeRetainedValue().waitForEnd()
        }
        pthread_detach(thread)
    }

    private func waitForEnd() {
        // First only looked at, so that the process id stays taken until no signal can be sent any more.
        var seen = siginfo_t()
        while waitid(P_PID, id_t(id), &seen, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (ending, waiting) = state.withLock { state in
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let ending: Ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
            state.ending = ending
            defer { state.waiting = [] }
            return (ending, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: ending) }
    }
}
