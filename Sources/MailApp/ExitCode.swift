/// How the program ends; the numbers are frozen, since scripts stand on them.
package enum ExitCode: Int32, Sendable {
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
