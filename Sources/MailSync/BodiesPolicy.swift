internal import MailModel

/// Which bodies are fetched ahead of being opened.
package enum BodiesPolicy: Sendable, Hashable {
    /// None: a body is fetched when its message is opened.
    case opened
    /// Those of messages of the last days.
    case recent(days: Int)
    /// All of them.
    case all

    /// What holds while nothing else is configured.
    package static let standard = BodiesPolicy.recent(days: 30)

    /// The oldest activity whose bodies are wanted, `nil` for any; not to be asked when nothing is fetched ahead.
    func since(now milliseconds: Int64) -> Timestamp? {
        guard case .recent(let days) = self else { return nil }
        let span = Int64(clamping: max(0, days)).multipliedReportingOverflow(by: 86_400_000)
        guard !span.overflow, span.partialValue <= milliseconds else { return nil }
        return Timestamp(millisecondsSinceEpoch: milliseconds - span.partialValue)
    }
}

/// What fetching bodies ahead has done.
package struct FillReport: Sendable, Hashable {
    /// Threads that were asked for.
    package var threads: Int
    /// Whether no thread is left that lacks a body the policy wants.
    package var isComplete: Bool

    package init(threads: Int = 0, isComplete: Bool = true) {
        self.threads = threads
        self.isComplete = isComplete
    }
}
