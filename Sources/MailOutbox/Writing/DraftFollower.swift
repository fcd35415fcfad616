package import MailCompose
package import MailModel
package import MailStorage

/// Has the drafts of this machine follow the server's list, without touching what somebody writes.
///
/// - One that is saved and not open takes the server's newer version, and goes when it is gone there.
/// - One that is open, unsaved or about to be sent is left as it is; the newer version is noted beside it.
/// - One that is unsaved and gone there becomes a new draft.
/// - One that the server has to the last letter needs no row, so that rows do not grow for ever.
package struct DraftFollower: Sendable {
    private static let blankMilliseconds: Int64 = 86_400_000

    private let store: OutboxStore
    private let open: OpenDrafts
    private let now: @Sendable () -> Int64
    private let tell: @Sendable (OutboxEvent) -> Void

    /// A follower for one account; `now` answers milliseconds since 1970.
    package init(
        store: OutboxStore, open: OpenDrafts, now: @escaping @Sendable () -> Int64,
        tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
    ) {
        self.store = store
        self.open = open
        self.now = now
        self.tell = tell
    }

    /// What becomes of one draft.
    package enum Step: Sendable, Hashable {
        case nothing
        /// The server's newer version is taken over, with fields put together.
        case take(DraftMerge)
        /// The newer version is noted, and the draft stays as it is.
        case note
        /// Only the files may differ.
        case alignFiles
        /// The row is not needed: the server has all of it.
        case drop
        /// The server threw it away, and nothing of it is here that was not there.
        case remove
        /// The server threw it away, and something of it was never there.
        case renew
    }

    /// Follows a complete list that was asked for at `listedAt`, in milliseconds since 1970.
    ///
    /// What the server told of a draft after that moment counts more.
    /// - Throws: `OutboxError`, with each draft as it was or as it is to be.
    package func follow(_ list: [Draft], listedAt: Int64) async throws {
        try await store.removeBlankDrafts(before: now() - DraftFollower.blankMilliseconds)
        var listed: [DraftID: Draft] = [:]
        for draft in list { listed[draft.id] = draft }
        for followed in try await store.followedDrafts() where followed.confirmedAt < listedAt {
            let there = listed[followed.server.id]
            let isOpen = open.isOpen(followed.draft.id)
            try await take(DraftFollower.step(followed, there, isOpen: isOpen), followed.draft, there, listedAt)
        }
    }

    /// Decides on one draft by how it is in the server's list; `nil` for one that is not in it.
    package static func step(_ followed: FollowedDraft, _ there: Draft?, isOpen: Bool) -> Step {
        let draft = followed.draft
        // A save without an answer is looked for by the drain, which knows what it sent.
        if draft.sent != nil { return .nothing }
        let isClean = !draft.isUnsaved && draft.files.allSatisfy { $0.attachment != nil }
        let isBusy = isOpen || followed.isGoing
        guard let there else {
            if isBusy { return .nothing }
            return isClean ? .remove : .renew
        }
        if there.version < followed.server.version { return .nothing }
        if there.version > followed.server.version {
            if draft.theirs?.version == there.version { return .nothing }
            let merge = DraftMerge(
                ancestor: followed.server.content, mine: draft.content, theirs: DraftContent(there))
            let isNews = !(merge.taken.isEmpty && merge.clashes.isEmpty)
            return isNews && (isBusy || draft.isUnsaved) ? .note : .take(merge)
        }
        if draft.theirs != nil || isBusy { return isOpen ? .alignFiles : .nothing }
        guard isClean, draft.copyOf == nil, draft.content == DraftContent(there) else { return .alignFiles }
        return .drop
    }

    private func take(_ step: Step, _ draft: LocalDraft, _ there: Draft?, _ listedAt: Int64) async throws {
        switch step {
        case .nothing: return
        case .remove, .drop: _ = try await store.removeDraft(draft.id, ifRevision: draft.revision)
        case .renew: try await store.renewDraft(draft.id)
        case .alignFiles:
            if let there { try await store.alignFiles(of: draft.id, with: there, listedAt: listedAt) }
        case .note:
            guard let there else { return }
            let block: DraftBlockReason? = if case .blocked(let reason) = draft.state { reason } else { nil }
            try await store.noteTheirs(draft.id, there, block: block)
            tell(.draftWaits(draft.id, DraftObstacle.changedElsewhere.rawValue))
        case .take(let merge):
            guard let there else { return }
            // Whoever typed since has another revision, and nothing is taken over.
            _ = try await store.rebaseDraft(
                draft.id, revision: draft.revision, merge.content, onto: there, isNews: !merge.taken.isEmpty,
                isSaved: !draft.isUnsaved, at: now())
        }
    }
}
