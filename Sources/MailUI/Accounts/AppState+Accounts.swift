internal import DisplayText
internal import MailModel
internal import TerminalUI

/// Several accounts: one is shown, the others keep what they showed.
extension AppState {
    /// Whether accounts need to be told apart.
    var hasSeveralAccounts: Bool { accounts.count > 1 }

    /// What is known of the account shown.
    var entry: AccountEntry? { entry(of: accountLabel) }

    func entry(of label: String) -> AccountEntry? { accounts.first { $0.label == label } }

    /// How an account stands with its server.
    func sync(of label: String) -> SyncStatus {
        label == accountLabel ? sync : parked[label]?.sync ?? SyncStatus()
    }

    /// The counts of an account's mailboxes.
    func counts(ofAccount label: String) -> [MailboxCounts] {
        label == accountLabel ? counts : parked[label]?.counts ?? []
    }

    /// Unread mail in all inboxes of an account.
    func inboxUnread(of label: String) -> Int {
        AppState.sum(counts(ofAccount: label)).unread[.inbox] ?? 0
    }

    /// Takes over which accounts there are; one of them is shown.
    mutating func take(_ entries: [AccountEntry], shown label: String) -> [Effect] {
        accounts = entries
        if entries.isEmpty { return leaveLastAccount() }
        let labels = Set(entries.map(\.label))
        for entry in entries where entry.label != accountLabel && parked[entry.label] == nil {
            parked[entry.label] = AccountView(label: entry.label)
        }
        let effects = labels.contains(accountLabel) ? [] : showAccount(label)
        parked = parked.filter { labels.contains($0.key) && $0.key != accountLabel }
        combined?.keep(labels)
        acted.keep(labels)
        return effects
    }

    /// Nobody is signed in any more: nothing of the last account stays on the screen.
    private mutating func leaveLastAccount() -> [Effect] {
        (parked, combined, acted) = ([:], nil, ActedLog())
        guard !accountLabel.isEmpty else { return [] }
        var empty = AccountView(label: "")
        leaveDetails()
        exchange(with: &empty)
        welcome()
        return []
    }

    /// Forgets what is shown of an account: another person has signed in there.
    mutating func forget(_ label: String) -> [Effect] {
        combined?.loaded[label] = nil
        combined?.search.forget(label)
        combined?.merge()
        guard label == accountLabel else {
            if parked[label] != nil { parked[label] = AccountView(label: label) }
            return []
        }
        var empty = AccountView(label: label)
        exchange(with: &empty)
        leaveDetails()
        return [.loadCounts, loadList()]
    }

    private mutating func exchange(with view: inout AccountView) {
        // What the settings say is the same for all.
        view.triage.settings = triage.settings
        view.writing.settings = writing.settings
        swap(&accountLabel, &view.label)
        swap(&scope, &view.scope)
        swap(&counts, &view.counts)
        swap(&list, &view.list)
        swap(&hasLoadedList, &view.hasLoadedList)
        swap(&drafts, &view.drafts)
        swap(&remembered, &view.remembered)
        swap(&reader, &view.reader)
        swap(&sync, &view.sync)
        swap(&triage, &view.triage)
        swap(&outbox, &view.outbox)
        swap(&writing, &view.writing)
    }

    /// Ends what belongs to the list or message just left.
    private mutating func leaveDetails() {
        dropSelection()
        (outbox.isOpen, outbox.armedDrop) = (false, nil)
        files.menu = nil
        files.prompt = nil
        prompt = nil
        linkPrompt = nil
        armedTrust = nil
        sidebarTop = nil
        (pendingKeys, count) = ([], nil)
    }

    /// Shows another account where the person left it.
    mutating func showAccount(_ label: String) -> [Effect] {
        guard label != accountLabel, var view = parked[label] else { return [] }
        leaveDetails()
        (list.held, list.seek) = ([], nil)
        exchange(with: &view)
        parked[view.label] = view
        parked[label] = nil
        var effects: [Effect] = [.accountShown(label), .loadCounts, loadList()]
        if let thread = openThread { effects.append(.loadConversation(thread)) }
        return effects
    }

