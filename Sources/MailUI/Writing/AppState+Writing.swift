internal import DisplayText
internal import MailCompose
package import MailModel
internal import TerminalUI

/// Beginning to write.
extension AppState {
    /// The mailboxes that may send, in the order of the sidebar.
    var senders: [Mailbox] {
        NewDraft.senders(counts.compactMap(\.mailbox))
    }

    /// The actions that begin a mail; `nil` for all others.
    mutating func performWriting(_ invocation: Invocation) -> [Effect]? {
        switch invocation.id {
        case .compose: return compose(invocation.argument)
        case .reply, .replyAll, .forward:
            guard let message = writingSubject else { return [.bell] }
            writing.lastNumber += 1
            writing.pendingOriginal = PendingOriginal(number: writing.lastNumber, kind: invocation.id)
            return [.writing(.loadOriginal(writing.lastNumber, message.id)), .writing(.loadAddresses)]
        case .undo: return undoWriting()
        case .trash where context == .list: return trashDraft()
        default: return performInReview(invocation)
        }
    }

    /// The message that is answered or passed on: the current one, or the one that the list shows.
    var writingSubject: MessageSummary? {
        if reader != nil { return currentMessage?.summary }
        guard let thread = selectedThread else { return nil }
        return list.rows.first { $0.threadID == thread }?.shown
    }

    /// Why nothing can be written now, as a sentence; `nil` when it can.
    func writingReason(_ id: ActionID) -> String? {
        if id != .compose, writingSubject == nil { return "There is no message here." }
        if senders.isEmpty {
            return counts.isEmpty
                ? "The mailboxes are not here yet." : "There is no mailbox here that you may send from."
        }
        guard id != .compose, let mailbox = writingSubject?.mailboxID.flatMap({ counts(of: $0).mailbox }) else {
            return nil
        }
        return mailbox.accessLevel == .agent || mailbox.accessLevel == .manager
            ? nil : "You may only read the mail of \(MailDisplay.line(mailbox.address))."
    }

    /// Begins a new mail; the text is recipients or a `mailto:` address.
    private mutating func compose(_ text: String) -> [Effect] {
        let empty = NewDraft.empty(in: scope.mailboxID, mailboxes: counts.compactMap(\.mailbox))
        var content = empty
        content.to = text
        if text.lowercased().hasPrefix("mailto:") {
            guard let asked = MailtoURL.content(text) else {
                notice = "This mailto: address cannot be read."
                return [.bell]
            }
            content = asked
            (content.mailbox, content.from) = (empty.mailbox, empty.from)
        }
        content.text += writing.settings.signatureBlock(of: content.from)
        writing.lastNumber += 1
        let effects = begin(content, original: nil)
        notice = MailtoURL.leftOut(of: text)?.sentence
        return effects + [.writing(.loadAddresses)]
    }

    /// Opens the composer of the last number on a new draft.
    private mutating func begin(_ content: DraftContent, original: MessageDetail?) -> [Effect] {
        let isExternal = writing.settings.usesExternalEditor
        writing.composer = Composer(
            number: writing.lastNumber, content: content, original: original, mode: writing.settings.conflictMode,
            step: isExternal ? .review : .form)
        (helpTop, outbox.isOpen, notice) = (nil, false, nil)
        sizeEditor()
        guard isExternal else { return [] }
        return end(.edit)
    }

    /// Begins an answer, or passes on, once the original is here.
    mutating func takeOriginal(_ number: Int, _ message: ConversationMessage?) -> [Effect] {
        guard let pending = writing.pendingOriginal, pending.number == number, writing.composer == nil else {
            return []
        }
        writing.pendingOriginal = nil
        guard let message else {
            notice = "The message is not here any more."
            return [.bell]
        }
        guard message.detail != nil || pending.kind == .reply else {
            notice = "The whole message is needed for that, and it is not here yet. It is fetched when it is opened."
            return [.bell]
        }
        let detail = message.detail ?? AppState.detail(of: message.summary)
        let mailboxes = counts.compactMap(\.mailbox)
        var content =
            pending.kind == .forward
            ? NewDraft.forward(detail, mailboxes: mailboxes)
            : NewDraft.reply(to: detail, isToAll: pending.kind == .replyAll, mailboxes: mailboxes)
        content.text = writing.settings.signatureBlock(of: content.from)
        let effects = begin(content, original: detail)
        if pending.kind != .forward { notice = sentence(ofUnanswerable: content, detail) }
        return effects
    }

