internal import DisplayText
internal import MailCompose
internal import MailModel
internal import TerminalUI

/// What is done with a mail before it is sent.
extension AppState {
    /// The actions of the review; `nil` where there is none.
    mutating func performInReview(_ invocation: Invocation) -> [Effect]? {
        guard let composer = writing.composer, context == .review else { return nil }
        let wasArmed = composer.armed
        writing.composer?.armed = nil
        switch invocation.id {
        case .send: return send(wasArmed: wasArmed == .send, key: keyText(.send) ?? ":send")
        case .edit:
            if writing.settings.usesExternalEditor { return end(.edit) }
            return openForm(composer.text(of: .to).isEmpty ? .to : .text)
        case .editTo: return openForm(.to, returns: true)
        case .editCc: return openForm(.cc, returns: true)
        case .editBcc: return openForm(.bcc, returns: true)
        case .editSubject:
            guard !composer.hasFixedSubject else {
                notice = "The server makes the subject of an answer."
                return [.bell]
            }
            return openForm(.subject, returns: true)
        case .editFrom: return openForm(.from, returns: true)
        case .attach: return attach(invocation.argument)
        case .saveAs:
            guard invocation.argument.isEmpty else {
                return [.writing(.saveAs(path: invocation.argument, composer.content))]
            }
            let path = suggestedPath("draft.txt")
            writing.composer?.prompt = PathPrompt(purpose: .saveAs, editor: LineEditor(path))
        case .detach: return detach(composer)
        case .keep: return composer.isPreview ? leavePreview() : keep(composer)
        case .discard: return discard(composer, wasArmed: wasArmed == .discard)
        case .preview:
            writing.composer?.isPreview = !composer.isPreview
            writing.composer?.top = 0
        case .originals: return toggleOriginals(composer)
        case .conflicts: return changeMode(composer)
        default: return moveInReview(invocation.id, composer)
        }
        return []
    }

    /// Why an action of the review cannot be done now; `nil` when it can.
    func reviewReason(_ id: ActionID) -> String? {
        guard let composer = writing.composer else { return nil }
        switch id {
        case .detach: return composer.files.isEmpty ? "There is no file to take off." : nil
        case .originals:
            guard case .forward = composer.origin else {
                return "Only mail that is passed on has files of an original."
            }
            return composer.original?.summary.hasAttachments == false ? "The original has no files." : nil
        default: return nil
        }
    }

    private mutating func openForm(_ field: Composer.Field, returns: Bool = false) -> [Effect] {
        writing.composer?.step = .form
        writing.composer?.focus = field
        writing.composer?.returnsToReview = returns
        return []
    }

    private mutating func leavePreview() -> [Effect] {
        writing.composer?.isPreview = false
        writing.composer?.top = 0
        return []
    }

    /// Sends from the form; what speaks against it is told there, and the same key sends all the same.
    mutating func sendFromForm() -> [Effect] {
        let wasArmed = writing.composer?.armed == .send
        writing.composer?.armed = nil
        writing.composer?.closeMenu()
        return send(wasArmed: wasArmed, key: "C-x")
    }

    private mutating func send(wasArmed: Bool, key: String) -> [Effect] {
        guard let composer = writing.composer else { return [.bell] }
        if composer.draft?.theirs != nil {
            notice =
                "It was changed elsewhere, too: \(keyMap.keys(of: .conflicts, in: .review).first?.text ?? ":conflicts") "
                + "in the review shows both versions. Say which is to be sent."
            return [.bell]
        }
        var checked = composer.content
        let own = composer.ownText(writing.settings)
        // A signature alone says nothing.
        if own.allSatisfy(\.isWhitespace) { checked.text = own }
        let forwarded = if case .forward = composer.origin { composer.contextText } else { "" }
        let refusals = DraftCheck.refusals(
            checked, files: composer.files, senders: senders.map(\.address), forwarded: forwarded)
        guard refusals.isEmpty else {
            notice = refusals.map(\.message).joined(separator: " ")
            if composer.step == .form, let field = refusals.lazy.compactMap({ composer.field(of: $0) }).first {
                writing.composer?.focus = field
            }
            return [.bell]
        }
        let warnings = DraftCheck.warnings(
            composer.content, files: composer.files, original: composer.original, own: Array(ownAddresses))
        if !warnings.isEmpty, !wasArmed {
            writing.composer?.armed = .send
            notice = warnings.map(\.message).joined(separator: " ") + " \(key) once more sends it."
            return [.bell]
        }
        return end(.send)
    }

    /// Leaves; what nobody has written a word of is no draft.
    private mutating func keep(_ composer: Composer) -> [Effect] {
        guard isUntouched(composer) else { return end(.keep) }
        writing.composer = nil
        return composer.draft.map { [.writing(.discard($0.id)), .writing(.loadDrafts)] } ?? []
    }

