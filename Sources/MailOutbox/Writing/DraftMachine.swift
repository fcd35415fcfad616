package import MailAPI
internal import MailCompose
package import MailModel

/// Decides what a draft needs next, and what becomes of it after a request; without clock, disk or network.
package enum DraftMachine {
    /// What a draft needs next.
    package enum Step: Sendable, Hashable {
        /// Nothing that a request could do now.
        case nothing
        /// The server has all of it that it can have.
        case markSaved
        /// It cannot be saved as it is.
        case refuse(DraftObstacle)
        /// A request that made it may have arrived: it is looked for among the server's drafts.
        case find(SentDraft)
        /// A request that replaced it may have arrived: the server's version is looked at.
        case look(DraftID)
        case create
        case replace(DraftID, version: Int)
        /// The server's newer version is put together with this one.
        case merge(ServerDraft)
        case delete(DraftID)
        /// The server does not know it, so only the row goes.
        case remove
    }

    /// The step that a draft needs.
    ///
    /// An `isOpen` one is saved while somebody writes it, but nothing of it is changed under their hands.
    package static func step(_ draft: LocalDraft, isOpen: Bool) -> Step {
        if draft.isDiscarded { return discarding(draft) }
        if let sent = draft.sent {
            guard let server = draft.server else { return .find(sent) }
            return .look(server.id)
        }
        guard draft.isUnsaved else { return .nothing }
        if case .blocked(let reason) = draft.state, reason != .credentialRefused { return .nothing }
        if let theirs = draft.theirs { return isOpen ? .nothing : .merge(theirs) }
        if let obstacle = DraftObstacle(draft.content) { return .refuse(obstacle) }
        guard let server = draft.server else { return draft.isBlank ? .nothing : .create }
        // What the person added may be half an address, which stays here.
        if DraftFields(server.content) == DraftFields(draft.content) { return .markSaved }
        return .replace(server.id, version: server.version)
    }

    private static func discarding(_ draft: LocalDraft) -> Step {
        if let server = draft.server { return .delete(server.id) }
        if let sent = draft.sent { return .find(sent) }
        return .remove
    }

    /// Finds a draft that a lost request made: the same text, made since, and nobody's here.
    ///
    /// A server whose clock is behind by more than a quarter of an hour has it made twice, which loses nothing.
    package static func find(_ sent: SentDraft, in drafts: [Draft], known: Set<DraftID>) -> Draft? {
        let earliest = Timestamp(millisecondsSinceEpoch: sent.at - clockSkewMilliseconds)
        let fields = DraftFields(sent.content)
        return drafts.first { draft in
            draft.version == 1 && draft.updatedAt >= earliest && !known.contains(draft.id)
                && DraftFields(DraftContent(draft)) == fields
        }
    }

    private static let clockSkewMilliseconds: Int64 = 900_000

    /// What becomes of a draft after a request that failed.
    package enum Outcome: Sendable, Hashable {
        /// Tried again; `mayHaveArrived` has it looked for first.
        case retry(mayHaveArrived: Bool)
        /// Waits for the person.
        case block(DraftBlockReason)
        /// The server has another version.
        case conflict
        /// The server does not have it any more.
        case gone
    }

    /// A failure with what follows from it.
    package struct Failure: Sendable, Hashable {
        package var code: FailureCode
        package var outcome: Outcome
        /// Whether nothing else of drafts is sent until the next drain.
        package var endsDrain: Bool
    }

    /// What a failed request of a draft means; `attempts` counts the failures in a row with this one.
    package static func failure(_ failure: WriteFailure, attempts: Int) -> Failure {
        if failure.status == 409, failure.reach == .refused {
            return Failure(code: .unclassified, outcome: .conflict, endsDrain: false)
        }
        if failure.status == 404, failure.code == "DRAFT_NOT_FOUND" {
            return Failure(code: .messageGone, outcome: .gone, endsDrain: false)
        }
        let code = FailureCode(failure)
        switch code {
        case .offline, .notTheServer, .rateLimited:
            return Failure(code: code, outcome: .retry(mayHaveArrived: false), endsDrain: true)
        case .answerLost:
            return Failure(code: code, outcome: .retry(mayHaveArrived: true), endsDrain: true)
        case .serverFailed:
            // One that the server fails at does not keep others back: those that never failed come first.
            return Failure(code: code, outcome: .retry(mayHaveArrived: true), endsDrain: true)
        case .unreadableAnswer:
            return Failure(code: code, outcome: .retry(mayHaveArrived: true), endsDrain: false)
        case .signedOut, .scopeMissing:
            return Failure(code: code, outcome: .block(.credentialRefused), endsDrain: true)
        case .unclassified where attempts < refusalsMax:
            return Failure(code: code, outcome: .retry(mayHaveArrived: false), endsDrain: false)
        default:
            return Failure(code: code, outcome: .block(.refused), endsDrain: false)
        }
    }

    /// How often in a row a refusal that nobody knows is tried.
    package static let refusalsMax = 5

    /// How long a draft, or a file, waits after so many failures in a row, in milliseconds: 5 s, doubling to 5 minutes.
    package static func wait(attempts: Int) -> Int64 { OutboxMachine.wait(attempt: attempts) }
}
