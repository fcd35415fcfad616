internal import CSystem
internal import DisplayText
internal import Glibc
internal import Platform

/// The local server as a program of its own: found, replaced by, or started beside this one.
enum ServerProcess {
    /// The path of `herald-server`: `HERALD_SERVER`, else beside this program, else in its libexec.
    static func path() throws(CommandFailure) -> String {
        if let chosen = Environment.value("HERALD_SERVER") {
            // Another program in its place would do something else than was asked for.
            if access(chosen, X_OK) == 0, !Files.isDirectory(chosen) { return chosen }
            throw CommandFailure(
                "HERALD_SERVER names no program that can be run: \(TextDisplay.sanitizedLine(chosen)).", .configuration)
        }
        let directory = Environment.executablePath.prefix { _ in true }.split(separator: "/").dropLast()
        let beside = "/" + directory.joined(separator: "/")
        for candidate in [beside + "/herald-server", beside + "/../libexec/herald-server"]
        where access(candidate, X_OK) == 0 { return candidate }
        throw CommandFailure("The program herald-server was not found beside herald.", .configuration)
    }

    /// Becomes the server; returns only when that fails.
    static func replaceThisProcess(_ arguments: [String]) throws(CommandFailure) {
        let path = try path()
        withArguments([path] + arguments) { _ = execv(path, $0) }
        throw CommandFailure("The program herald-server could not be started.", .failed)
    }

    /// Starts the server with its output thrown away; answers its process id.
    static func start(_ arguments: [String]) throws(CommandFailure) -> pid_t {
        let path = try path()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for file: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The terminal program blocks signals; the server must not inherit that, nor die of a Ctrl-C typed here.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var process: pid_t = 0
        var code: Int32 = 0
        withArguments([path] + arguments) { code = posix_spawn(&process, path, &actions, &attributes, $0, environ) }
        guard code == 0 else { throw CommandFailure("The program herald-server could not be started.", .failed) }
        return process
    }

    private static func withArguments(
        _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Void
    ) {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        pointers.append(nil)
        body(pointers)
        for pointer in pointers { free(pointer) }
    }
}

/// The demo: a local server with a small team's mail, in a directory that goes when the server ends.
struct Demo {
    let account: Account
    private let process: pid_t
    private let directory: String

    /// Starts the server and waits until it listens.
    ///
    /// The settings are the person's own, so that the demo has their keys.
    /// - Throws: when the settings are wrong, there is no server, no mail for it, or it does not start.
    init() throws(CommandFailure) {
        let config = try Places.fromEnvironment().config
        let settings = try SettingsFile.load(config + "/config.toml")
        let base = Environment.value("TMPDIR") ?? "/tmp"
        Demo.sweep(base)
        directory = "\(base)/herald-demo-\(getpid())"
        do {
            try Files.makeDirectory(directory)
        } catch {
            throw CommandFailure("A directory for the demo cannot be made: \(error.message).", .cannotCreate)
        }
        let portFile = directory + "/port"
        process = try ServerProcess.start([
            "--port", "0", "--port-file", portFile, "--state", directory + "/server", "--demo-users", "--demo",
            try Demo.mailFile(), "--exit-with-parent", "--remove-on-exit", directory,
        ])
        let port = try Demo.waitForPort(portFile, process: process)
        let places = Places(
            config: config, cache: directory + "/cache", state: directory + "/state", isSelfContained: true)
        var account = try Account.make(origin: "http://127.0.0.1:\(port)", token: "hqb_access_owner", places: places)
        account.settings = settings
        self.account = account
    }

    /// Ends the server and waits until its directory is gone with it; the last thing the program does.
    func end() {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        // A pass that was still under way may have written once more.
        Files.removeTree(directory)
    }

    private static func waitForPort(_ path: String, process: pid_t) throws(CommandFailure) -> Int {
        for _ in 0..<4_000 {
            if let bytes = try? Files.read(path),
                let port = Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)), port > 0
            {
                return port
            }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process { break }
            usleep(5_000)
        }
        throw CommandFailure("The demo's server did not start.", .failed)
    }

    /// The demo's mail: beside an installed program, or in the source tree of a built one.
    private static func mailFile() throws(CommandFailure) -> String {
        let beside = Environment.executablePath.split(separator: "/").dropLast()
        var directory = Array(beside)
        while !directory.isEmpty {
            for place in ["Resources/demo.json", "share/herald/demo.json"] {
                let path = "/" + (directory + [Substring(place)]).joined(separator: "/")
                if Files.exists(path) { return path }
            }
            directory.removeLast()
        }
        throw CommandFailure("The demo's mail was not found. Run “make install” again.", .configuration)
    }

    /// Removes what demos left behind whose program and server were both killed.
    private static func sweep(_ base: String) {
        let prefix = "herald-demo-"
        for name in Files.names(in: base) where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            Files.removeTree("\(base)/\(name)")
        }
    }
}
