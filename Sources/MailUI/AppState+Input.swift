internal import DisplayText
internal import MailModel
internal import TerminalUI

extension AppState {
    /// Takes a key or paste: the prompt first, then the table of actions.
    mutating func handle(_ input: InputEvent) -> [Effect] {
        if prompt != nil { return handlePrompt(input) }
        guard let key = KeyName.of(input) else { return [] }
        notice = nil
        let wasArmed = isInterruptArmed
        isInterruptArmed = false
        let prefix = pendingKeys
        pendingKeys = ""
        if !prefix.isEmpty && key == "Esc" { return [] }
        let sequence = prefix + key
        if let action = ActionTable.action(for: sequence, in: context) {
            if action.id == .interrupt { return interrupt(wasArmed: wasArmed) }
            return perform(action)
        }
        if prefix.isEmpty && !ActionTable.continuations(of: key, in: context).isEmpty {
            pendingKeys = key
            return []
        }
        notice = "“\(TextDisplay.sanitizedLine(sequence))” does nothing here; ? shows the keys."
        return [.bell]
    }

    private mutating func interrupt(wasArmed: Bool) -> [Effect] {
        if wasArmed { return [.quit] }
        isInterruptArmed = true
        notice = "Press C-c once more to leave Herald."
        return []
    }

    /// Does an action, or says why it cannot be done.
    private mutating func perform(_ action: Action) -> [Effect] {
        if let reason = action.unavailableReason(self) {
            notice = reason
            return [.bell]
        }
        list.seek = nil
        switch action.id {
        case .quit, .quitNow: return [.quit]
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .refresh: return refresh()
        case .help:
            helpTop = helpTop == nil ? 0 : nil
            return []
        default: break
        }
        switch context {
        case .list: return performInList(action.id)
        case .reader: return performInReader(action.id)
        case .help: return performInHelp(action.id)
        }
    }

    private mutating func refresh() -> [Effect] {
        guard let thread = openThread, reader?.lacksBodies == true else { return [.syncNow] }
        reader?.failures = [:]
        reader?.threadFailure = nil
        return [.syncNow, .fetchBodies(thread)]
    }

    private mutating func performInHelp(_ id: ActionID) -> [Effect] {
        let top = helpTop ?? 0
        let page = max(1, layout.body.rows - 1)
        let last = max(0, helpLines.count - layout.body.rows)
        guard let moved = Scroll.moved(top, by: id, page: page, last: last) else {
            helpTop = nil
            return []
        }
        helpTop = moved
        return []
    }

    /// The actions that mean the same wherever folders can be chosen; `nil` for all others.
    mutating func performPlace(_ id: ActionID) -> [Effect]? {
        switch id {
        case .nextFolder: moveFolder(by: 1)
        case .previousFolder: moveFolder(by: -1)
        case .nextMailbox: moveMailbox()
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
    static func moved(_ position: Int, by id: ActionID, page: Int, last: Int) -> Int? {
        let target: Int
        switch id {
        case .moveDown: target = position + 1
        case .moveUp: target = position - 1
        case .first: target = 0
        case .last: target = last
        case .halfPageDown: target = position + max(1, page / 2)
        case .halfPageUp: target = position - max(1, page / 2)
        case .pageDown: target = position + page
        case .pageUp: target = position - page
        default: return nil
        }
        return max(0, min(last, target))
    }
}
