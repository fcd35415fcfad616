internal import DisplayText
internal import MailModel

/// A draft that was thrown away: out of sight at once, and gone only when it can no longer be brought back.
///
/// Until then nothing is done to it, so that one that was thrown away before a crash is there again.
struct ThrownDraft: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        /// As it was when it was thrown away.
        case local(LocalDraft)
        /// A draft that only the server has.
        case elsewhere(Draft)
    }

    let source: Source
    /// What ends the time in which it can be brought back; names it, too.
    let timer: Int
    /// Whether it was thrown away while it was written, and so is opened again.
    let wasOpen: Bool
    /// Whether it is gone for good, though lists may have it for a moment still.
    var isOver = false

    /// How long it can be brought back, in milliseconds.
    static let milliseconds = 60_000

    var subject: String {
        switch source {
        case .local(let draft): draft.content.subject
        case .elsewhere(let draft): draft.subject
        }
    }

    var mailbox: MailboxID? {
        switch source {
        case .local(let draft): draft.content.mailbox
        case .elsewhere(let draft): draft.mailboxID
        }
    }

    /// What a list knows it by.
    var listID: DraftID {
        switch source {
        case .local(let draft): draft.listID
        case .elsewhere(let draft): draft.id
        }
    }
}

extension WritingState {
    /// Whether a draft of this machine was thrown away.
    func isThrown(_ draft: LocalDraft) -> Bool {
        thrown.contains { if case .local(let gone) = $0.source { gone.id == draft.id } else { false } }
    }

    /// Whether a line of the list of drafts was thrown away.
    func isThrown(_ draft: Draft) -> Bool {
        thrown.contains { entry in
            if case .local(let gone) = entry.source, gone.id == draft.local?.id { return true }
            return entry.listID == draft.id
        }
    }

    /// As many as lists may still have of those that are gone.
    private static let overMax = 20

    mutating func noteThrown(_ draft: ThrownDraft) {
        if thrown.count(where: \.isOver) > WritingState.overMax, let oldest = thrown.firstIndex(where: \.isOver) {
            thrown.remove(at: oldest)
        }
        thrown.append(draft)
    }

    /// What makes a thrown draft go for good; `nil` for one that was changed elsewhere meanwhile, and so stays.
    func ending(of draft: ThrownDraft, among drafts: [Draft]) -> WritingEffect? {
        switch draft.source {
        case .local(let then):
            let now = locals.first { $0.id == then.id }
            return now.map { $0.content == then.content && $0.theirs == nil } ?? true ? .discard(then.id) : nil
        case .elsewhere(let then):
            let now = drafts.first { $0.id == then.id }
            return now.map { $0.version == then.version } ?? true ? .discardElsewhere(then) : nil
        }
    }
}

/// Throwing drafts away, and bringing them back.
extension AppState {
    /// Takes a draft out of sight; it can be brought back for a while.
    mutating func throwAway(_ source: ThrownDraft.Source, wasOpen: Bool) -> [Effect] {
        triage.lastTimer += 1
        let draft = ThrownDraft(source: source, timer: triage.lastTimer, wasOpen: wasOpen)
        changeItems { $0.writing.noteThrown(draft) }
        acted.note(ActedLog.Entry(orders: [accountLabel: 0], letter: .discard(timer: draft.timer)))
        notice = "Thrown away: \(quoted(draft))" + (keyText(.undo).map { "; \($0) brings it back" } ?? "") + "."
        return [.wake(timer: draft.timer, milliseconds: ThrownDraft.milliseconds), .writing(.loadDrafts)]
    }

    /// Throws the selected draft away; `nil` when none is selected.
    mutating func trashDraft() -> [Effect]? {
        guard scope.folder == .drafts, let id = selectedDraft else { return nil }
        let local = writing.local(id)
        if let local, writing.sends.contains(where: { $0.send.draft == local.id && $0.send.status.keepsDraft }) {
            notice = "It is to be sent, or may have been. \(keyText(.outbox) ?? ":outbox") tells, and makes it a draft."
            return [.bell]
        }
        guard let local else {
            return drafts.first { $0.id == id }.map { throwAway(.elsewhere($0), wasOpen: false) } ?? [.bell]
        }
        return throwAway(.local(local), wasOpen: false)
    }

    /// Brings a draft back that is not gone yet.
    mutating func bringBack(timer: Int) -> [Effect] {
        guard let index = writing.thrown.firstIndex(where: { $0.timer == timer && !$0.isOver }) else {
            notice = "The draft is gone for good" + tooLateToUndo
            return [.bell]
        }
        let draft = writing.thrown[index]
        changeItems { $0.writing.thrown.remove(at: index) }
        notice = "Brought back: \(quoted(draft))."
        if draft.wasOpen, case .local(let local) = draft.source, writing.composer == nil {
            writing.lastNumber += 1
            return [.writing(.open(writing.lastNumber, local.id)), .writing(.loadAddresses)]
        }
        if scope.folder == .drafts { list.selected = .draft(draft.listID) }
        return []
    }

    /// What follows why something can no longer be undone.
    var tooLateToUndo: String { "; \(keyText(.undo) ?? ":undo") undoes what was done before." }

    /// Makes a draft go for good when its time is over.
    mutating func takeThrownTimer(_ timer: Int) -> [Effect] {
        guard let index = writing.thrown.firstIndex(where: { $0.timer == timer && !$0.isOver }) else { return [] }
        guard let effect = writing.ending(of: writing.thrown[index], among: drafts) else {
            changeItems { $0.writing.thrown.remove(at: index) }
            return []
        }
        writing.thrown[index].isOver = true
        return [.writing(effect), .writing(.loadDrafts)]
    }

    /// What makes all thrown drafts go for good, of all accounts; the program ends.
    mutating func endThrown() -> [Effect] {
        ([accountLabel] + parked.keys.sorted()).flatMap { label in
            within(label) { state in
                let left = state.writing.thrown.filter { !$0.isOver }
                for index in state.writing.thrown.indices { state.writing.thrown[index].isOver = true }
                return left.compactMap { state.writing.ending(of: $0, among: state.drafts) }
            }.map { label == accountLabel ? .writing($0) : .of(label, .writing($0)) }
        }
    }

    /// How many drafts a mailbox has, or all have.
    func draftCount(_ row: MailboxCounts) -> Int {
        let thrown = writing.thrown.count { draft in
            !draft.isOver && (row.mailbox == nil || draft.mailbox == row.mailbox?.id)
        }
        return max(0, (row.total[.drafts] ?? 0) - thrown)
    }

    private func quoted(_ draft: ThrownDraft) -> String {
        "“" + TextDisplay.truncated(MailDisplay.subject(draft.subject), columns: 30) + "”"
    }
}

extension SendStatus {
    /// Whether the draft of a send belongs to it still.
    var keepsDraft: Bool {
        switch self {
        case .queued, .inFlight, .unknown, .held: true
        case .refused, .sent: false
        }
    }
}
