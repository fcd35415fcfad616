internal import DisplayText
internal import MailModel
internal import TerminalUI

/// Keys while fields and text are typed.
extension AppState {
    /// Takes a key or a paste of the form.
    mutating func handleForm(_ input: InputEvent) -> [Effect] {
        switch input {
        case .focusGained, .focusLost, .background, .graphics, .mouse: return []
        case .key, .paste: notice = nil
        }
        if writing.composer?.picker != nil { return handlePicker(input) }
        if input != .key(.character("x"), .control) { writing.composer?.armed = nil }
        if let effects = handleFormKeys(input) { return effects }
        switch writing.composer?.focus {
        case .text?: return handleText(input)
        case .from?: return handleSender(input)
        case let field?: return handleField(input, field)
        case nil: return []
        }
    }

    /// The keys that mean the same in all fields; `nil` for all others.
    private mutating func handleFormKeys(_ input: InputEvent) -> [Effect]? {
        guard case .key(let key, let modifiers) = input else { return nil }
        switch (key, modifiers.contains(.control)) {
        case (.escape, _), (.character("c"), true), (.character("g"), true):
            if writing.composer?.menu.items.isEmpty == false {
                writing.composer?.closeMenu()
            } else if writing.composer?.editor.mark != nil, writing.composer?.focus == .text {
                writing.composer?.editor.clearSelection()
            } else {
                writing.composer?.step = .review
            }
            return []
        case (.character("x"), true):
            return sendFromForm()
        case (.character("s"), true):
            notice = writing.composer?.failure == nil ? "It is being saved as a draft." : nil
            return saveDraft()
        case (.character("t"), true):
            return perform(Invocation(.attach))
        case (.character("o"), true): return openPicker()
        case (.character("l"), true): return [.redraw]
        case (.character("z"), true): return [.suspend]
        case (.function(1), _):
            helpTop = 0
            return []
        default: return nil
        }
    }

    private mutating func handleText(_ input: InputEvent) -> [Effect] {
        if case .key(.tab, let modifiers) = input, modifiers.contains(.shift) {
            writing.composer?.moveFocus(by: -1)
            return []
        }
        if case .key(.up, []) = input, writing.composer?.editor.isOnFirstRow == true {
            writing.composer?.moveFocus(by: -1)
            return []
        }
        // In place: a long text is not copied for a key.
        guard let outcome = writing.composer?.editor.take(input) else { return [] }
        switch outcome {
        case .edited:
            if writing.composer?.editor.isCut == true { notice = "The text is full; the rest has no room." }
            return noteChange()
        case .copied(let text): return [.copy(text)]
        case .moved: return []
        case .ignored: return [.bell]
        }
    }

    private mutating func handleSender(_ input: InputEvent) -> [Effect] {
        guard case .key(let key, let modifiers) = input else { return [] }
        switch key {
        case .tab: writing.composer?.moveFocus(by: modifiers.contains(.shift) ? -1 : 1)
        case .enter where writing.composer?.returnsToReview == true: writing.composer?.step = .review
        case .enter, .down: writing.composer?.moveFocus(by: 1)
        case .left: return changeSender(by: -1)
        case .right, .character(" "): return changeSender(by: 1)
        case .up: break
        default: notice = "Left and Right choose among the addresses that you may send from."
        }
        return []
    }

    mutating func changeSender(by step: Int) -> [Effect] {
        let all = senders
        guard let composer = writing.composer, !all.isEmpty else { return [] }
        let index = all.firstIndex { $0.address.lowercased() == composer.from.lowercased() }
        let next = index.map { (($0 + step) % all.count + all.count) % all.count } ?? 0
        if index == next {
            notice = "There is no other address that you may send from."
            return []
        }
        writing.composer?.setSender(all[next], writing.settings)
        return noteChange()
    }

