internal import DisplayText
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform

/// Files of drafts, which drafts are open here, and conflicts.
extension Backend {
    /// Adds the files that a text names; answers the draft, and what is to be told of those that were not added.
    func attach(_ typed: String, to id: LocalDraftID) async throws -> (draft: LocalDraft?, sentence: String) {
        let store = try current().outbox.store()
        let paths = AttachedPaths.read(typed)
        guard !paths.isEmpty else { return (nil, "No file was named.") }
        var (added, refusals) = (0, [String]())
        for path in paths {
            let files = try await store.draft(id)?.files ?? []
            do {
                let copy = try account.spool.add(path, to: files)
                let now = WallClock.milliseconds()
                let file = DraftFile(
                    id: DraftFileID(milliseconds: now, random: Backend.randomBits()), filename: copy.filename,
                    contentType: copy.contentType, sizeBytes: copy.sizeBytes, sha256: copy.sha256)
                try await store.addFile(file, to: id, at: now)
                // Until here no sweep takes the copy away.
                _ = consume copy
                added += 1
            } catch let error as DraftFileError {
                refusals.append(TextDisplay.sanitizedLine(error.message))
            }
        }
        let told = added == 0 ? "" : added == 1 ? "One file was attached. " : "\(added) files were attached. "
        return (try await store.draft(id), told + refusals.prefix(3).joined(separator: " "))
    }

    func detach(_ file: DraftFileID, from id: LocalDraftID) async throws -> LocalDraft? {
        let outbox = try current().outbox
        try await outbox.store().removeFile(file)
        await outbox.cancelUpload(file)
        return try await outbox.store().draft(id)
    }

    func setMode(_ mode: ConflictMode, of id: LocalDraftID) async throws {
        try await current().outbox.store().setConflictMode(mode, of: id)
    }

    /// Ends a conflict by the person's word; `nil` when there is none any more.
    func resolve(_ id: LocalDraftID, _ choice: ConflictResolution) async throws -> LocalDraft? {
        let store = try current().outbox.store()
        let stored: ConflictChoice =
            switch choice {
            case .mine: .mine
            case .theirs: .theirs
            case .merged(let content): .merged(content)
            }
        return try await store.resolveConflict(id, stored, at: WallClock.milliseconds())
    }

    /// Notes that a draft is written here, for all processes to see; `false` when another one writes it.
    func beginWriting(_ id: LocalDraftID) -> Bool {
        if openDraft?.id == id { return true }
        do {
            guard let door = try account.openDrafts.open(id) else { return false }
            openDraft = (id, door)
            return true
        } catch {
            // Without locks it is written all the same.
            return true
        }
    }

    func endWriting(_ id: LocalDraftID) {
        if openDraft?.id == id { openDraft = nil }
    }

    private static func randomBits() -> (UInt64, UInt64) {
        let bytes = Environment.randomBytes(16)
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return (number(bytes[..<8]), number(bytes[8...]))
    }
}