    /// Whether a new draft has nothing in it that a person wrote or added.
    func isUntouched(_ composer: Composer) -> Bool {
        let isBlank = composer.ownText(writing.settings).allSatisfy(\.isWhitespace)
        let isNew = composer.draft?.server == nil && composer.files.isEmpty && isBlank
        switch composer.origin {
        case .new:
            return isNew
                && [.to, .cc, .bcc, .subject].allSatisfy { composer.text(of: $0).allSatisfy(\.isWhitespace) }
        case .reply, .forward: return isNew && composer.changes == 0
        }
    }

    /// Ends with the program what nobody has written a word of.
    mutating func dropUntouched() -> [Effect] {
        guard let composer = writing.composer, isUntouched(composer) else { return [] }
        writing.composer = nil
        return composer.draft.map { [.writing(.discard($0.id))] } ?? []
    }

    /// Throws it away once the disk has it, so that it can be brought back.
    private mutating func discard(_ composer: Composer, wasArmed: Bool) -> [Effect] {
        if isUntouched(composer) { return keep(composer) }
        if composer.failure == nil { return end(.discard) }
        if !wasArmed {
            writing.composer?.armed = .discard
            notice =
                "The disk has not all of it. \(keyText(.discard) ?? ":discard") once more throws it away for good."
            return [.bell]
        }
        writing.composer = nil
        notice = "Thrown away."
        return composer.draft.map { [.writing(.discard($0.id)), .writing(.loadDrafts)] } ?? []
    }

    private mutating func attach(_ path: String) -> [Effect] {
        if !path.isEmpty { return end(.attach(path)) }
        writing.composer?.prompt = PathPrompt(purpose: .attach, editor: LineEditor(charactersMax: 16_384))
        return []
    }

    private mutating func detach(_ composer: Composer) -> [Effect] {
        guard let draft = composer.draft, composer.files.indices.contains(composer.selectedFile) else { return [.bell] }
        return [.writing(.detach(composer.number, draft.id, composer.files[composer.selectedFile].id))]
    }

    private mutating func toggleOriginals(_ composer: Composer) -> [Effect] {
        guard case .forward(let message, let withFiles) = composer.origin else { return [.bell] }
        writing.composer?.origin = .forward(of: message, withFiles: !withFiles)
        return noteChange()
    }

    private mutating func changeMode(_ composer: Composer) -> [Effect] {
        if composer.draft?.theirs != nil {
            writing.composer?.step = .conflict
            writing.composer?.top = 0
            return []
        }
        let all = ConflictMode.allCases
        let next = all[((all.firstIndex(of: composer.mode) ?? 0) + 1) % all.count]
        writing.composer?.mode = next
        notice = next.sentence
        return composer.draft.map { [.writing(.setMode(composer.number, $0.id, next))] } ?? []
    }

    private mutating func moveInReview(_ id: ActionID, _ composer: Composer) -> [Effect] {
        let isLine = id == .moveDown || id == .moveUp
        if isLine, !composer.files.isEmpty, !composer.isPreview {
            let step = (id == .moveDown ? 1 : -1) * (count ?? 1)
            writing.composer?.selectedFile = max(0, min(composer.files.count - 1, composer.selectedFile + step))
            return []
        }
        let (rows, lines) = reviewExtent
        let last = max(0, lines - rows)
        if let moved = Scroll.moved(composer.top, by: id, page: max(1, rows - 1), last: last, count: count) {
            writing.composer?.top = moved
        }
        return []
    }

    /// Takes what a path may become.
    mutating func takeCompletion(_ typed: String, text: String, candidates: [String]) {
        if text != typed { writing.composer?.prompt?.editor.replace(with: text) }
        writing.composer?.prompt?.candidates = candidates
        if candidates.isEmpty, text == typed { notice = "No file or directory begins so." }
    }

    /// Takes a key while a path is typed in the review.
    mutating func handlePathPrompt(_ input: InputEvent) -> [Effect] {
        guard var line = writing.composer?.prompt else { return [] }
        notice = nil
        switch input {
        case .key(.escape, _), .key(.character("c"), .control), .key(.character("g"), .control):
            writing.composer?.prompt = nil
            return []
        case .key(.tab, _): return [.completePath(line.editor.text)]
        case .key(.enter, _):
            writing.composer?.prompt = nil
            let path = line.editor.text
            if path.allSatisfy(\.isWhitespace) { return [] }
            guard line.purpose == .attach else {
                return writing.composer.map { [.writing(.saveAs(path: path, $0.content))] } ?? []
            }
            return end(.attach(path))
        default:
            if line.editor.take(input) == .edited { line.candidates = [] }
            writing.composer?.prompt = line
            return []
        }
    }
}

extension ConflictMode {
    /// What the mode does, for people.
    var sentence: String {
        switch self {
        case .auto: "Changed elsewhere: fields are merged; of a text changed on both sides both drafts are kept."
        case .manual: "Changed elsewhere: it waits for you, with both versions."
        case .ask: "Changed elsewhere: you are asked here; commands merge by themselves."
        }
    }
}
