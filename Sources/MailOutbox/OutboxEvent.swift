package import MailCompose
package import MailModel

/// What the queue tells whoever shows it.
package enum OutboxEvent: Sendable, Hashable {
    /// The stable words of the events.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case queueDepth, failed, mutationDropped, deadLetter, resetRequired, conflictAutoMerged
        case uploadStarted, uploadProgress, uploadCompleted, uploadFailed, sendChanged
    }

    /// How many operations wait.
    case queueDepth(OutboxCounts)
    /// An operation, or all of them, could not be done for now.
    case failed(OperationID?, FailureCode)
    /// An operation left the queue for the journal without being done.
    case mutationDropped(OperationID, MessageID, Verdict)
    /// An operation was given up after the ceiling of its failure.
    case deadLetter(OperationID, Verdict.Reason)
    /// A draft could not be saved for now, or waits for the person, by a code of `FailureCode` or `DraftObstacle`.
    case draftWaits(LocalDraftID, String)
    /// A draft was changed here and elsewhere: fields were merged, or the person's version was kept as a `copy`.
    case conflictAutoMerged(LocalDraftID, [DraftField], copy: LocalDraftID?)
    /// A file of a draft.
    case upload(DraftFileID, LocalDraftID, UploadEvent)
    /// Nothing is sent before somebody decides.
    case resetRequired(FailureCode)
    /// A send of a draft got further, or did not.
    case sendChanged(SendID, LocalDraftID, SendStatus)

    /// Whether the outbox has a record of it, which `OutboxEvents` reads.
    package var isRecorded: Bool {
        switch self {
        case .queueDepth, .failed(.some, _), .mutationDropped, .deadLetter: true
        case .failed(nil, _), .resetRequired, .draftWaits, .conflictAutoMerged, .upload, .sendChanged: false
        }
    }

    /// The word of the event.
    package var name: Name {
        switch self {
        case .queueDepth: .queueDepth
        case .failed, .draftWaits: .failed
        case .conflictAutoMerged: .conflictAutoMerged
        case .upload(_, _, let event): event.name
        case .mutationDropped: .mutationDropped
        case .deadLetter: .deadLetter
        case .resetRequired: .resetRequired
        case .sendChanged: .sendChanged
        }
    }
}

/// How an upload goes on, in bytes of the file; they never become fewer between a start and its end.
package enum UploadEvent: Sendable, Hashable {
    case started(total: Int)
    case progressed(sent: Int, total: Int)
    case completed(total: Int)
    /// By a code of `FailureCode` or `DraftObstacle`.
    case failed(code: String)

    var name: OutboxEvent.Name {
        switch self {
        case .started: .uploadStarted
        case .progressed: .uploadProgress
        case .completed: .uploadCompleted
        case .failed: .uploadFailed
        }
    }
}
