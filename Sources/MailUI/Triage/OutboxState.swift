package import MailModel
internal import TerminalUI

/// An operation that waits, as the outbox's list shows it.
package struct OutboxEntry: Sendable, Hashable {
    package var operation: Operation
    /// The subject of its message; `nil` when the cache does not have it.
    package var subject: String?
    /// Why the last try failed, as a sentence.
    package var reason: String?

    package init(operation: Operation, subject: String?, reason: String?) {
        self.operation = operation
        self.subject = subject
        self.reason = reason
    }
}

/// An operation that ended without being done, as the outbox's list shows it.
package struct OutboxEnding: Sendable, Hashable {
    package var entry: JournalEntry
    /// The subject of its message; `nil` when the cache does not have it.
    package var subject: String?

    package init(entry: JournalEntry, subject: String?) {
        self.entry = entry
        self.subject = subject
    }
}

/// The outbox: how much waits, and its list while that is open.
struct OutboxState: Sendable, Hashable {
    var counts = OutboxCounts()
    var isOpen = false
    var isLoaded = false
    /// Why the lists cannot be read; `nil` when they can.
    var failure: String?
    private(set) var entries: [OutboxEntry] = []
    private(set) var endings: [OutboxEnding] = []
    /// Mail that is to be sent, or was refused, the newest first.
    private(set) var mail: [SendEntry] = []
    /// Which line is selected, of all lists; mail by the letters of its own identifier.
    var selected: OperationID?
    /// The first line shown.
    var top = 0
    /// The operation that one more key gives up.
    var armedDrop: OperationID?
    /// Operations whose next try is to be told of, and how often they had been tried.
    var retried: [OperationID: Int] = [:]

    /// Every operation listed, in order.
    var ids: [OperationID] { mail.map(\.outboxID) + entries.map(\.operation.id) + endings.map(\.entry.id) }

    /// The selected operation that waits; `nil` when none does.
    var selectedEntry: OutboxEntry? { entries.first { $0.operation.id == selected } }

    /// The selected mail; `nil` when none is.
    var selectedMail: SendEntry? { mail.first { $0.outboxID == selected } }

    /// Takes the list of mail anew, as `take` does with the others.
    mutating func takeMail(_ sends: [SendEntry]) {
        let before = waiting
        mail = sends.filter { if case .sent = $0.send.status { false } else { true } }
        select(before)
    }

    /// Takes both lists anew, and answers what became of operations that the person had tried again.
    mutating func take(_ newEntries: [OutboxEntry], _ newEndings: [OutboxEnding]) -> String? {
        let (before, former) = (waiting, entries)
        (entries, endings, failure) = (newEntries, newEndings, nil)
        select(before)
        isLoaded = true
        return toldRetry(former)
    }

    /// What waits, in the order it is shown.
    private var waiting: [OperationID] { mail.map(\.outboxID) + entries.map(\.operation.id) }

    /// The selection stays on what it was on, or goes to the nearest thing that still waits.
    ///
    /// It does not follow an operation to those that have ended: the next key would be meant for one that waits.
    private mutating func select(_ before: [OperationID]) {
        guard let selected else { return self.selected = isLoaded ? waiting.first : ids.first }
        guard let place = before.firstIndex(of: selected) else {
            if !ids.contains(selected) { self.selected = ids.first }
            return
        }
        let kept = Set(waiting)
        let order = Array(before[place...]) + before[..<place].reversed()
        self.selected = order.first { kept.contains($0) }
    }

    /// What became of the operations that were to be tried again, as far as it is known now; `nil` for nothing new.
    private mutating func toldRetry(_ before: [OutboxEntry]) -> String? {
        var sentence: String?
        for (id, attempts) in retried {
            let entry = entries.first { $0.operation.id == id }
            if let entry, entry.operation.attempts <= attempts || entry.operation.status == .inFlight { continue }
            retried[id] = nil
            if let entry {
                sentence = "It was tried again and still waits" + (entry.reason.map { ": \($0)." } ?? ".")
            } else if let ending = endings.first(where: { $0.entry.id == id }) {
                sentence = ending.entry.verdict.sentence
            } else if let name = before.first(where: { $0.operation.id == id })?.operation.kind.title {
                sentence = "“\(name)” was sent."
            }
        }
        return sentence
    }
}

extension AppState {
    /// The most operations that wait, and the most that ended, that the list shows.
    package static let outboxMax = 500

    mutating func openOutbox() -> [Effect] {
        outbox.isOpen = true
        outbox.isLoaded = false
        outbox.top = 0
        return [.loadOutbox, .writing(.loadDrafts)]
    }

    mutating func performInOutbox(_ id: ActionID) -> [Effect] {
        if let entry = outbox.selectedMail, let effects = performOnMail(id, entry) { return effects }
        switch id {
        case .retry:
            guard let entry = outbox.selectedEntry else { return [.bell] }
            outbox.retried[entry.operation.id] = entry.operation.attempts
            notice = sync.isOffline ? "It is tried again once Herald is online." : "It is tried again now."
            return [.retryOperation(entry.operation.id)]
        case .drop: return dropOperation()
        default: break
        }
        let ids = outbox.ids
        // Above all of them while none is selected.
        let place = outbox.selected.flatMap { ids.firstIndex(of: $0) } ?? -1
        let page = max(1, layout.body.rows / 2 - 1)
        guard let target = Scroll.moved(place, by: id, page: page, last: max(0, ids.count - 1), count: count) else {
            outbox.isOpen = false
            return []
        }
        if ids.indices.contains(target) { outbox.selected = ids[target] }
        return []
    }

    /// Asks once, since what is given up is never sent.
    private mutating func dropOperation() -> [Effect] {
        guard let entry = outbox.selectedEntry else { return [.bell] }
        let id = entry.operation.id
        if outbox.armedDrop == id {
            outbox.armedDrop = nil
            return [.dropOperation(id)]
        }
        outbox.armedDrop = id
        notice =
            "Nothing is given up yet: \(keyText(.drop) ?? ":drop") once more gives up “\(entry.operation.kind.title)”, "
            + "which is then never sent."
        return []
    }

    /// Why an operation can be neither tried again nor given up.
    func outboxReason(_ id: ActionID) -> String? {
        if let entry = outbox.selectedMail { return mailReason(id, entry) }
        if outbox.selectedEntry != nil { return nil }
        return outbox.entries.isEmpty || outbox.selected == nil
            ? "Nothing waits here." : "This has ended. What is to be done is done anew in the list."
    }

    /// How much waits.
    package var outboxCounts: OutboxCounts { outbox.counts }

    /// Whether a change of how much waits is watched.
    package var isWaitingForOutbox: Bool { triage.bulk?.total != nil || outbox.isOpen }

    /// How much waits in all accounts.
    private var allOutboxCounts: OutboxCounts {
        accounts.map { outboxCounts(of: $0.label) }.reduce(into: OutboxCounts()) { sum, counts in
            sum.queued += counts.queued
            sum.blocked += counts.blocked
            sum.unknown += counts.unknown
        }
    }

    /// How much waits, for the status line; empty when nothing does.
    var outboxText: String {
        let counts = isCombinedShown && !outbox.isOpen ? allOutboxCounts : outbox.counts
        let parts = [(counts.queued, "queued"), (counts.blocked, "blocked"), (counts.unknown, "unknown")]
        return parts.filter { $0.0 > 0 }.map { "\(Formatting.grouped($0.0)) \($0.1)" }.joined(separator: " · ")
    }
}

extension OperationKind {
    /// What it does, as lists name it.
    var title: String {
        switch self {
        case .triage(let action): action.title
        }
    }
}
