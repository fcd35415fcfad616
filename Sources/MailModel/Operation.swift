/// The identifier of a queued operation: a UUIDv7, sent to the server as `X-Request-Id`.
package struct OperationID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// A new identifier of a moment, in milliseconds since 1970, and of random bits.
    package init(milliseconds: Int64, random: (UInt64, UInt64)) {
        rawValue = UUIDv7.text(milliseconds: milliseconds, random: random)
    }
}

/// The identifier of a batch: what one key press or command asked for.
package struct BatchID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// A new identifier of a moment, in milliseconds since 1970, and of random bits.
    package init(milliseconds: Int64, random: (UInt64, UInt64)) {
        rawValue = UUIDv7.text(milliseconds: milliseconds, random: random)
    }
}

/// What an operation does.
package enum OperationKind: Sendable, Hashable {
    case triage(TriageAction)

    /// The word that files and scripts know it by.
    package var name: String {
        switch self {
        case .triage(let action): action.rawValue
        }
    }

    /// What it makes of a message at an instant: the server's answer as far as it can be foreseen.
    package func replayed(on message: MessageSummary, at now: Timestamp) -> MessageSummary {
        switch self {
        case .triage(let action): action.applied(to: message, at: now)
        }
    }

    /// The kind of a word; `nil` for one that this version does not know.
    package init?(name: String) {
        guard let action = TriageAction(rawValue: name) else { return nil }
        self = .triage(action)
    }
}

/// How far an operation got.
package enum OperationStatus: Sendable, Hashable {
    /// Queued and never tried.
    case pending
    /// A request of it is under way, or was when its process ended.
    case inFlight
    /// Tried without success; the next drain tries again.
    case retrying
    /// Waits until somebody does something about the reason.
    case blocked(BlockReason)
}

/// Why an operation waits for somebody.
package enum BlockReason: String, Sendable, Hashable, CaseIterable {
    /// The server no longer takes the sign-in, or it may not do this.
    case credentialRefused
    /// The server refused again and again in a way that nobody knows.
    case retriesExhausted
}

/// A write that waits for the server: a row of `outbox.sqlite`.
package struct Operation: Sendable, Hashable {
    package var id: OperationID
    package var batch: BatchID
    /// Its place in the queue; operations on one message are sent in this order.
    package var sequence: Int64
    package var message: MessageID
    /// The message's mailbox when it was queued; `nil` for unassigned mail.
    package var mailbox: MailboxID?
    package var kind: OperationKind
    package var status: OperationStatus
    package var createdAt: Timestamp
    /// How often a request of it began.
    package var attempts: Int
    /// How often in a row the server refused it in a way that nobody knows.
    package var refusals: Int
    /// The earliest time of the next attempt, in milliseconds since 1970; `nil` for at once.
    package var nextAttemptAt: Int64?
    /// A code of ours for the last failure; never the server's words.
    package var lastFailure: String?
    /// The filter that the server's message must fit right before, as it is typed; `nil` where there is none.
    ///
    /// Its ages count back from `createdAt`.
    package var precondition: String?
    /// Whether a request of it was sent whose answer never came.
    package var mayHaveArrived: Bool

    package init(
        id: OperationID, batch: BatchID, sequence: Int64, message: MessageID, mailbox: MailboxID?,
        kind: OperationKind, status: OperationStatus = .pending, createdAt: Timestamp, attempts: Int = 0,
        refusals: Int = 0, nextAttemptAt: Int64? = nil, lastFailure: String? = nil,
        precondition: String? = nil, mayHaveArrived: Bool = false
    ) {
        self.id = id
        self.batch = batch
        self.sequence = sequence
        self.message = message
        self.mailbox = mailbox
        self.kind = kind
        self.status = status
        self.createdAt = createdAt
        self.attempts = attempts
        self.refusals = refusals
        self.nextAttemptAt = nextAttemptAt
        self.lastFailure = lastFailure
        self.precondition = precondition
        self.mayHaveArrived = mayHaveArrived
    }

    /// What the operation makes of a message.
    package func replayed(on message: MessageSummary) -> MessageSummary {
        kind.replayed(on: message, at: createdAt)
    }
}

/// An operation to be queued: an action, and the message as the person saw it.
package struct NewOperation: Sendable, Hashable {
    package var action: TriageAction
    package var before: MessageSummary
    /// The filter that the server's message must fit right before it is done; `nil` where there is none.
    package var precondition: String?

    /// An action on a message, of which the person sees `before`.
    package init(_ action: TriageAction, on before: MessageSummary, precondition: String? = nil) {
        self.action = action
        self.before = before
        self.precondition = precondition
    }
}