    private mutating func handleField(_ input: InputEvent, _ field: Composer.Field) -> [Effect] {
        if case .key(let key, let modifiers) = input, let effects = handleFieldKeys(key, modifiers, field) {
            return effects
        }
        if field == .subject, writing.composer?.hasFixedSubject == true {
            notice = "The server makes the subject of an answer."
            return [.bell]
        }
        guard let outcome = writing.composer?.fields[field]?.take(input) else { return [] }
        if writing.composer?.fields[field]?.isCut == true { notice = "The rest of the text has no room here." }
        guard outcome == .edited else {
            writing.composer?.closeMenu()
            return outcome == .ignored ? [.bell] : []
        }
        return noteChange() + lookUpAddresses(field)
    }

    private mutating func handleFieldKeys(
        _ key: InputEvent.Key, _ modifiers: InputEvent.Modifiers, _ field: Composer.Field
    ) -> [Effect]? {
        let hasMenu = writing.composer?.menu.items.isEmpty == false
        switch key {
        case .tab where modifiers.contains(.shift): writing.composer?.moveFocus(by: -1)
        case .tab where hasMenu && writing.composer?.isTypedOffered != true:
            if writing.composer?.menu.selected == nil { writing.composer?.menu.selected = 0 }
            return acceptAddress(field)
        case .enter where writing.composer?.menu.selected != nil: return acceptAddress(field)
        case .down where hasMenu: writing.composer?.menu.move(by: 1)
        case .up where hasMenu: writing.composer?.menu.move(by: -1)
        case .enter where writing.composer?.returnsToReview == true: writing.composer?.step = .review
        case .enter where field.isAddresses:
            let isFixed = writing.composer?.hasFixedSubject == true
            writing.composer?.focus = isFixed ? .text : .subject
            writing.composer?.closeMenu()
        case .tab, .enter, .down: writing.composer?.moveFocus(by: 1)
        case .up: writing.composer?.moveFocus(by: -1)
        default: return nil
        }
        return []
    }

    private mutating func acceptAddress(_ field: Composer.Field) -> [Effect] {
        guard let item = writing.composer?.menu.selectedItem else { return [] }
        writing.composer?.complete(item.text, in: field)
        return noteChange()
    }

    /// Offers addresses for what is typed, and asks the person's program for more.
    private mutating func lookUpAddresses(_ field: Composer.Field) -> [Effect] {
        guard field.isAddresses, let typed = writing.composer?.typedAddress(field)?.text else {
            writing.composer?.closeMenu()
            return []
        }
        writing.composer?.completed = typed
        offer(KnownAddress.matching(typed, in: writing.known, limit: AppState.offeredMax))
        return writing.settings.hasAddressCommand && typed.count >= 2 ? [.writing(.askAddresses(typed))] : []
    }

    /// The most addresses offered at a time.
    static let offeredMax = 6

    private mutating func offer(_ found: [KnownAddress]) {
        let items = found.map { Menu.Item(text: $0.text, title: TextDisplay.sanitizedLine($0.text)) }
        writing.composer?.menu = Menu(items: items)
    }

    /// Adds what the person's program found to what is offered for the same text.
    mutating func takeAddresses(_ found: [KnownAddress], for typed: String) {
        guard let composer = writing.composer, composer.completed == typed, !typed.isEmpty,
            composer.menu.selected == nil
        else { return }
        let learned = KnownAddress.matching(typed, in: writing.known, limit: AppState.offeredMax / 2)
        var seen = Set(learned.map { $0.address.lowercased() })
        offer(
            Array(
                (learned + found.filter { seen.insert($0.address.lowercased()).inserted }).prefix(AppState.offeredMax)))
    }

    private mutating func openPicker() -> [Effect] {
        guard let composer = writing.composer, let original = composer.original else {
            notice = "There is no original to take lines from."
            return [.bell]
        }
        let text = original.textBody.isEmpty ? original.summary.snippet : original.textBody
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        writing.composer?.picker = QuotePicker(lines: lines.isEmpty ? [""] : lines)
        writing.composer?.focus = .text
        return []
    }

    private mutating func handlePicker(_ input: InputEvent) -> [Effect] {
        guard var picker = writing.composer?.picker else { return [] }
        let done = picker.take(input, page: max(1, layout.body.rows - 2))
        writing.composer?.picker = done == nil ? picker : nil
        guard done == true else { return [] }
        writing.composer?.editor.insert(picker.text)
        return noteChange()
    }
}
