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

    /// Every operation listed, in order.
    var ids: [OperationID] { mail.map(\.outboxID) + entries.map(\.operation.id) + endings.map(\.entry.id) }

    /// The selected operation that waits; `nil` when none does.
    var selectedEntry: OutboxEntry? { entries.first { $0.operation.id == selected } }

    /// The selected mail; `nil` when none is.
    var selectedMail: SendEntry? { mail.first { $0.outboxID == selected } }

    /// Takes the list of mail anew, as `take` does with the others.
    mutating func takeMail(_ sends: [SendEntry]) {
        let before = ids
        mail = sends.filter { if case .sent = $0.send.status { false } else { true } }
        keepSelection(before)
    }

    /// Takes both lists anew; the selection stays on its operation, or goes to the nearest one left.
    mutating func take(_ newEntries: [OutboxEntry], _ newEndings: [OutboxEnding]) {
        let before = ids
        (entries, endings, isLoaded, failure) = (newEntries, newEndings, true, nil)
        keepSelection(before)
    }

    private mutating func keepSelection(_ before: [OperationID]) {
        let after = ids
        let kept = Set(after)
        if let selected, kept.contains(selected) { return }
        guard let selected, let place = before.firstIndex(of: selected) else {
            return self.selected = after.first
        }
        self.selected =
            before[place...].first { kept.contains($0) } ?? before[..<place].last { kept.contains($0) } ?? after.first
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
            notice = "It is tried again."
            return [.retryOperation(entry.operation.id)]
        case .drop: return dropOperation()
        default: break
        }
        let ids = outbox.ids
        let place = outbox.selected.flatMap { ids.firstIndex(of: $0) } ?? 0
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
            "“\(entry.operation.kind.title)” will not be sent, and the message is as the server has it. "
            + "\(keyText(.drop) ?? ":drop") once more gives it up."
        return []
    }

    /// Why an operation can be neither tried again nor given up.
    func outboxReason(_ id: ActionID) -> String? {
        if let entry = outbox.selectedMail { return mailReason(id, entry) }
        if outbox.selectedEntry != nil { return nil }
        return outbox.ids.isEmpty
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
