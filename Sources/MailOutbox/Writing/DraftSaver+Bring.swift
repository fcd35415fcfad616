internal import MailAPI
package import MailModel
internal import MailStorage
internal import Platform

/// The save right before a mail is sent.
extension DraftSaver: DraftBringing {
    /// How often the save is made anew when the server has it already, but its answer was lost.
    private static let attemptsMax = 3

    package func bring(_ id: LocalDraftID) async throws -> BroughtDraft {
        for _ in 0..<DraftSaver.attemptsMax {
            if let brought = try await bringOnce(id) { return brought }
        }
        return .changedElsewhere
    }

    /// One attempt; `nil` when it has to be made again.
    private func bringOnce(_ id: LocalDraftID) async throws -> BroughtDraft? {
        report = DraftReport()
        guard let draft = try await store.draft(id), !draft.isDiscarded else { return .gone }
        let wasKnown = draft.server?.id
        if draft.isUnsaved || draft.server == nil {
            try await saveText(of: id)
        } else if draft.sent != nil, let server = draft.server {
            // An earlier save may have arrived without an answer.
            _ = try await reconcile(server.id, draft)
        }
        guard let saved = try await store.draft(id) else { return .gone }
        if let obstacle = obstacle(saved, revision: draft.revision) { return obstacle }
        // One that the server had thrown away is a new one now.
        if let wasKnown, saved.server?.id != wasKnown { return .gone }
        return try await prove(saved)
    }

    /// Why a draft is not on the server as it was here; `nil` when it is.
    private func obstacle(_ draft: LocalDraft, revision: Int) -> BroughtDraft? {
        if draft.revision != revision || draft.theirs != nil { return .changedElsewhere }
        if case .blocked(let reason) = draft.state {
            switch reason {
            case .conflictUnresolved: return .changedElsewhere
            case .refused: return .notSaved
            case .credentialRefused: break
            }
        }
        if let ending = report.ending, draft.isUnsaved || draft.server == nil || draft.sent != nil {
            return .failed(WriteFailure(.notSent, ending.error ?? .server(0)))
        }
        return draft.isUnsaved || draft.server == nil ? .notYet : nil
    }

    /// Saves what the server should have already, by its version: somebody else's change is refused by the server.
    private func prove(_ known: LocalDraft) async throws -> BroughtDraft? {
        guard let draft = try await store.claimDraft(known.id, at: now()), let server = draft.server else {
            return .gone
        }
        do {
            let answer = try await api.replaceDraft(
                server.id, version: server.version, with: DraftUpload(draft.content), requestID: Environment.uuid())
            try await confirm(draft.id, revision: draft.revision, answer)
            return try await withFiles(draft.id, answer)
        } catch let failure as WriteFailure {
            _ = try await failed(draft, failure)
            if failure.status == 409 {
                // It may have been this very save, which the transport made twice.
                let settled = try await store.draft(known.id)
                let isSame = settled?.revision == known.revision && settled?.theirs == nil && settled?.sent == nil
                return isSame ? nil : .changedElsewhere
            }
            if failure.status == 404, failure.code == "DRAFT_NOT_FOUND" { return .gone }
            return .failed(failure)
        }
    }

    /// The saved draft, if the server has its files and no others.
    private func withFiles(_ id: LocalDraftID, _ answer: Draft) async throws -> BroughtDraft {
        guard let draft = try await store.draft(id) else { return .gone }
        var here: Set<AttachmentID> = []
        for file in draft.files {
            switch file.state {
            case .done(let attachment): here.insert(attachment)
            case .refused: return .notSaved
            case .waiting, .retrying, .inFlight: return .notYet
            }
        }
        let there = Set(answer.attachments.map(\.id))
        if here == there { return .saved(draft, at: answer.updatedAt) }
        if !here.isSubset(of: there) { return .notSaved }
        // A file that was taken off here may not be off there yet; any other one is somebody's.
        let leaving = Set(try await store.removedFiles(of: id).map(\.attachment))
        return there.subtracting(here).allSatisfy { leaving.contains($0) } ? .notYet : .changedElsewhere
    }
}
