/// Why the server cannot start.
package enum ServerError: Error, Hashable, Sendable {
    /// The command line is wrong, for the reason given.
    case usage(String)
    /// A file to import or the demo's file cannot be used.
    case badImport(path: String, reason: String)
    /// The state directory or a file in it cannot be read or written.
    case storage(String)
    /// A file that was asked for cannot be made.
    case cannotCreate(path: String, reason: String)
    /// Another server has the state directory.
    case inUse(path: String)
    /// The port cannot be opened.
    case cannotListen(port: Int)

    /// What went wrong, for people.
    package var message: String {
        switch self {
        case .usage(let reason): return reason
        case .badImport(let path, let reason): return "Cannot import \(path): \(reason)"
        case .storage(let reason): return "Cannot keep the server's state: \(reason)"
        case .cannotCreate(let path, let reason): return "Cannot write \(path): \(reason)."
        case .inUse(let path): return "Another server is using the state directory \(path). End it, or name another."
        case .cannotListen(let port): return "Cannot listen on port \(port) of 127.0.0.1."
        }
    }

    /// The exit code of a program that ends with this error.
    package var exitCode: Int32 {
        switch self {
        case .usage: return 64
        case .badImport: return 65
        case .cannotCreate: return 73
        case .storage, .cannotListen: return 74
        case .inUse: return 75
        }
    }
}
