internal import DisplayText
internal import MailModel
internal import TerminalUI

extension AppState {
    /// Takes a key or paste: the prompt first, then the map of keys.
    mutating func handle(_ input: InputEvent) -> [Effect] {
        if holdsForDraft(input) || holdsWhileLeaving(input) { return [] }
        if case .mouse(let mouse) = input { return handle(mouse) }
        if let effects = handlePrompts(input) {
            if effects.contains(.quit) { return effects }
            // Pressed once more, it leaves from here as from everywhere.
            if case .key(.character("c"), .control) = input { isInterruptArmed = true }
            return effects
        }
        guard let key = KeyName.of(input) else { return [] }
        if holdsBehindOthers(input, key: key) { return [] }
        notice = nil
        if key == "Esc", files.progress != nil { return [.cancelFiles] }
        let wasArmed = isInterruptArmed
        isInterruptArmed = false
        let prefix = pendingKeys
        let sequence = KeySequence(keys: prefix + [key])
        let isCancel = (key == "Esc" || key == "C-g") && (!prefix.isEmpty || count != nil)
        // A count alone is called off also by a key that does something on its own.
        if let invocation = keyMap.invocation(for: sequence, in: context), !(isCancel && prefix.isEmpty) {
            pendingKeys = []
            if invocation.id == .goAccount, let digit = Int(key.suffix(1)) { count = digit }
            if invocation.id == .interrupt { return interrupt(wasArmed: wasArmed) }
            return perform(invocation)
        }
        if !keyMap.continuations(of: sequence, in: context).isEmpty {
            pendingKeys = sequence.keys
            return []
        }
        if prefix.isEmpty, takeDigit(key) { return [] }
        (pendingKeys, count) = ([], nil)
        if isCancel { return [] }
        // A settings file may have taken the key away, but never the way out.
        if key == "C-c" { return interrupt(wasArmed: wasArmed) }
        notice = "“\(TextDisplay.sanitizedLine(sequence.text))” does nothing here\(helpHint)."
        return [.bell]
    }

    /// Takes a key for the line being typed; `nil` when there is none.
    private mutating func handlePrompts(_ input: InputEvent) -> [Effect]? {
        if signIn != nil, prompt == nil, helpTop == nil { return handleSignIn(input) }
        if writing.asksAtQuit { return handleQuitQuestion(input) }
        if writing.composer?.prompt != nil { return handlePathPrompt(input) }
        if files.prompt != nil { return handleFilePrompt(input) }
        if prompt != nil { return handlePrompt(input) }
        if linkPrompt != nil { return handleLinkPrompt(input) }
        if let composer = writing.composer, helpTop == nil {
            if composer.step == .form { return handleForm(input) }
            if composer.step == .conflict { return handleConflict(input) }
            if case .paste(let text) = input { return end(.attach(text)) }
        }
        return nil
    }

    private var helpHint: String {
        keyText(.help).map { "; \($0) shows the keys" } ?? ""
    }

    /// The key to name for an action in a sentence; `nil` when it has none here.
    func keyText(_ id: ActionID) -> String? {
        keyMap.keys(of: id, in: context).first?.text
    }

    /// Adds a digit to the count; `false` for all other keys, and for a zero that begins none.
    private mutating func takeDigit(_ key: String) -> Bool {
        guard key.utf8.count == 1, let digit = Int(key), digit > 0 || count != nil else { return false }
        count = min(AppState.countMax, (count ?? 0) * 10 + digit)
        return true
    }

    /// The largest count; nobody has a longer list on the screen.
    static let countMax = 99_999

    private mutating func interrupt(wasArmed: Bool) -> [Effect] {
        count = nil
        if wasArmed { return [.quit] }
        isInterruptArmed = true
        notice = "Press C-c once more to leave Herald."
        return []
    }

    /// Does an action, or says why it cannot be done.
    mutating func perform(_ invocation: Invocation) -> [Effect] {
        defer { count = nil }
        guard let action = ActionTable.action(invocation.id, in: context) else { return [.bell] }
        if invocation.argument.isEmpty, action.argument?.isRequired == true {
            return openCommandLine(action.id.command + " ")
        }
        if holds(invocation) { return [] }
        if let reason = action.unavailableReason(self) {
            notice = reason
            return [.bell]
        }
        list.seek = nil
        list.isLoose = false
        if let effects = performAnywhere(invocation) ?? performWithArgument(invocation) ?? performWriting(invocation)
            ?? performTriage(action.id)
        {
            return effects
        }
        switch context {
        case .list: return performInList(action.id)
        case .combined: return performInCombined(action.id)
        case .reader: return performInReader(action.id)
        case .attachments: return performInAttachments(action.id)
        case .outbox: return performInOutbox(action.id)
        case .help: return performInHelp(action.id)
        case .review: return [.bell]
        }
    }

