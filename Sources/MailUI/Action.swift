internal import MailModel

/// Where a key is pressed.
package enum ActionContext: String, Sendable, Hashable, CaseIterable {
    case list, reader, help
}

/// The name that code, key settings and help share for one action.
package enum ActionID: String, Sendable, Hashable, CaseIterable {
    case moveDown, moveUp, first, last, halfPageDown, halfPageUp, pageDown, pageUp
    case open, back, clearFilter, quit, quitNow, interrupt
    case nextFolder, previousFolder, nextMailbox
    case goInbox, goStarred, goSent, goDrafts, goArchive, goTrash, goCatchall
    case nextUnread, previousUnread, nextConversation, previousConversation
    case nextMessage, previousMessage, toggleFold, unfold, fold, unfoldAll, foldAll, toggleQuotes
    case filter, refresh, help, redraw, suspend
}

/// One thing a person can do, with everything the program says about it.
package struct Action: Sendable, Hashable {
    package let id: ActionID
    /// A word or two for hint lines.
    package let name: String
    /// Key sequences, the one to show first.
    package let keys: [String]
    package let contexts: Set<ActionContext>
    /// One line for the help screen.
    package let help: String
    /// Whether the hint line offers it.
    let isHinted: Bool

    init(
        _ id: ActionID, _ name: String, _ keys: [String], _ contexts: Set<ActionContext>, _ help: String,
        hinted: Bool = false
    ) {
        self.id = id
        self.name = name
        self.keys = keys
        self.contexts = contexts
        self.help = help
        isHinted = hinted
    }

    /// Why the action cannot be done now, as a sentence; `nil` when it can.
    package func unavailableReason(_ state: AppState) -> String? {
        switch id {
        case .open where state.context == .list && state.list.selected == nil:
            "There is nothing to open in this list."
        case .nextUnread:
            state.hasUnread || state.hasUnloadedUnread || state.nextUnreadPlace != nil
                ? nil : "No other conversation is unread here or in an inbox."
        case .previousUnread:
            state.hasUnread ? nil : "No other conversation is unread in this list."
        case .nextConversation where state.neighbour(by: 1) == nil:
            "This is the last conversation of the list."
        case .previousConversation where state.neighbour(by: -1) == nil:
            "This is the first conversation of the list."
        case .nextMailbox where state.mailboxOrder.count < 2:
            "There is only one mailbox."
        case .refresh where state.sync.isRunning:
            "A refresh is already running."
        case .filter where state.scope.folder == .drafts && state.drafts.isEmpty:
            "There are no drafts to filter."
        default:
            nil
        }
    }
}
