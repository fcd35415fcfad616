internal import MailModel

/// What an action is about: rows of the list, or messages of the reader.
struct TriageSubject: Sendable, Hashable {
    /// Conversations by their rows; empty in the reader.
    var rows: [ConversationRow] = []
    /// Messages one by one; empty in the list.
    var messages: [MessageSummary] = []
    /// Messages left out, since nothing of their mailbox may be changed.
    var leftOut = 0
    /// Whether the conversations were selected beforehand.
    var isSelection = false

    /// The messages that stand for what is acted on.
    var shown: [MessageSummary] { rows.map(\.shown) + messages }
    var isEmpty: Bool { rows.isEmpty && messages.isEmpty }
}

/// The list that the rows of an action are in.
struct TriageList: Sendable, Hashable {
    var scope: ListScope
    /// Messages up to here are those that the rows show.
    var horizon: Int64
    /// Whether a filter shows messages of other folders or mailboxes too.
    var looksElsewhere: Bool
}

/// What an action would do, and to what.
struct TriagePlan: Sendable, Hashable {
    let action: TriageAction
    let subject: TriageSubject
    let targets: TriageRequest.Targets
}

extension AppState {
    /// The plan of an action, or why there is none, as a sentence; `nil` for actions that change no mail.
    func triagePlan(_ id: ActionID) -> Result<TriagePlan, TriageRefusal>? {
        guard AppState.triageActions.contains(id) else { return nil }
        if isCombinedShown { return combinedPlan(id) }
        guard scope.folder != .drafts else {
            return .failure(TriageRefusal("This is a draft, not mail; it cannot be marked or moved."))
        }
        switch triageSubject(id) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let subject):
            let place = TriageList(scope: scope, horizon: list.horizon, looksElsewhere: list.looksElsewhere)
            return TriagePlan.of(TriageAction.of(id, on: subject), subject, in: place)
        }
    }

    static let triageActions: Set<ActionID> = [
        .archive, .trash, .unarchive, .restore, .toggleRead, .markRead, .toggleStar,
    ]

    private func triageSubject(_ id: ActionID) -> Result<TriageSubject, TriageRefusal> {
        var subject = TriageSubject()
        if let pane = reader, pane.isLoaded || !list.rows.contains(where: { .thread($0.threadID) == pane.item }) {
            subject.messages = readerMessages(id, pane)
            guard !subject.isEmpty else { return .failure(TriageRefusal(missingInReader(pane))) }
        } else if let pane = reader {
            // Its text is still to come; what the person saw of it is its row.
            subject.rows = list.rows.filter { .thread($0.threadID) == pane.item }
        } else if !selection.isEmpty {
            subject.rows = selectedRows
            subject.isSelection = true
        } else if let start = list.rows.firstIndex(where: { .thread($0.threadID) == list.selected }) {
            subject.rows = Array(list.rows[start...].prefix(max(1, count ?? 1)))
        }
        guard !subject.isEmpty else { return .failure(TriageRefusal("There is no conversation here.")) }
        return subject.withinAccess(id, counts)
    }

    /// What an action in the reader is about.
    ///
    /// Folders are changed for the whole conversation, as far as it lies in the folder shown, and reading for all of
    /// it; a star belongs to the current message, and so does the mark of being unread.
    private func readerMessages(_ id: ActionID, _ pane: ReaderState) -> [MessageSummary] {
        let all = pane.messages.map(\.summary)
        switch id {
        case .toggleStar, .toggleRead: return all.filter { $0.id == pane.current }
        case .markRead: return all
        case .unarchive: return all.filter { isInMailbox($0) && $0.isIn(.archived) }
        case .restore: return all.filter { isInMailbox($0) && $0.isIn(.trash) }
        default: return all.filter { isInScope($0) }
        }
    }

    private func isInMailbox(_ message: MessageSummary) -> Bool {
        scope.mailboxID == nil || message.mailboxID == scope.mailboxID
    }

    /// Whether a message is one that the list shows (contract §3.7).
    func isInScope(_ message: MessageSummary) -> Bool {
        isInMailbox(message)
            && (scope.folder == .starred ? message.starredAt != nil : message.folder == scope.folder.rawValue)
    }

    private func missingInReader(_ pane: ReaderState) -> String {
        guard pane.isLoaded else { return "The conversation is not here yet." }
        guard !pane.messages.isEmpty else { return "This conversation is no longer there." }
        return "Nothing of this conversation is in \(scope.folder.title) any more."
    }
}

