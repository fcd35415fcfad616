internal import DisplayText
package import MailModel
internal import TerminalUI

/// What comes of what was asked about writing.
extension AppState {
    mutating func handleWriting(_ event: WritingEvent) -> [Effect] {
        switch event {
        case .configured(let settings): writing.settings = settings
        case .originalLoaded(let number, let message): return takeOriginal(number, message)
        case .saved(let number, let draft): return takeSaved(number, draft)
        case .notSaved(let number, let reason): return takeNotSaved(number, reason)
        case .opened(let number, let draft, let original):
            return show(draft, original: original, number: number) + finishOpening(number)
        case .notOpened(let number, let reason):
            if number == writing.lastNumber { notice = reason }
            return finishOpening(number)
        case .draftsLoaded(let locals, let sends): takeDrafts(locals, sends)
        case .addressesLoaded(let known): writing.known = known
        case .addressesFound(let typed, let found): takeAddresses(found, for: typed)
        case .edited(let number, let content, let files): return takeEdited(number, content, files: files)
        case .notEdited(let number, let reason):
            if writing.composer?.number == number { notice = reason }
        case .filesChanged(let number, let draft, let sentence): takeFiles(number, draft, sentence)
        case .notAttached(let number, let reason):
            if writing.composer?.number == number { notice = reason }
        case .sendQueued, .notQueued, .takenBack, .notTakenBack: return handleSending(event)
        case .resolved(let number, let draft): takeResolved(number, draft)
        case .uploading(let file, let progress):
            writing.uploads[file] = progress
            if progress == nil { return [.writing(.loadDrafts)] }
        case .savedAs(let sentence): notice = sentence
        case .unfinished(let count):
            notice =
                (count == 1 ? "A draft was" : "\(Formatting.grouped(count)) drafts were")
                + " being written when Herald ended; \(count == 1 ? "it is" : "they are") in Drafts."
            return [.writing(.loadDrafts)]
        }
        return []
    }

    /// Notes that something was typed: it is saved soon, and what was armed is not any more.
    mutating func noteChange() -> [Effect] {
        writing.composer?.changes += 1
        return armSaving(milliseconds: AppState.savingDelay)
    }

    /// How long typing goes on before it is saved, and how long after a failed save it is tried again.
    private static let savingDelay = 1_000
    private static let savingAgain = 2_000

    private mutating func armSaving(milliseconds: Int) -> [Effect] {
        guard let composer = writing.composer, composer.isDirty, composer.timer == nil, composer.saving == nil else {
            return []
        }
        triage.lastTimer += 1
        writing.composer?.timer = triage.lastTimer
        return [.wake(timer: triage.lastTimer, milliseconds: milliseconds)]
    }

    /// Saves what was typed when its time has come, or has a thrown draft go.
    mutating func takeWritingTimer(_ timer: Int) -> [Effect] {
        guard writing.composer?.timer == timer else { return takeThrownTimer(timer) }
        writing.composer?.timer = nil
        return saveDraft()
    }

    /// Saves what was typed since the last save; nothing while one is under way.
    mutating func saveDraft() -> [Effect] {
        guard let composer = writing.composer, composer.saving == nil, composer.isDirty || composer.draft == nil else {
            return []
        }
        writing.composer?.saving = composer.changes
        writing.composer?.timer = nil
        guard let draft = composer.draft else {
            return [.writing(.create(composer.number, composer.content, composer.mode))]
        }
        return [.writing(.save(composer.number, draft.id, composer.content))]
    }

    private mutating func takeSaved(_ number: Int, _ draft: LocalDraft) -> [Effect] {
        guard var composer = writing.composer, composer.number == number else { return [] }
        composer.draft = draft
        composer.saved = composer.saving ?? composer.saved
        (composer.saving, composer.failure) = (nil, nil)
        writing.composer = composer
        if composer.ending != nil { return composer.isDirty ? saveDraft() : finishEnding() }
        return armSaving(milliseconds: AppState.savingDelay)
    }

    private mutating func takeNotSaved(_ number: Int, _ reason: String) -> [Effect] {
        guard writing.composer?.number == number else { return [] }
        writing.composer?.saving = nil
        writing.composer?.ending = nil
        writing.composer?.failure = reason
        // A draft that was never saved has changes to save from now on, also where nothing was typed.
        if writing.composer?.draft == nil, writing.composer?.isDirty == false { writing.composer?.changes += 1 }
        notice = "Not saved: \(reason) The text is on the screen only; :save-as writes it into a file."
        return armSaving(milliseconds: AppState.savingAgain)
    }

