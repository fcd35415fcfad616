package import MailAPI
internal import MailCompose
package import MailModel
package import MailStorage
internal import Platform

/// Brings the drafts of an account to the server: what was typed, then their files, one request at a time.
///
/// Part of the drain, whose lock its caller holds.
package actor DraftSaver {
    /// Steps that one draft may take in a drain; somebody who types faster than the server answers waits for the next.
    private static let stepsMax = 8
    /// How often in a drain drafts that turn out to be gone are made anew before their files are tried.
    private static let renewalsMax = 5
    /// Pages that are read to find a draft whose answer was lost.
    private static let pagesMax = 100

    let store: OutboxStore
    let api: any DraftWriting
    let spool: DraftSpool
    let open: OpenDrafts
    /// Whether somebody sits at the terminal, so that a conflict can be asked about.
    private let isInteractive: Bool
    let now: @Sendable () -> Int64
    let tell: @Sendable (OutboxEvent) -> Void
    /// Has lists show a draft no more that the server has thrown away.
    private let forget: @Sendable (DraftID) async throws -> Void
    private let shared: SharedFiles?
    var report = DraftReport()
    /// The revisions that were tried in this drain.
    private var triedTexts: [LocalDraftID: Int] = [:]
    /// The files that were tried in this drain.
    var triedFiles: Set<DraftFileID> = []
    private var renewals = 0
    /// The upload under way.
    var upload: (file: DraftFileID, task: Task<DraftAttachment, any Error>)?

    /// A saver of one account; `now` answers milliseconds since 1970, and `forget` is told what the server threw away.
    ///
    /// Without `shared`, drafts are deleted whatever another machine may have sent of them.
    package init(
        store: OutboxStore, api: any DraftWriting, spool: DraftSpool, open: OpenDrafts, isInteractive: Bool = false,
        now: @escaping @Sendable () -> Int64, tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in },
        forget: @escaping @Sendable (DraftID) async throws -> Void = { _ in }, shared: SharedFiles? = nil
    ) {
        self.store = store
        self.api = api
        self.spool = spool
        self.open = open
        self.isInteractive = isInteractive
        self.now = now
        self.tell = tell
        self.forget = forget
        self.shared = shared
    }

    /// Saves what is due, until nothing is or a failure ends it: all texts, then one file after the other.
    ///
    /// What is typed while a file is on its way goes before the next one.
    /// - Throws: `OutboxError`, with every draft as it was at the last commit; `CancellationError`.
    package func run() async throws -> DraftReport {
        (report, triedTexts, triedFiles, renewals) = (DraftReport(), [:], [], 0)
        try await store.restartDrafts()
        await sweep()
        repeat {
            try await saveTexts()
            try Task.checkCancellation()
        } while try await saveNextFile()
        return report
    }

    /// Saves the text of each draft that is due and was not tried as it is now.
    private func saveTexts() async throws {
        var isDone = false
        while !isDone, report.ending == nil {
            isDone = true
            for id in try await store.draftsDue(now: now()) {
                guard report.ending == nil, let draft = try await store.draft(id), triedTexts[id] != draft.revision
                else { continue }
                triedTexts[id] = draft.revision
                isDone = false
                try await saveText(of: id)
            }
        }
    }

    /// Has a draft that turned out to be gone be made anew, with its files.
    func renew(_ id: LocalDraftID, _ file: DraftFileID) async throws {
        try await store.renewDraft(id)
        renewals += 1
        guard renewals < DraftSaver.renewalsMax else { return }
        triedTexts[id] = nil
        triedFiles.remove(file)
    }

    /// Removes copies that nothing needs.
    private func sweep() async {
        guard let lock = spool.lockForSweep(), let needed = try? await store.spooledDigests() else { return }
        spool.sweep(keeping: needed)
        _ = consume lock
    }

    func saveText(of id: LocalDraftID) async throws {
        for _ in 0..<DraftSaver.stepsMax {
            guard report.ending == nil, let draft = try await store.draft(id),
                try await take(DraftMachine.step(draft, isOpen: open.isOpen(id)), draft)
            else { return }
        }
    }

    /// Takes one step; `false` when nothing of the draft is left to do now.
    private func take(_ step: DraftMachine.Step, _ draft: LocalDraft) async throws -> Bool {
        switch step {
        case .nothing: return false
        case .markSaved: try await store.markDraftSaved(draft.id, revision: draft.revision)
        case .refuse(let obstacle):
            try await store.failDraft(draft.id, failure: obstacle.rawValue, block: .refused, mayHaveArrived: false)
            tell(.draftWaits(draft.id, obstacle.rawValue))
            return false
        case .find(let sent): return try await find(sent, draft)
        case .look(let id): return try await reconcile(id, draft)
        case .create: return try await write(draft)
        case .replace: return try await write(draft)
        case .merge(let theirs): return try await reconcile(theirs.id, draft)
        case .delete(let id): try await delete(id, draft)
        case .remove:
            try await store.removeDraft(draft.id)
            return false
        }
        return true
    }

    /// Makes or replaces the server's draft.
    private func write(_ draft: LocalDraft) async throws -> Bool {
        guard let draft = try await store.claimDraft(draft.id, at: now()) else { return false }
        let upload = DraftUpload(draft.content)
        do {
            let answer: Draft
            if let server = draft.server {
                answer = try await api.replaceDraft(
                    server.id, version: server.version, with: upload, requestID: Environment.uuid())
            } else {
                answer = try await api.createDraft(upload, requestID: Environment.uuid())
            }
            try await confirm(draft.id, revision: draft.revision, answer)
            return true
        } catch let failure as WriteFailure {
            return try await failed(draft, failure)
        }
    }

    func confirm(_ id: LocalDraftID, revision: Int, _ answer: Draft) async throws {
        try await store.confirmDraft(
            id, revision: revision,
            as: ServerDraft(id: answer.id, version: answer.version, content: DraftContent(answer)), at: now())
        report.saved += 1
    }

    /// Notes what a failure does to a draft; `true` when another step may follow at once.
    ///
    /// A request that only looked says nothing new of a save whose answer was lost.
    func failed(_ draft: LocalDraft, _ failure: WriteFailure, isLook: Bool = false) async throws -> Bool {
        let known = DraftMachine.failure(failure, attempts: draft.attempts + 1)
        let notBefore: Int64? =
            known.code == .rateLimited
            ? now() + (failure.retryAfterMilliseconds ?? DraftMachine.wait(attempts: draft.attempts + 1)) : nil
        if known.endsDrain { report.end(DrainEnding(known.code, error: failure.error, notBefore: notBefore)) }
        switch known.outcome {
        case .conflict:
            guard let server = draft.server else { return false }
            return try await reconcile(server.id, draft)
        case .gone:
            try await store.renewDraft(draft.id)
            return true
        case .retry(let mayHaveArrived):
            try await store.failDraft(
                draft.id, failure: known.code.rawValue, notBefore: notBefore,
                mayHaveArrived: isLook || mayHaveArrived)
        case .block(let reason):
            try await store.failDraft(draft.id, failure: known.code.rawValue, block: reason, mayHaveArrived: isLook)
        }
        tell(.draftWaits(draft.id, known.code.rawValue))
        return false
    }

    /// Looks for a draft whose answer was lost among the server's, before it is made again.
    private func find(_ sent: SentDraft, _ draft: LocalDraft) async throws -> Bool {
        let known = try await store.knownServerDrafts()
        do {
            var next: String?
            for _ in 0..<DraftSaver.pagesMax {
                let page = try await api.drafts(next: next)
                if let found = DraftMachine.find(sent, in: page.drafts, known: known) {
                    try await confirm(draft.id, revision: sent.revision, found)
                    return true
                }
                next = page.next
                if next == nil { break }
            }
        } catch let error as MailAPIError {
            return try await failed(draft, WriteFailure(error), isLook: true)
        }
        if draft.isDiscarded {
            try await store.removeDraft(draft.id)
            return false
        }
        try await store.forgetSent(draft.id)
        return true
    }

    private func delete(_ id: DraftID, _ draft: LocalDraft) async throws {
        if try await !store.hasSentFiles(draft.id) {
            do {
                if try await mayBeShared(id) {
                    try await store.keepServerDraft(id)
                } else {
                    try await api.deleteDraft(id)
                }
            } catch let failure as WriteFailure {
                let known = DraftMachine.failure(failure, attempts: draft.attempts + 1)
                if case .retry = known.outcome {
                    _ = try await failed(draft, failure)
                    report.end(DrainEnding(known.code, error: failure.error))
                    return
                }
                // What the server refuses for good it does not show either, or has thrown away already.
                if known.outcome == .block(.credentialRefused) {
                    _ = try await failed(draft, failure)
                    return
                }
            }
            // Before the row goes that hides it.
            try await forget(id)
        }
        try await store.removeDraft(draft.id)
        report.saved += 1
    }

    /// Whether sent mail may have the files of a draft of the server; throws `WriteFailure`.
    func mayBeShared(_ id: DraftID) async throws -> Bool {
        guard let shared else { return false }
        let there = try await api.draft(id)
        do {
            return try await shared.mayBeShared(there)
        } catch let error as MailAPIError {
            throw WriteFailure(error)
        }
    }

    /// Looks at the server's version and brings the draft up to it.
    func reconcile(_ id: DraftID, _ draft: LocalDraft) async throws -> Bool {
        let current: Draft
        do {
            current = try await api.draft(id)
        } catch let failure as WriteFailure {
            return try await failed(draft, failure, isLook: true)
        }
        return try await settle(draft, with: current)
    }

    private func settle(_ known: LocalDraft, with current: Draft) async throws -> Bool {
        guard let draft = try await store.draft(known.id), let server = draft.server else { return true }
        let theirs = DraftContent(current)
        if let sent = draft.sent, current.version > server.version,
            DraftFields(theirs) == DraftFields(sent.content)
        {
            try await confirm(draft.id, revision: sent.revision, current)
            return true
        }
        if current.version == server.version {
            try await store.forgetSent(draft.id)
            return true
        }
        let merge = DraftMerge(ancestor: server.content, mine: draft.content, theirs: theirs)
        let isNews = !(merge.taken.isEmpty && merge.clashes.isEmpty)
        if isNews, open.isOpen(draft.id) || waitsForPerson(draft) {
            let isOpen = open.isOpen(draft.id)
            try await store.noteTheirs(draft.id, current, block: isOpen ? nil : .conflictUnresolved)
            tell(.draftWaits(draft.id, DraftObstacle.changedElsewhere.rawValue))
            return false
        }
        return try await apply(merge, to: draft, current)
    }

    /// Whether a conflict of a draft is left to the person.
    private func waitsForPerson(_ draft: LocalDraft) -> Bool {
        draft.conflictMode == .manual || (draft.conflictMode == .ask && isInteractive)
    }

    private func apply(_ merge: DraftMerge, to draft: LocalDraft, _ current: Draft) async throws -> Bool {
        guard merge.clashes.isEmpty else {
            let other = try await store.splitDraft(draft.id, revision: draft.revision, from: current, at: now())
            if let other { tell(.conflictAutoMerged(other.id, merge.clashes, copy: draft.id)) }
            return true
        }
        let isNews = !merge.taken.isEmpty
        let isDone = try await store.rebaseDraft(
            draft.id, revision: draft.revision, merge.content, onto: current, isNews: isNews, at: now())
        if isDone, isNews { tell(.conflictAutoMerged(draft.id, merge.taken, copy: nil)) }
        return true
    }
}

/// What the saving of drafts came to.
package struct DraftReport: Sendable, Hashable {
    /// Drafts and files that the server has now as they are here.
    package var saved = 0
    /// Why it ended early; `nil` when nothing was left that is due.
    package var ending: DrainEnding?

    package init() {}

    /// Ends it, unless it has ended already.
    mutating func end(_ ending: DrainEnding) {
        if self.ending == nil { self.ending = ending }
    }
}
