/// The identifier of a send: a UUIDv7, sent to the server as `X-Request-Id`.
package struct SendID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// A new identifier of a moment, in milliseconds since 1970, and of random bits.
    package init(milliseconds: Int64, random: (UInt64, UInt64)) {
        rawValue = UUIDv7.text(milliseconds: milliseconds, random: random)
    }
}

/// The name of a running program that watches over sends; a lock of this name is held while it runs.
package struct SendMinderID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// How far a send got.
package enum SendStatus: Sendable, Hashable {
    /// Waits for its time, or for the server.
    case queued
    /// The request that sends it is under way, or was when its process ended; it is never made a second time.
    case inFlight
    /// The server may have sent it; only its Sent copy or the person ends this.
    case unknown
    /// Waits for the person's word.
    case held(HoldReason)
    /// The server said no, by a code of ours; the text is a draft as before.
    case refused(String)
    /// Its Sent copy is known; the identifier is empty when only the person said that it was sent.
    case sent(MessageID)

    /// The word that files and scripts know it by.
    package var name: String {
        switch self {
        case .queued: "queued"
        case .inFlight: "inFlight"
        case .unknown: "unknown"
        case .held: "held"
        case .refused: "refused"
        case .sent: "sent"
        }
    }
}

/// Why a send waits for the person.
package enum HoldReason: String, Sendable, Hashable, CaseIterable {
    /// The draft was changed elsewhere since.
    case changedElsewhere
    /// Somebody of the team wrote in the conversation since.
    case answeredMeanwhile
    /// The program ended within the delay without having asked.
    case interrupted
    /// The server no longer takes the sign-in, or it may not do this.
    case credentialRefused
    /// The draft or one of its files cannot be brought to the server as it is.
    case notSaved
    /// The draft, or the message that it answers or passes on, is gone.
    case gone
    /// The person chose to wait.
    case asked
}

/// What is sent, as it was when the request was made; an answer that was lost is looked for by it.
package struct SentContent: Sendable, Hashable {
    package var from: String
    package var to: [String]
    package var cc: [String]
    package var bcc: [String]
    /// Empty for an answer: the server makes the subject.
    package var subject: String
    /// What the person wrote; the server may append the original.
    package var text: String

    package init(from: String, to: [String], cc: [String], bcc: [String], subject: String, text: String) {
        self.from = from
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
    }
}

/// A send that somebody asked for: a row of `outbox.sqlite`, kept for a while after it ended.
package struct Send: Sendable, Hashable {
    package var id: SendID
    package var draft: LocalDraftID
    /// The revision of the draft that is sent.
    package var revision: Int
    package var status: SendStatus
    /// The end of the time in which it can be taken back, in milliseconds since 1970.
    package var notBefore: Int64
    /// The newest message sent in the conversation when the person wrote; `nil` for none.
    ///
    /// A newer one holds the send.
    package var seen: MessageID?
    /// The server's draft as it was queued with; another one holds the send.
    ///
    /// `nil` when the server had none.
    package var serverDraft: DraftID?
    /// Who watches over the time in which it can be taken back; `nil` for nobody, so that any drain may send it.
    package var minder: SendMinderID?
    /// What was sent; `nil` before the first request.
    package var content: SentContent?
    /// When the request was made, in milliseconds since 1970; `nil` before.
    package var postedAt: Int64?
    /// The server's time right before the request; its copy is not older.
    ///
    /// `nil` when it is not known.
    package var sentAfter: Timestamp?
    /// Whether a request of it may have been carried out; it stays so when the person has it sent again.
    package var mayHaveArrived: Bool
    /// Whether its draft was gone before a request was made, so that another device may have sent it.
    package var mayBeElsewhere: Bool
    /// How often the request was made.
    package var attempts: Int
    /// How often its Sent copy was looked for.
    package var probes: Int
    /// The earliest time of the next attempt or look, in milliseconds since 1970; `nil` for at once.
    package var nextAttemptAt: Int64?
    /// A code of ours for the last failure; never the server's words.
    package var lastFailure: String?
    package var createdAt: Timestamp

    package init(
        id: SendID, draft: LocalDraftID, revision: Int, status: SendStatus = .queued, notBefore: Int64,
        seen: MessageID? = nil, serverDraft: DraftID? = nil, minder: SendMinderID? = nil, content: SentContent? = nil,
        postedAt: Int64? = nil, sentAfter: Timestamp? = nil, mayHaveArrived: Bool = false,
        mayBeElsewhere: Bool = false, attempts: Int = 0, probes: Int = 0, nextAttemptAt: Int64? = nil,
        lastFailure: String? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.draft = draft
        self.revision = revision
        self.status = status
        self.notBefore = notBefore
        self.seen = seen
        self.serverDraft = serverDraft
        self.minder = minder
        self.content = content
        self.postedAt = postedAt
        self.sentAfter = sentAfter
        self.mayHaveArrived = mayHaveArrived
        self.mayBeElsewhere = mayBeElsewhere
        self.attempts = attempts
        self.probes = probes
        self.nextAttemptAt = nextAttemptAt
        self.lastFailure = lastFailure
        self.createdAt = createdAt
    }
}
