internal import Glibc
internal import Platform
internal import TerminalTestSupport

/// How a run of the program ended, and what it printed.
struct Ended {
    let code: Int32
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// Why a test could not be set up.
enum SetupError: Error {
    case noDirectory
    case notStarted(Int32)
    case noAnswer(String)
}

/// A directory that goes with the test.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/herald-acceptance-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SetupError.noDirectory }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Files.removeTree(path)
    }

    func write(_ name: String, _ text: String) throws {
        try Files.replace(path + "/" + name, with: Array(text.utf8))
    }
}

/// The real program with files of its own.
struct Herald {
    let home: Scratch
    let origin: String?
    var token = "hqb_access_owner"
    /// Variables set besides the usual ones; `nil` takes one of those away.
    var variables: [String: String?] = [:]

    init(origin: String?) throws {
        home = try Scratch()
        self.origin = origin
    }

    static var program: String { builtProgram("herald") }

    var environment: [String: String] {
        var all = [
            "HERALD_HOME": home.path + "/h", "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        ]
        if let origin {
            all["HERALD_ORIGIN"] = origin
            all["HERALD_TOKEN"] = token
        }
        for (name, value) in variables { all[name] = value }
        return environmentWithSanitizers(all)
    }

    /// The cache file of the one account.
    func cachePath() throws -> String {
        let accounts = home.path + "/h/cache"
        guard let account = Files.names(in: accounts).first else { throw SetupError.noDirectory }
        return "\(accounts)/\(account)/cache.sqlite"
    }

    /// Runs the program to its end without a terminal.
    func run(_ arguments: String...) throws -> Ended {
        try run(arguments)
    }

    /// Runs the program to its end, itself the argument of another program when `wrapper` names one.
    func run(_ arguments: [String], through wrapper: [String] = []) throws -> Ended {
        let words = wrapper + [Herald.program] + arguments
        let names = (output: home.path + "/stdout", errors: home.path + "/stderr")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, names.output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, names.errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let argv = words.map { strdup($0) } + [nil]
        let envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let answer = posix_spawn(&child, words[0], &actions, nil, argv, envp)
        guard answer == 0 else { throw SetupError.notStarted(answer) }
        var raw: Int32 = 0
        while waitpid(child, &raw, 0) < 0, errno == EINTR {}
        return Ended(
            code: raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F), output: try Files.read(names.output),
            errors: String(decoding: try Files.read(names.errors), as: UTF8.self))
    }

    /// The program in a terminal.
    func open(
        _ arguments: [String] = [], columns: Int = 80, rows: Int = 24, term: String = "xterm-256color"
    ) throws -> VirtualTerminal {
        var variables = environment
        variables["TERM"] = term
        return try VirtualTerminal(
            Herald.program, arguments: arguments, environment: variables, columns: columns, rows: rows,
            tellsIdle: true)
    }
}