    /// Why an answer may not reach who wrote the original, where that is seen before a word is written.
    private func sentence(ofUnanswerable content: DraftContent, _ original: MessageDetail) -> String? {
        if content.to.isEmpty { return "It is not known who sent this. Fill in whom the answer goes to." }
        return DraftCheck.warnings(content, files: [], original: original).first { warning in
            if case .noReply = warning { true } else { false }
        }?.message
    }

    /// What is known of a message without its text; enough to answer its sender.
    private static func detail(of summary: MessageSummary) -> MessageDetail {
        MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: "", htmlAvailable: false,
            internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
    }

    /// Opens a draft of the list in the composer.
    mutating func openDraft(_ id: DraftID) -> [Effect] {
        writing.lastNumber += 1
        if let local = writing.local(id) {
            return [.writing(.open(writing.lastNumber, local.id)), .writing(.loadAddresses)]
        }
        guard let draft = drafts.first(where: { $0.id == id }) else { return [.bell] }
        return [.writing(.take(writing.lastNumber, draft)), .writing(.loadAddresses)]
    }

    /// Asks for a draft of this machine, to be opened as soon as it is here.
    ///
    /// The sentence is told once it is.
    package mutating func openAtStart(_ id: LocalDraftID, telling sentence: String? = nil) -> [Effect] {
        writing.lastNumber += 1
        writing.opening = writing.lastNumber
        writing.toldAtStart = sentence
        return [.writing(.open(writing.lastNumber, id)), .writing(.loadAddresses)]
    }

    /// Holds what is typed before the draft of the command line is there: it is meant for the draft, not for the list.
    mutating func holdsForDraft(_ input: InputEvent) -> Bool {
        guard writing.opening != nil else { return false }
        if case .key(.character("c"), .control) = input {
            (writing.opening, writing.typedAhead) = (nil, [])
            return false
        }
        if writing.typedAhead.count < AppState.typedAheadMax { writing.typedAhead.append(input) }
        return true
    }

    /// Holds what is typed while a mail is being put away: it is meant for what is there then.
    mutating func holdsWhileLeaving(_ input: InputEvent) -> Bool {
        guard let composer = writing.composer, composer.isPutAway else { return false }
        if case .key(.character("c"), .control) = input { return false }
        if case .mouse = input { return true }
        if writing.typedAhead.count < AppState.typedAheadMax { writing.typedAhead.append(input) }
        return true
    }

    /// Does what was typed while a mail was being put away; what was not put away has it dropped.
    mutating func performTypedAhead() -> [Effect] {
        guard writing.opening == nil, !writing.typedAhead.isEmpty, writing.composer?.isPutAway != true else {
            return []
        }
        let typed = writing.typedAhead
        writing.typedAhead = []
        guard writing.composer == nil else { return [] }
        return typed.flatMap { handle($0) }
    }

    /// The most keys that are held.
    private static let typedAheadMax = 65_536

    /// Opens the draft of the command line for writing, or gives up, and does what was typed meanwhile.
    mutating func finishOpening(_ number: Int) -> [Effect] {
        guard writing.opening == number else { return [] }
        let typed = writing.typedAhead
        (writing.opening, writing.typedAhead) = (nil, [])
        guard writing.composer?.number == number else { return [] }
        (notice, writing.toldAtStart) = (writing.toldAtStart ?? notice, nil)
        var effects: [Effect] = []
        if writing.settings.usesExternalEditor {
            effects = end(.edit)
        } else {
            writing.composer?.step = .form
            if writing.composer?.content.to.isEmpty == true {
                writing.composer?.focus = .to
            } else if writing.composer?.content.subject.isEmpty == true {
                writing.composer?.focus = .subject
            } else {
                writing.composer?.focus = .text
            }
            sizeEditor()
        }
        for input in typed { effects += handle(input) }
        return effects
    }

    /// Shows a draft that was opened, or a send that was taken back, for review.
    mutating func show(_ draft: LocalDraft, original: MessageDetail?, number: Int) -> [Effect] {
        guard number == writing.lastNumber, writing.composer == nil else { return [] }
        var composer = Composer(
            number: number, content: draft.content, original: original, mode: draft.conflictMode, step: .review)
        composer.draft = draft
        if draft.content.to.isEmpty == false { composer.focus = .text }
        writing.composer = composer
        (helpTop, outbox.isOpen) = (nil, false)
        sizeEditor()
        return []
    }
}

/// What waits for the message that it is about.
struct PendingOriginal: Sendable, Hashable {
    let number: Int
    /// Answering the sender or all, or passing on.
    let kind: ActionID
}
