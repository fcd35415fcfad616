internal import MailModel

/// What was done shows at once, over what the cache answers, until the cache shows it by itself.
extension AppState {
    /// What a plan makes of the screen; its rows are of a list, by default of the one shown.
    mutating func pendingChange(_ plan: TriagePlan, in list: ListScope? = nil) -> PendingTriage {
        let scope = list ?? self.scope
        triage.lastNumber += 1
        let at = Timestamp(millisecondsSinceEpoch: now * 1_000)
        var pending = PendingTriage(number: triage.lastNumber, action: plan.action, at: at, scope: scope)
        if plan.subject.rows.isEmpty {
            pending.messages = Set(plan.subject.messages.map(\.id))
            addRow(of: plan, to: &pending)
        } else {
            if case .messages(let ids) = plan.targets { pending.messages = Set(ids) }
            for row in plan.subject.rows { pending.add(row, in: scope) }
        }
        return pending
    }

    /// The row in the inbox of all accounts from which the conversation was opened.
    private func combinedRow(_ thread: ThreadID) -> ConversationRow? {
        guard isReadingCombined else { return nil }
        return combined?.loaded[accountLabel]?.rows.first { $0.threadID == thread }
    }

    /// The row of the conversation whose messages are acted on, where the list has it.
    private func addRow(of plan: TriagePlan, to pending: inout PendingTriage) {
        guard let thread = plan.subject.messages.first?.threadID,
            let row = list.rows.first(where: { $0.threadID == thread }) ?? combinedRow(thread)
        else { return }
        let all = reader?.messages.map(\.summary) ?? []
        let after = all.map { pending.messages.contains($0.id) ? plan.action.applied(to: $0, at: pending.at) : $0 }
        let inList = after.filter { isInScope($0) }
        // Without the conversation nothing is known of the row but that it has the message.
        guard !all.isEmpty else { return }
        guard let shown = inList.last(where: { $0.id == row.shown.id }) ?? inList.last else {
            return pending.leave(row, in: scope, unread: row.shownUnread)
        }
        var changed = row
        changed.shown = shown
        changed.isStarred = after.contains { $0.starredAt != nil }
        changed.shownUnread = inList.count(where: \.isUnread)
        changed.unreadCount = after.count(where: \.isUnread)
        pending.keep(row, as: changed, in: scope)
    }

    /// Shows a change from now on.
    mutating func begin(_ pending: PendingTriage) {
        triage.pending.append(pending)
        changeItems {
            $0.list.rows = pending.applied(to: $0.list.rows, in: $0.scope)
            $0.list.serverRows = pending.applied(to: $0.list.serverRows, in: $0.scope)
        }
        combined?.apply(pending, of: accountLabel)
        trimSelection()
        counts = pending.applied(to: counts)
        if var pane = reader, pane.isLoaded {
            let changed = pending.applied(to: pane.messages)
            if changed != pane.messages {
                pane.take(changed)
                reader = pane
            }
        }
    }

    /// Rows of the cache with what it may not know yet.
    func withPending(_ rows: [ConversationRow]) -> [ConversationRow] {
        triage.pending.reduce(rows) { $1.applied(to: $0, in: scope) }
    }

    /// Counts of the cache with what it may not know yet.
    func withPending(_ counts: [MailboxCounts]) -> [MailboxCounts] {
        triage.pending.reduce(counts) { $1.applied(to: $0) }
    }

    /// Messages of the cache with what it may not know yet.
    func withPending(_ messages: [ConversationMessage]) -> [ConversationMessage] {
        triage.pending.reduce(messages) { $1.applied(to: $0) }
    }
}

extension PendingTriage {
    /// Foresees a row whose messages in the list are all acted on.
    mutating func add(_ row: ConversationRow, in scope: ListScope) {
        var after = row
        after.shown = action.applied(to: row.shown, at: at)
        switch action {
        case .read:
            after.unreadCount = max(0, row.unreadCount - row.shownUnread)
            after.shownUnread = 0
        case .unread:
            if row.shown.readAt != nil {
                after.unreadCount += 1
                after.shownUnread += 1
            }
        case .star: after.isStarred = true
        case .unstar:
            after.isStarred = false
            if scope.folder == .starred { return leave(row, in: scope, unread: row.shownUnread) }
        case .archive, .unarchive, .trash, .restore:
            if scope.folder != .starred, after.shown.folder != scope.folder.rawValue {
                return leave(row, in: scope, unread: row.shownUnread)
            }
        }
        keep(row, as: after, in: scope)
    }

    /// Foresees that a row leaves the list, and where its messages are counted from then on.
    mutating func leave(_ row: ConversationRow, in scope: ListScope, unread: Int) {
        rows[row.threadID] = RowChange(shown: row.shown.id, after: nil)
        count(row, scope.folder, unread: -unread, total: -1)
        guard action.aspect == .folder,
            let target = Folder(rawValue: action.applied(to: row.shown, at: at).folder)
        else { return }
        count(row, target, unread: unread, total: 0)
    }

    /// Foresees a row that stays.
    mutating func keep(_ row: ConversationRow, as after: ConversationRow, in scope: ListScope) {
        guard row != after else { return }
        rows[row.threadID] = RowChange(shown: row.shown.id, after: after)
        let unread = after.shownUnread - row.shownUnread
        if unread != 0 { count(row, scope.folder, unread: unread, total: 0) }
    }

    /// Counts are those of all mailboxes, and of the one of the message shown; only new mail counts as unread.
    private mutating func count(_ row: ConversationRow, _ folder: Folder, unread: Int, total: Int) {
        let hasUnread = folder == .inbox || folder == .catchall
        let unread = hasUnread ? unread : 0
        guard unread != 0 || total != 0 else { return }
        var keys = [CountKey(mailbox: nil, folder: folder)]
        if let mailbox = row.shown.mailboxID { keys.append(CountKey(mailbox: mailbox, folder: folder)) }
        for key in keys {
            counts[key, default: CountChange()].unread += unread
            counts[key, default: CountChange()].total += total
        }
    }

    func applied(to list: [ConversationRow], in shownScope: ListScope) -> [ConversationRow] {
        guard !rows.isEmpty, shownScope == scope else { return list }
        return list.compactMap { row in
            guard let change = rows[row.threadID], change.shown == row.shown.id else { return row }
            return change.after
        }
    }

    func applied(to list: [MailboxCounts]) -> [MailboxCounts] {
        guard !counts.isEmpty else { return list }
        var list = list
        var places: [MailboxID?: Int] = [:]
        for (place, row) in list.enumerated() { places[row.mailbox?.id] = place }
        for (key, change) in counts {
            guard let place = places[key.mailbox] else { continue }
            list[place].unread[key.folder] = max(0, (list[place].unread[key.folder] ?? 0) + change.unread)
            list[place].total[key.folder] = max(0, (list[place].total[key.folder] ?? 0) + change.total)
        }
        return list
    }

    func applied(to list: [ConversationMessage]) -> [ConversationMessage] {
        guard !messages.isEmpty else { return list }
        return list.map { message in
            guard messages.contains(message.summary.id), action.hasEffect(on: message.summary) else { return message }
            var message = message
            message.summary = action.applied(to: message.summary, at: at)
            message.detail?.summary = message.summary
            return message
        }
    }
}
