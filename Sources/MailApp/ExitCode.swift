/// How the program ends; the numbers are frozen, since scripts stand on them.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case unexpected = 1
    case usage = 64
    case badInput = 65
    case unreachable = 69
    case failed = 70
    case cannotCreate = 73
    case inputOutput = 74
    case tryLater = 75
    case contractBroken = 76
    case signInNeeded = 77
    case configuration = 78
    case operationsRemain = 79
    case refused = 80

    /// What the code says, as a sentence for the pages.
    package var meaning: String {
        switch self {
        case .done: "Done."
        case .unexpected: "Something failed that Herald has no other code for; trying again may help."
        case .usage: "The command line is wrong, or there is no terminal that can be used."
        case .badInput: "Bad local input: a file, a filter or an unknown id."
        case .unreachable: "The server cannot be reached, or answered 5xx."
        case .failed: "Herald itself is at fault: a program of its own did not start, or its state makes no sense."
        case .cannotCreate: "A file or directory cannot be created."
        case .inputOutput: "Input or output failed, the disk is full, or a file of the program is damaged."
        case .tryLater: "Try later: another pass runs, the server asks to wait, or the deadline is over."
        case .contractBroken: "The answer breaks the contract: wrong JSON, an HTML page, or too old a server."
        case .signInNeeded: "Sign-in is needed, or access was refused."
        case .configuration: "The configuration is wrong or missing."
        case .operationsRemain: "Done, but operations remain queued, blocked or unknown."
        case .refused: "The server rejected the write."
        }
    }
}

/// A command that did not do what was asked: what the person reads, and how the program ends.
package struct CommandFailure: Error, Hashable, Sendable {
    package let message: String
    package let exitCode: ExitCode

    package init(_ message: String, _ exitCode: ExitCode) {
        self.message = message
        self.exitCode = exitCode
    }
}
