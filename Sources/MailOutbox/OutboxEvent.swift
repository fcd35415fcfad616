package import MailModel

/// What the queue tells whoever shows it.
package enum OutboxEvent: Sendable, Hashable {
    /// The stable words of the events.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case queueDepth, failed, mutationDropped, deadLetter, resetRequired
    }

    /// How many operations wait.
    case queueDepth(OutboxCounts)
    /// An operation, or all of them, could not be done for now.
    case failed(OperationID?, FailureCode)
    /// An operation left the queue for the journal without being done.
    case mutationDropped(OperationID, MessageID, Verdict)
    /// An operation was given up after the ceiling of its failure.
    case deadLetter(OperationID, Verdict.Reason)
    /// Nothing is sent before somebody decides.
    case resetRequired(FailureCode)

    /// The word of the event.
    package var name: Name {
        switch self {
        case .queueDepth: .queueDepth
        case .failed: .failed
        case .mutationDropped: .mutationDropped
        case .deadLetter: .deadLetter
        case .resetRequired: .resetRequired
        }
    }
}