extension TriageSubject {
    /// Leaves out what may only be read; reading it may be noted all the same (contract §3.2).
    func withinAccess(_ id: ActionID, _ counts: [MailboxCounts]) -> Result<TriageSubject, TriageRefusal> {
        guard id != .toggleRead, id != .markRead else { return .success(self) }
        let closed = Dictionary(
            counts.compactMap(\.mailbox).filter { $0.accessLevel == .read }.map { ($0.id, $0.address) },
            uniquingKeysWith: { first, _ in first })
        func isOpen(_ message: MessageSummary) -> Bool { message.mailboxID.map { closed[$0] == nil } ?? true }
        var allowed = self
        allowed.rows = rows.filter { isOpen($0.shown) }
        allowed.messages = messages.filter(isOpen)
        allowed.leftOut = shown.count - allowed.shown.count
        if allowed.isEmpty {
            let address = shown.first?.mailboxID.flatMap { closed[$0] } ?? "this mailbox"
            return .failure(TriageRefusal("You may read the mail of \(MailDisplay.line(address)), but not change it."))
        }
        return .success(allowed)
    }

    fileprivate var hasUnread: Bool {
        rows.contains { $0.shownUnread > 0 || $0.shown.isUnread } || messages.contains(where: \.isUnread)
    }

    /// Why the action would change nothing.
    fileprivate func idleReason(_ action: TriageAction) -> String? {
        switch action {
        case .read where !hasUnread: return "There is nothing unread here."
        case .unarchive where !shown.contains { $0.isIn(.archived) }: return "This is not in the archive."
        case .restore where !shown.contains { $0.isIn(.trash) }: return "This is not in the trash."
        default: return nil
        }
    }
}

extension TriageAction {
    /// What a key does here: the way back in the folder that the first way leads to.
    static func of(_ id: ActionID, on subject: TriageSubject) -> TriageAction {
        let shown = subject.shown
        switch id {
        case .archive: return shown.allSatisfy { $0.isIn(.archived) } ? .unarchive : .archive
        case .trash: return shown.allSatisfy { $0.isIn(.trash) } ? .restore : .trash
        case .unarchive: return .unarchive
        case .restore: return .restore
        case .toggleRead: return subject.hasUnread ? .read : .unread
        case .toggleStar:
            let isStarred = subject.rows.allSatisfy(\.isStarred) && subject.messages.allSatisfy { $0.starredAt != nil }
            return isStarred ? .unstar : .star
        default: return .read
        }
    }
}

extension AppState {
    /// What a key that leads there and back does now.
    func toggleName(_ toggle: Action) -> String {
        guard case .success(let subject) = triageSubject(toggle.id) else { return toggle.name }
        switch TriageAction.of(toggle.id, on: subject) {
        case .read: return "mark read"
        case .unread: return "mark unread"
        case .unstar: return "unstar"
        default: return toggle.name
        }
    }
}

extension TriagePlan {
    /// The plan of an action on rows of a list or on messages, or why it would change nothing.
    static func of(
        _ action: TriageAction, _ subject: TriageSubject, in place: TriageList
    ) -> Result<TriagePlan, TriageRefusal> {
        if let reason = subject.idleReason(action) { return .failure(TriageRefusal(reason)) }
        var subject = subject
        if action == .unread {
            subject.rows = subject.rows.filter { $0.shown.direction == .inbound }
            subject.messages = subject.messages.filter { $0.direction == .inbound }
            if subject.isEmpty { return .failure(TriageRefusal("Only mail that was received can be unread.")) }
        }
        return .success(TriagePlan(action: action, subject: subject, targets: targets(action, subject, in: place)))
    }

    private static func targets(
        _ action: TriageAction, _ subject: TriageSubject, in place: TriageList
    ) -> TriageRequest.Targets {
        guard !subject.rows.isEmpty else {
            let messages = action == .read ? subject.messages.filter(\.isUnread) : subject.messages
            return .messages(messages.map(\.id))
        }
        // A filter that looks elsewhere shows messages that are not of this list.
        if place.looksElsewhere { return .messages(subject.rows.map(\.shown.id)) }
        let threads = subject.rows.map(\.threadID)
        switch action {
        case .star, .unread:
            // One star, or one unread message, marks a conversation; more would only be more to take back.
            return .messages(subject.rows.map(\.shown.id))
        case .unstar:
            // The row has its star from any message of the conversation.
            let starred = ListScope(mailboxID: place.scope.mailboxID, folder: .starred)
            return .conversations(threads, in: starred, horizon: place.horizon)
        default:
            return .conversations(threads, in: place.scope, horizon: place.horizon)
        }
    }
}

/// Why an action cannot be done, as a sentence.
struct TriageRefusal: Error, Sendable, Hashable {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
