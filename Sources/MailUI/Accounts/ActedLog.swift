internal import MailModel

/// What was done since the start, over all accounts, so that undo takes back what was done last.
///
/// Each account's outbox has its own order; this is the order between them.
struct ActedLog: Sendable, Hashable {
    /// One key's work.
    struct Entry: Sendable, Hashable {
        /// The number of the order in each account it was given in; 0 where it was about a mail being written.
        var orders: [String: Int]
        /// The first conversation it was about.
        var first: AccountThread?
        /// What was done to a mail being written; `nil` for actions on mail.
        var letter: Letter?
    }

    /// What a person does to a mail being written that undo takes back.
    enum Letter: Sendable, Hashable {
        case send(SendID)
        /// Threw a draft away, by the timer that ends the time in which it can be brought back.
        case discard(timer: Int)
    }

    private(set) var entries: [Entry] = []

    /// As many as can be undone of one account.
    private static let most = 20

    var last: Entry? { entries.last }

    /// The last work in an account.
    func last(of label: String) -> Entry? { entries.last { $0.orders[label] != nil } }

    mutating func note(_ entry: Entry) {
        entries.append(entry)
        entries.removeFirst(max(0, entries.count - ActedLog.most))
    }

    /// Takes the last work out, to be undone; `nil` when nothing was done.
    mutating func takeLast() -> Entry? { entries.popLast() }

    /// Takes out what one account undoes next.
    mutating func takeLast(of label: String) {
        guard let index = entries.lastIndex(where: { $0.orders[label] != nil }) else { return }
        remove(label, at: index)
    }

    /// Forgets an order that did nothing.
    mutating func forget(_ number: Int, of label: String) {
        guard let index = entries.lastIndex(where: { $0.orders[label] == number }) else { return }
        remove(label, at: index)
    }

    /// Forgets accounts that are no longer there.
    mutating func keep(_ labels: Set<String>) {
        for index in entries.indices.reversed() {
            for label in entries[index].orders.keys where !labels.contains(label) { remove(label, at: index) }
        }
    }

    private mutating func remove(_ label: String, at index: Int) {
        guard entries.indices.contains(index) else { return }
        entries[index].orders[label] = nil
        if entries[index].orders.isEmpty { entries.remove(at: index) }
    }
}