    /// Does something once all that was typed is on the disk; at once when it is.
    mutating func end(_ ending: Composer.Ending) -> [Effect] {
        guard let composer = writing.composer else { return [] }
        writing.composer?.ending = ending
        if composer.saving != nil { return [] }
        return composer.isDirty || composer.draft == nil ? saveDraft() : finishEnding()
    }

    private mutating func finishEnding() -> [Effect] {
        guard let composer = writing.composer, let draft = composer.draft, let ending = composer.ending else {
            return []
        }
        writing.composer?.ending = nil
        switch ending {
        case .edit:
            return [.writing(.edit(composer.number, draft.id, composer.content, context: composer.contextText))]
        case .send:
            let thread = composer.original?.summary.threadID
            writing.composer?.isLeaving = true
            return [.writing(.queueSend(composer.number, draft.id, thread: thread))]
        case .keep:
            writing.composer = nil
            notice = "Kept as a draft."
            return [.writing(.loadDrafts)]
        case .discard:
            writing.composer = nil
            return throwAway(.local(draft), wasOpen: true)
        case .quit: return [.quit]
        case .attach(let path): return [.writing(.attach(composer.number, draft.id, path: path))]
        }
    }

    private mutating func takeEdited(_ number: Int, _ content: DraftContent, files: [String]) -> [Effect] {
        guard let composer = writing.composer, composer.number == number else { return [] }
        var content = content
        if let sender = senders.first(where: { $0.address.lowercased() == content.from.lowercased() }) {
            (content.mailbox, content.from) = (sender.id, sender.address)
        }
        if composer.hasFixedSubject { content.subject = composer.text(of: .subject) }
        let attached: [Effect] =
            composer.draft.map { draft in
                files.map { .writing(.attach(number, draft.id, path: $0)) }
            } ?? []
        if content == composer.content { return attached }
        writing.composer?.take(content)
        return noteChange() + attached
    }

    private mutating func takeFiles(_ number: Int, _ draft: LocalDraft, _ sentence: String?) {
        guard let composer = writing.composer, composer.number == number else { return }
        writing.composer?.draft?.files = draft.files
        writing.composer?.selectedFile = max(0, min(draft.files.count - 1, composer.selectedFile))
        if let sentence { notice = sentence }
    }

    private mutating func takeDrafts(_ locals: [LocalDraft], _ sends: [SendEntry]) {
        changeItems {
            $0.writing.locals = locals
            if $0.scope.folder == .drafts { $0.list.hits = $0.draftHits }
        }
        writing.sends = sends
        outbox.takeMail(sends)
        followCountdowns()
        if let composer = writing.composer, let id = composer.draft?.id, let now = locals.first(where: { $0.id == id })
        {
            // What is typed here stays; how far its files and its saving are comes from the disk.
            let isNewer = now.revision > (composer.draft?.revision ?? 0)
            if isNewer, !composer.isDirty, composer.saving == nil, now.content != composer.content {
                writing.composer?.take(now.content)
                notice = "Changes from elsewhere were merged into it."
            }
            writing.composer?.draft = now
            if now.theirs != nil, composer.draft?.theirs == nil {
                notice = "Changed elsewhere, too: C in the review shows both versions."
            }
        }
        tellOfDrafts()
    }

    /// Tells once of what was being written when an earlier run ended, if that was not in good order.
    private mutating func tellOfDrafts() {
        guard !writing.hasToldOfDrafts else { return }
        writing.hasToldOfDrafts = true
        let held = writing.sends.filter { if case .held = $0.send.status { true } else { false } }
        if !held.isEmpty {
            notice = "\(Formatting.grouped(held.count)) to be sent, held until you say so; :outbox tells which."
        }
    }

    /// What was typed and is perhaps not on the disk, for a program that ends.
    package var unsavedWriting: (id: LocalDraftID?, content: DraftContent, mode: ConflictMode)? {
        guard let composer = writing.composer, composer.isDirty else { return nil }
        return (composer.draft?.id, composer.content, composer.mode)
    }
}
