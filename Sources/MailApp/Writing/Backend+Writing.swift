internal import MailCompose
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform

/// Drafts, their files and sends, for the terminal program.
extension Backend {
    private func store() throws -> OutboxStore { try current().outbox.store() }

    var writingFiles: WritingFiles { WritingFiles(directory: account.stateDirectory + "/writing") }

    /// A message with its text, fetched where it is not here; `nil` for one that is gone.
    func original(_ id: MessageID, _ reader: MailReader?, isOffline: Bool) async throws -> ConversationMessage? {
        let known = try await reader?.message(id)
        guard let known, known.detail == nil || known.awaitsText, !isOffline else { return known }
        do {
            try await fetchBodies([id])
        } catch {
            return known
        }
        return try await reader?.message(id)
    }

    func createDraft(_ content: DraftContent, _ mode: ConflictMode) async throws -> LocalDraft {
        try await store().createDraft(content, mode: mode, at: WallClock.milliseconds())
    }

    /// Writes what a person typed; a draft that is gone is made anew, so that the text is not lost with it.
    func saveDraft(_ id: LocalDraftID, _ content: DraftContent) async throws -> LocalDraft {
        if let draft = try await store().saveDraft(id, content, at: WallClock.milliseconds()) { return draft }
        return try await createDraft(content, .auto)
    }

    func draft(_ id: LocalDraftID) async throws -> LocalDraft? { try await store().draft(id) }

    func takeDraft(_ draft: Draft) async throws -> LocalDraft {
        try await store().takeDraft(draft, at: WallClock.milliseconds())
    }

    func discardDraft(_ id: LocalDraftID) async throws {
        writingFiles.remove(id)
        try await store().discardDraft(id)
        try await current().store.rematerialise()
    }

    /// The drafts of this machine and the last sends; nothing where there is no outbox yet.
    func drafts(sendsMax: Int) async throws -> (drafts: [LocalDraft], sends: [SendEntry]) {
        guard Files.exists(account.outboxPath) else { return ([], []) }
        let store = try store()
        let drafts = try await store.drafts()
        var entries: [SendEntry] = []
        for send in try await store.sends(limit: sendsMax) {
            let draft = try await store.draft(send.draft)
            entries.append(
                SendEntry(
                    send: send, subject: draft?.content.subject ?? send.content?.subject,
                    recipients: draft?.content.to ?? send.content?.to.joined(separator: ", ") ?? "",
                    reason: WritingText.reason(send)))
        }
        return (drafts, entries)
    }

    /// Takes the work of another program over; its file goes once the outbox has it.
    func takeEdited(_ id: LocalDraftID, former: DraftContent) async throws -> DraftText {
        let text = try writingFiles.read(id, former: former)
        _ = try await saveDraft(id, text.content)
        writingFiles.remove(id)
        return text
    }

    /// How many drafts an earlier run had open when it was cut off.
    func unfinishedDrafts() async throws -> Int {
        let directory = account.stateDirectory + "/open-drafts"
        let ids = Files.names(in: directory).filter { $0.hasSuffix(".lock") }.map {
            LocalDraftID(String($0.dropLast(5)))
        }
        var count = 0
        for id in ids where !account.openDrafts.isOpen(id) {
            if let draft = try await store().draft(id), !draft.isDiscarded { count += 1 }
        }
        account.openDrafts.sweep()
        return count
    }

    /// Takes over what other programs wrote before this one was cut off; answers how many drafts that was.
    func recoverEdited() async throws -> Int {
        var count = 0
        for id in writingFiles.left() {
            guard let draft = try await store().draft(id) else {
                // Its draft is gone, but what was written is not.
                var content = DraftContent()
                content.text = try writingFiles.whole(id)
                if let text = try? writingFiles.read(id, former: DraftContent()) { content = text.content }
                _ = try await createDraft(content, .auto)
                writingFiles.remove(id)
                count += 1
                continue
            }
            do {
                _ = try await takeEdited(id, former: draft.content)
            } catch is DraftTextFault {
                var content = draft.content
                content.text = try writingFiles.whole(id)
                _ = try await saveDraft(id, content)
                writingFiles.remove(id)
            }
            count += 1
        }
        return count
    }
}

extension ConversationMessage {
    /// Whether the message has a text that is not here.
    fileprivate var awaitsText: Bool { detail == nil }
}
