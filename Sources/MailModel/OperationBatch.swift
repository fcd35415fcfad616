/// What one key press or command asked for, as undo and the list of operations show it.
package struct OperationBatch: Sendable, Hashable {
    package var id: BatchID
    /// What it did, in the words of the person's language: "Archive", "Mark read".
    package var name: String
    /// How many messages it acted on.
    package var count: Int
    package var createdAt: Timestamp
    package var isUndone: Bool

    package init(id: BatchID, name: String, count: Int, createdAt: Timestamp, isUndone: Bool) {
        self.id = id
        self.name = name
        self.count = count
        self.createdAt = createdAt
        self.isUndone = isUndone
    }
}

/// What became of a batch that was queued.
package struct BatchReceipt: Sendable, Hashable {
    /// `nil` when there was nothing to do, so that there is nothing to undo.
    package var batch: BatchID?
    /// The operations that were queued, in order.
    package var operations: [OperationID]
    /// How many had no effect: the message was so already, or the same waits already.
    package var idle: Int
    /// How many were met by an opposite that had not been sent: both are gone.
    package var cancelled: Int
    /// Messages left out since their mailbox may only be read.
    package var readOnly: [MessageID] = []

    package init(batch: BatchID?, operations: [OperationID], idle: Int = 0, cancelled: Int = 0) {
        self.batch = batch
        self.operations = operations
        self.idle = idle
        self.cancelled = cancelled
    }

    /// How many messages were acted on.
    package var count: Int { operations.count + cancelled }
}

/// What undoing a batch came to.
package struct UndoReceipt: Sendable, Hashable {
    /// The batch, undone now.
    package var batch: OperationBatch
    /// Operations that were never sent and are gone.
    package var cancelled: Int
    /// Operations that were queued to bring messages back.
    package var operations: [OperationID]

    package init(batch: OperationBatch, cancelled: Int, operations: [OperationID]) {
        self.batch = batch
        self.cancelled = cancelled
        self.operations = operations
    }
}

/// How much waits for the server: operations, mail and drafts.
package struct OutboxCounts: Sendable, Hashable {
    /// Those that the next drains send.
    package var queued: Int
    /// Those that wait for somebody.
    package var blocked: Int
    /// Mail of which nobody knows whether the server sent it, and which is not sent again unasked.
    package var unknown: Int
    /// How much of the three is mail.
    package var mails: Int
    /// Drafts of which the server lacks something; those that are to be sent count as mail.
    package var unsavedDrafts: Int

    package init(queued: Int = 0, blocked: Int = 0, unknown: Int = 0, mails: Int = 0, unsavedDrafts: Int = 0) {
        self.queued = queued
        self.blocked = blocked
        self.unknown = unknown
        self.mails = mails
        self.unsavedDrafts = unsavedDrafts
    }

    /// Whether nothing waits, whatever there is of drafts.
    package var isEmpty: Bool { queued == 0 && blocked == 0 && unknown == 0 }

    /// How much would be lost with the file.
    package var total: Int { queued + blocked + unknown + unsavedDrafts }

    /// What waits, in words: “2 changes, 1 mail and 1 draft”; empty for nothing.
    package var words: String {
        let changes = queued + blocked + unknown - mails
        let parts = [(changes, "change"), (mails, "mail"), (unsavedDrafts, "draft")].filter { $0.0 > 0 }.map {
            count, name in
            count == 1 || name == "mail" ? "\(count) \(name)" : "\(count) \(name)s"
        }
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// What a person asks to be done, before it is known to which messages.
package struct TriageRequest: Sendable, Hashable {
    /// What is acted on.
    package enum Targets: Sendable, Hashable {
        /// Exactly these messages.
        case messages([MessageID])
        /// The messages of these conversations that a list shows; not those that came after it was read.
        ///
        /// The horizon comes with the rows of the list.
        case conversations([ThreadID], in: ListScope, horizon: Int64)
    }

    package var action: TriageAction
    package var targets: Targets
    /// The filter that the server must have each message fit right before; `nil` for none.
    package var precondition: String?

    package init(action: TriageAction, targets: Targets, precondition: String? = nil) {
        self.action = action
        self.targets = targets
        self.precondition = precondition
    }
}