    /// Takes an event of an account that may not be the one shown.
    mutating func handle(_ event: AppEvent, of label: String) -> [Effect] {
        if case .combinedLoaded(let rows, let hasMore, let horizon, let generation) = event {
            return take(rows, hasMore: hasMore, horizon: horizon, generation: generation, of: label)
        }
        guard label != accountLabel else { return handleOfShown(event) }
        if takeCombinedHits(event, of: label) { return [] }
        let further = combinedEffects(after: event, of: label)
        guard var view = parked[label] else { return [] }
        if case .storeChanged(let change) = event {
            // Its lists are read when it is shown.
            return further + (change.isEmpty ? [] : [.of(label, .loadCounts)])
        }
        // What is typed and told belongs to what is shown.
        let (kept, keptFiles, keptPrompt, keptLink) = (notice, files, prompt, linkPrompt)
        notice = nil
        exchange(with: &view)
        let effects = handle(event)
        exchange(with: &view)
        let told = isCombinedShown && event.isAnswerToOrder ? notice : nil
        (notice, files, prompt, linkPrompt) = (kept, keptFiles, keptPrompt, keptLink)
        if let told, case .undone(_, .some) = event {
            // All accounts together tell of one undo.
            notice = told
        } else if let told {
            notice = "\(TextDisplay.sanitizedLine(entry(of: label)?.name ?? label)): \(told)"
        }
        parked[label] = view
        return further + effects.filter { $0 != .bell }.map { .of(label, $0) }
    }

    /// Takes an event of the account shown, or of none.
    mutating func handleOfShown(_ event: AppEvent) -> [Effect] {
        let effects = handle(event)
        guard case .settled = event else { return effects }
        return effects + combinedEffects(after: event, of: accountLabel)
    }

    /// Does something in the state of an account, whichever is shown.
    mutating func within<Result>(_ label: String, _ body: (inout AppState) -> Result) -> Result {
        guard label != accountLabel, var view = parked[label] else { return body(&self) }
        exchange(with: &view)
        let result = body(&self)
        exchange(with: &view)
        parked[label] = view
        return result
    }

    /// Goes to an account by its number in the sidebar, or to the next one.
    mutating func goToAccount() -> [Effect] {
        let index = accounts.firstIndex { $0.label == accountLabel } ?? 0
        let target =
            count.map { $0 - 1 }
            ?? (combined?.isShown == true && !outbox.isOpen ? index : (index + 1) % max(1, accounts.count))
        guard accounts.indices.contains(target) else {
            notice = "There are \(accounts.count) accounts."
            return [.bell]
        }
        // From one outbox to another, with the inbox of all accounts still behind it.
        if outbox.isOpen { return showAccount(accounts[target].label) + openOutbox() }
        return leaveCombined() + showAccount(accounts[target].label)
    }

    /// Goes to the account that a part of its name means; `all` is the inbox of all.
    mutating func goToAccount(named text: String) -> [Effect] {
        if text.lowercased() == "all" { return showCombined() }
        let found = accounts(like: text)
        guard let entry = found.first, found.count == 1 else {
            let shown = TextDisplay.sanitizedLine(text)
            notice =
                found.isEmpty ? "No account here is called “\(shown)”." : "“\(shown)” fits \(found.count) accounts."
            return [.bell]
        }
        return leaveCombined() + showAccount(entry.label)
    }

    /// The accounts whose name or label has a text; one that is named whole is the only one.
    func accounts(like text: String) -> [AccountEntry] {
        let text = text.lowercased()
        let exact = accounts.filter { $0.label.lowercased() == text || $0.name.lowercased() == text }
        if !exact.isEmpty { return exact }
        return accounts.filter { $0.label.lowercased().contains(text) || $0.name.lowercased().contains(text) }
    }

    /// The accounts as lines to choose from.
    func accountItems(like typed: String) -> [Menu.Item] {
        let all = Menu.Item(text: "all", title: "all", detail: "The inbox of all accounts.")
        return ("all".hasPrefix(typed.lowercased()) && hasSeveralAccounts ? [all] : [])
            + accounts(like: typed).map { entry in
                let number = accounts.firstIndex(of: entry).map { "\($0 + 1) " } ?? ""
                let unread = inboxUnread(of: entry.label)
                let detail = [
                    entry.name == entry.label ? "" : TextDisplay.sanitizedLine(entry.label),
                    unread > 0 ? "\(Formatting.grouped(unread)) unread" : "", AccountSign(sync(of: entry.label)).word,
                ]
                let name = TextDisplay.sanitizedLine(entry.name)
                return Menu.Item(
                    text: name, title: number + name, detail: detail.filter { !$0.isEmpty }.joined(separator: ", "))
            }
    }
}

extension AppEvent {
    /// Whether it tells what came of something that a person did to mail.
    fileprivate var isAnswerToOrder: Bool {
        switch self {
        case .triageQueued, .triageFailed, .undone: true
        default: false
        }
    }
}
