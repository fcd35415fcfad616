/// How much the log file tells.
package enum LogLevel: String, CaseIterable, Sendable {
    /// Nothing is written.
    case off
    /// What failed.
    case error
    /// What failed, and what was done: starts, passes, ends.
    case info
    /// Also every step on the way.
    case debug

    /// Whether a line of this level is written when the settings say `setting`.
    func isTold(at setting: LogLevel) -> Bool {
        func rank(_ level: LogLevel) -> Int { LogLevel.allCases.firstIndex(of: level) ?? 0 }
        return self != .off && rank(self) <= rank(setting)
    }
}
