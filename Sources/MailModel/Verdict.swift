/// Why an operation ended without being done.
package struct Verdict: Sendable, Hashable {
    /// What kind of end it was.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The server said no, and will say no again.
        case rejected
        /// Something later made it pointless.
        case superseded
        /// The person threw it away.
        case discarded
        /// It failed too often for a reason that nobody knows.
        case deadLetter
    }

    /// The reason, as a word that scripts can rely on.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The mailbox, or the access to it, is gone.
        case rlsDenied = "RLS_DENIED"
        /// The access does not reach as far as this action.
        case columnDenied = "COLUMN_DENIED"
        /// The server did not take the request as it was.
        case constraint = "CONSTRAINT"
        /// The message is gone.
        case deleteWins = "DELETE_WINS"
        /// The message was no longer as the operation demanded.
        case precondition = "PRECONDITION"
        /// Nothing was left to do.
        case superseded = "SUPERSEDED"
        /// The server answered in a way that nobody knows, time and again.
        case permanentTransport = "PERMANENT_TRANSPORT"
        /// The person threw it away.
        case discarded = "DISCARDED"
    }

    package var kind: Kind
    package var reason: Reason

    package init(_ kind: Kind, _ reason: Reason) {
        self.kind = kind
        self.reason = reason
    }

    /// The message was deleted on the server.
    package static let deleteWins = Verdict(.rejected, .deleteWins)
    /// The message's mailbox can no longer be read.
    package static let accessLost = Verdict(.rejected, .rlsDenied)
    /// The person threw it away.
    package static let discarded = Verdict(.discarded, .discarded)
}

/// An operation that ended without being done: an entry of the journal.
package struct JournalEntry: Sendable, Hashable {
    package var id: OperationID
    package var batch: BatchID
    package var message: MessageID
    package var mailbox: MailboxID?
    package var kind: OperationKind
    package var verdict: Verdict
    /// When it was queued.
    package var createdAt: Timestamp
    /// When it ended.
    package var endedAt: Timestamp

    package init(
        id: OperationID, batch: BatchID, message: MessageID, mailbox: MailboxID?, kind: OperationKind,
        verdict: Verdict, createdAt: Timestamp, endedAt: Timestamp
    ) {
        self.id = id
        self.batch = batch
        self.message = message
        self.mailbox = mailbox
        self.kind = kind
        self.verdict = verdict
        self.createdAt = createdAt
        self.endedAt = endedAt
    }
}
