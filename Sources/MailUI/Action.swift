internal import MailModel

/// Where a key is pressed; its name is that of the group of keys in the settings.
package enum ActionContext: String, Sendable, Hashable, CaseIterable {
    case list, reader, attachments, outbox, help, combined, review

    /// What help and pages call the place.
    package var title: String {
        switch self {
        case .list: "In the list"
        case .reader: "In the reader"
        case .attachments: "In the list of attachments"
        case .outbox: "In the outbox"
        case .help: "In the list of keys"
        case .combined: "In the inbox of all accounts"
        case .review: "In the review of a mail"
        }
    }
}

/// The name that code, key settings and help share for one action.
package enum ActionID: String, Sendable, Hashable, CaseIterable {
    case moveDown, moveUp, first, last, halfPageDown, halfPageUp, pageDown, pageUp
    case open, back, clearFilter, quit, quitNow, interrupt
    case nextFolder, previousFolder, nextMailbox
    case goInbox, goStarred, goSent, goDrafts, goArchive, goTrash, goCatchall
    case go, mailbox
    case account, goAccount, allInboxes, addAccount, signIn
    case nextUnread, previousUnread, nextConversation, previousConversation
    case nextMessage, previousMessage, toggleFold, unfold, fold, unfoldAll, foldAll, toggleQuotes, toggleHeaders
    case attachments, openAttachment, saveAttachment, saveAll, saveMessage, pipe
    case openLink, copyLink, togglePictures, loadImages, trustSender
    case toggleForm, toggleSidebar
    case archive, trash, unarchive, restore, toggleRead, markRead, toggleStar, undo
    case select, selectDown, selectRange, selectAll, selectMatching, invertSelection, clearSelection
    case outbox, retry, drop, declareSent
    case compose, reply, replyAll, forward
    case send, edit, attach, detach, keep, preview, discard, originals, conflicts, saveAs
    case editTo, editCc, editBcc, editSubject, editFrom
    case filter, refresh, help, redraw, suspend, toggleMouse
    case command, palette, set, reload

    /// The name in `:` commands and in the settings: `next-unread` for `nextUnread`.
    package var command: String {
        rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }
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
    /// Other words people look for; one that no other action has also works as a command.
    package let synonyms: [String]
    /// What may follow the command's name; `nil` when nothing may.
    package let argument: ActionArgument?
    /// Whether the hint line offers it.
    let isHinted: Bool

    init(
        _ id: ActionID, _ name: String, _ keys: [String], _ contexts: Set<ActionContext>, _ help: String,
        synonyms: [String] = [], argument: ActionArgument? = nil, hinted: Bool = false
    ) {
        self.id = id
        self.name = name
        self.keys = keys
        self.contexts = contexts
        self.help = help
        self.synonyms = synonyms
        self.argument = argument
        isHinted = hinted
    }

    /// The command as pages and help show it, with what may follow its name.
    package var usage: String {
        guard let argument else { return id.command }
        return id.command + " " + (argument.isRequired ? argument.placeholder : "[\(argument.placeholder)]")
    }

    /// Why the action cannot be done now, as a sentence; `nil` when it can.
    package func unavailableReason(_ state: AppState) -> String? {
        switch id {
        case .open where state.context == .list && state.list.selected == nil:
            "There is nothing to open in this list."
        case .nextUnread where state.context == .combined, .previousUnread where state.context == .combined:
            nil
        case .nextUnread where state.isReadingCombined, .previousUnread where state.isReadingCombined:
            state.combined?.unread(isForward: true) == nil ? "No other conversation is unread in this list." : nil
        case .nextConversation where state.isReadingCombined:
            state.combined?.neighbour(by: 1) == nil ? "This is the last conversation of the list." : nil
        case .previousConversation where state.isReadingCombined:
            state.combined?.neighbour(by: -1) == nil ? "This is the first conversation of the list." : nil
        case .nextUnread:
            state.hasUnread || state.hasUnloadedUnread || state.nextUnreadPlace != nil
                ? nil : "No other conversation is unread here or in an inbox."
        case .previousUnread:
            state.hasUnread ? nil : "No other conversation is unread in this list."
        case .nextConversation where state.neighbour(by: 1) == nil && !state.hasUnloadedRows:
            "This is the last conversation of the list."
        case .previousConversation where state.neighbour(by: -1) == nil:
            "This is the first conversation of the list."
        case .nextMailbox where state.mailboxOrder.count < 2:
            "There is only one mailbox."
        case .openLink where state.linksActedOn.isEmpty, .copyLink where state.linksActedOn.isEmpty:
            "There is no link in this message."
        case .loadImages, .trustSender:
            state.remoteImagesReason
        case .toggleForm:
            state.formReason
        case .toggleSidebar where state.presentation.isLinear:
            "The linear form has one pane; :go and :mailbox lead to folders and mailboxes."
        case .toggleSidebar where !state.hasRoomForSidebar:
            "There is no room for mailboxes and folders beside the list."
        case .attachments where state.context == .reader:
            state.attachmentsReason
        case .saveMessage, .pipe:
            state.currentMessage == nil ? "There is no message here." : nil
        case .openAttachment:
            state.busyReason
        case .allInboxes, .goAccount, .account: state.combinedReason
        case .addAccount: state.signInReason
        case .signIn: state.signInAgainReason
        case .refresh where state.sync.isRunning && state.context != .combined:
            "A refresh is already running."
        case .filter where state.isCombinedShown: nil
        case .filter where state.scope.folder == .drafts && state.drafts.isEmpty:
            "There are no drafts to filter."
        case .compose, .reply, .replyAll, .forward: state.writingReason(id)
        case .detach, .originals: state.reviewReason(id)
        case .trash where state.context == .list && state.selectedDraft != nil: nil
        default:
            state.triageReason(id)
        }
    }
}
