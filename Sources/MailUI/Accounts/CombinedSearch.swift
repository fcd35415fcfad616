internal import DisplayText
internal import MailFilter
internal import MailModel

/// What the accounts' servers found by the filter of the inbox of all accounts, besides what is here.
struct CombinedSearch: Sendable, Hashable {
    /// What each account's server found, whether its cache found it too or not.
    var rows: [String: [ConversationRow]] = [:]
    /// The lines that only a server found.
    var marked: Set<AccountThread> = []
    /// The accounts whose servers have yet to answer.
    var asked: Set<String> = []
    /// How many conversations were found that are not fetched yet.
    var unknown = 0
    /// Why a server was not asked, or gave no answer, by account.
    var missing: [String: String] = [:]

    /// Begins anew; what was found stays until the answers come.
    mutating func ask(_ labels: [String]) {
        (asked, unknown, missing) = (Set(labels), 0, [:])
    }

    /// Forgets an account.
    mutating func forget(_ label: String) {
        rows[label] = nil
        missing[label] = nil
        asked.remove(label)
    }
}

/// Asking the servers for what the filter of the inbox of all accounts means.
extension AppState {
    /// Asks the servers of all accounts for what their caches may not have.
    mutating func askServers() -> [Effect] {
        guard let list = combined, list.parsed?.serverSearch != nil else { return [] }
        let (offline, asked) = accounts.map(\.label).reduce(into: ([String](), [String]())) { parts, label in
            if sync(of: label).isOffline { parts.0.append(label) } else { parts.1.append(label) }
        }
        combined?.search.ask(asked)
        for label in offline { combined?.search.missing[label] = "offline." }
        guard !asked.isEmpty else {
            notice = "Offline: only mail that is here was searched, and no server was asked."
            return []
        }
        return asked.map { .of($0, .searchServer(ListScope(folder: .inbox), filter: list.filter)) }
    }

    /// Takes a server's answer to the filter of the inbox of all accounts; `false` when it answers something else.
    mutating func takeCombinedHits(_ event: AppEvent, of label: String) -> Bool {
        guard var list = combined, list.search.asked.contains(label) else { return false }
        switch event {
        case .serverSearched(ListScope(folder: .inbox), list.filter, let rows, let unknown):
            let pending = label == accountLabel ? triage.pending : parked[label]?.triage.pending ?? []
            list.search.rows[label] = pending.reduce(rows) { $1.applied(to: $0, in: ListScope(folder: .inbox)) }
            list.search.unknown += unknown
        case .serverSearchFailed(ListScope(folder: .inbox), list.filter, let sentence):
            list.search.missing[label] = sentence
        default: return false
        }
        list.search.asked.remove(label)
        list.merge()
        combined = list
        keepCombinedInView()
        let isTold = list.search.asked.isEmpty && isCombinedShown && notice == nil && prompt == nil
        if isTold { notice = foundSentence(list.search) }
        return true
    }

    /// What came of asking the servers, once all have answered.
    private func foundSentence(_ search: CombinedSearch) -> String {
        let missing = accounts.filter { search.missing[$0.label] != nil }
        if let first = missing.first, missing.count == accounts.count {
            return "No server was asked: " + TextDisplay.sanitizedLine(search.missing[first.label] ?? "")
        }
        let more = search.unknown > 0 ? "; \(Formatting.grouped(search.unknown)) more are not fetched yet" : ""
        let found =
            search.marked.isEmpty && search.unknown == 0
            ? "The servers found nothing more."
            : "The servers found \(Formatting.grouped(search.marked.count)) more, marked +\(more)."
        guard !missing.isEmpty else { return found }
        return found + " Not asked: " + missing.map { TextDisplay.sanitizedLine($0.name) }.joined(separator: ", ") + "."
    }
}
