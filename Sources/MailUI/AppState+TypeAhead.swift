internal import MailModel
internal import TerminalUI

/// Keys typed ahead of the rows they are about: they wait, and then act on what the list shows.
extension AppState {
    /// Something typed that waits for rows.
    enum Held: Sendable, Hashable {
        case action(Invocation, count: Int?)
        case input(InputEvent)
    }

    /// The most that waits; nobody types so far ahead.
    private static let heldMax = 4_096

    /// Whether what the list shows is not what was asked for last.
    var awaitsRows: Bool {
        !list.isLoaded || list.seek != nil || list.filter != list.shownFilter
    }

    /// Holds a key behind others that wait; an interrupt drops them all instead.
    mutating func holdsBehindOthers(_ input: InputEvent, key: String) -> Bool {
        guard !list.held.isEmpty else { return false }
        guard key != "C-c" else {
            list.held = []
            list.seek = nil
            return false
        }
        if !hasLoadedList, pendingKeys.isEmpty,
            let invocation = keyMap.invocation(for: KeySequence(keys: [key]), in: context),
            !AppState.isAboutRows(invocation.id, in: context)
        {
            return false
        }
        if list.held.count < AppState.heldMax { list.held.append(.input(input)) }
        return true
    }

    /// Holds an action about rows that are not there yet.
    mutating func holds(_ invocation: Invocation) -> Bool {
        guard awaitsRows, AppState.isAboutRows(invocation.id, in: context) else { return false }
        // In the reader only a jump is waited for; what the list filters is not shown there.
        if context != .list, list.seek == nil { return false }
        list.held.append(.action(invocation, count: count))
        return true
    }

    /// Holds a movement of the selection while a filter is typed whose rows are not there yet.
    mutating func holdsInFilter(_ input: InputEvent) -> Bool {
        guard awaitsRows, list.held.count < AppState.heldMax else { return false }
        list.held.append(.input(input))
        return true
    }

    /// Does what was typed ahead, as far as the rows are there for it.
    mutating func performHeld() -> [Effect] {
        let waiting = list.held
        list.held = []
        var effects: [Effect] = []
        for (index, held) in waiting.enumerated() {
            guard !awaitsRows, list.held.isEmpty else {
                list.held += waiting[index...]
                break
            }
            switch held {
            case .action(let invocation, let times):
                count = times
                effects += perform(invocation)
            case .input(let input):
                effects += handle(input)
            }
            keepListInView()
        }
        return effects
    }

    /// Whether an action is about the rows of the list; in the list that is all that does not say otherwise.
    private static func isAboutRows(_ id: ActionID, in context: ActionContext) -> Bool {
        switch context {
        case .list:
            switch id {
            case .clearFilter, .filter, .quit, .quitNow, .interrupt, .refresh, .help, .redraw, .suspend, .command,
                .palette, .set, .reload, .nextFolder, .previousFolder, .nextMailbox, .goInbox, .goStarred, .goSent,
                .goDrafts, .goArchive, .goTrash, .goCatchall, .go, .mailbox, .back, .account, .goAccount, .allInboxes,
                .addAccount, .signIn, .undo, .outbox, .compose:
                return false
            default: return true
            }
        case .reader:
            return [.nextConversation, .previousConversation, .nextUnread, .previousUnread].contains(id)
        case .attachments, .outbox, .help, .combined, .review: return false
        }
    }
}