    /// The actions that mean the same everywhere; `nil` for all others.
    private mutating func performAnywhere(_ invocation: Invocation) -> [Effect]? {
        switch invocation.id {
        case .toggleMouse: return toggleMouse()
        case .toggleSidebar:
            presentation.hasSidebar.toggle()
            return []
        case .quit, .quitNow: return [.quit]
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .refresh where context != .combined: return refresh()
        case .goAccount: return goToAccount()
        case .allInboxes: return showCombined()
        case .addAccount: return addAccount()
        case .signIn: return signInAgain()
        case .command: return openCommandLine(invocation.argument.isEmpty ? "" : invocation.argument + " ")
        case .palette: return openPalette()
        case .set: return [.changeSetting(invocation.argument)]
        case .reload: return [.reloadSettings]
        case .help:
            helpTop = helpTop == nil || !invocation.argument.isEmpty ? 0 : nil
            helpWords = invocation.argument
            return []
        default: return nil
        }
    }

    /// The actions that are told what to act on; `nil` for all others.
    private mutating func performWithArgument(_ invocation: Invocation) -> [Effect]? {
        let argument = invocation.argument
        switch (invocation.id, context) {
        case (.go, .combined): return leaveCombined() + go(to: argument)
        case (.go, _): return go(to: argument)
        case (.selectMatching, _) where !argument.isEmpty:
            let effects = selectFiltered(argument)
            list.fault = nil
            return effects
        case (.mailbox, _): return showMailbox(argument)
        case (.account, _): return goToAccount(named: argument)
        case (.first, _) where !argument.isEmpty:
            count = max(1, min(AppState.countMax, Int(argument) ?? 1))
            return nil
        case (.filter, .help):
            if argument.isEmpty { prompt = Prompt(.helpWords, helpWords) } else { helpWords = argument }
            return []
        case (.filter, _):
            if !isCombinedShown { reader = nil }
            guard argument.isEmpty else { return applyFilter(argument) }
            prompt = Prompt(.filter, shownFilter)
            return []
        default: return nil
        }
    }

    private mutating func refresh() -> [Effect] {
        sync.wasAskedFor = true
        guard let thread = openThread, reader?.lacksBodies == true else { return [.syncNow] }
        reader?.failures = [:]
        reader?.threadFailure = nil
        return [.syncNow, .fetchBodies(thread)]
    }

    private mutating func performInHelp(_ id: ActionID) -> [Effect] {
        let top = helpTop ?? 0
        let page = max(1, layout.body.rows - 1)
        let last = max(0, helpLines.count - layout.body.rows)
        guard let moved = Scroll.moved(top, by: id, page: page, last: last, count: count) else {
            // One level back: first to all lines, then out of the help.
            helpTop = helpWords.isEmpty ? nil : 0
            helpWords = ""
            return []
        }
        helpTop = moved
        return []
    }

    /// The actions that mean the same wherever folders can be chosen; `nil` for all others.
    mutating func performPlace(_ id: ActionID) -> [Effect]? {
        switch id {
        case .nextFolder: moveFolder(by: count ?? 1)
        case .previousFolder: moveFolder(by: -(count ?? 1))
        case .nextMailbox: moveMailbox(by: count ?? 1)
        case .goInbox: go(to: .inbox)
        case .goStarred: go(to: .starred)
        case .goSent: go(to: .sent)
        case .goDrafts: go(to: .drafts)
        case .goArchive: go(to: .archived)
        case .goTrash: go(to: .trash)
        case .goCatchall: go(to: .catchall)
        default: nil
        }
    }
}

/// Where movement keys take a position.
enum Scroll {
    /// The new position between 0 and `last`; `nil` when the action is no movement.
    ///
    /// A count says how often, and for the first and last line which one, counted from 1.
    static func moved(_ position: Int, by id: ActionID, page: Int, last: Int, count: Int? = nil) -> Int? {
        let times = max(1, count ?? 1)
        let target: Int
        switch id {
        case .moveDown: target = position + times
        case .moveUp: target = position - times
        case .first: target = (count ?? 1) - 1
        case .last: target = count.map { $0 - 1 } ?? last
        case .halfPageDown: target = position + max(1, page / 2) * times
        case .halfPageUp: target = position - max(1, page / 2) * times
        case .pageDown: target = position + page * times
        case .pageUp: target = position - page * times
        default: return nil
        }
        return max(0, min(last, target))
    }
}
