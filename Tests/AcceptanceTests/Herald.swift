internal import Glibc
internal import MailTestSupport
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
    case noEnd
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
        try run(arguments, of: wrapper + [Herald.program])
    }

    /// Runs any program to its end, in the environment of this one.
    func run(_ arguments: [String], of words: [String]) throws -> Ended {
        let program = try RunningHerald(
            words + arguments, environment: environment, directory: home.path, keeping: home)
        guard let ended = program.wait() else { throw SetupError.noEnd }
        return ended
    }

    /// The program in a terminal.
    func open(
        _ arguments: [String] = [], columns: Int = 80, rows: Int = 24, term: String = "xterm-256color"
    ) throws -> VirtualTerminal {
        var variables = environment
        variables["TERM"] = term
        return try VirtualTerminal(
            Herald.program, arguments: arguments, environment: variables, columns: columns, rows: rows,
            tellsIdle: true, keeping: home)
    }
}

/// A path that does not depend on the working directory.
func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard getcwd(&buffer, buffer.count) != nil else { return path }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/" + path
}
