package import MailModel
internal import SQLite

/// A message that has just come and that nobody was told of.
package struct Arrival: Sendable, Hashable {
    package var message: MessageSummary
    /// The address of its mailbox; `nil` for unassigned mail.
    package var mailboxAddress: String?

    package init(message: MessageSummary, mailboxAddress: String?) {
        self.message = message
        self.mailboxAddress = mailboxAddress
    }
}

extension MailStore {
    /// Takes the new mail that nobody was told of, to tell of it: unread, inbound, in inbox or catch-all, oldest first.
    ///
    /// Of several processes one gets it, and nobody a second time. Mail of a bootstrap, of a listing that repairs, and
    /// mail that was only moved into sight is not among it; nor what was read or moved away meanwhile. Writes nothing
    /// when there is none. At most the last 5,000 messages.
    /// - Throws: `StoreError`.
    package func claimArrivals() throws -> [Arrival] {
        guard try read({ try $0.scalar(Arrivals.untoldSQL) }) == 1 else { return [] }
        return try commit { try Arrivals.take(in: $0) }
    }

    /// Gives back what could not be told: the next who asks gets it once more, after the next pass at the latest.
    ///
    /// - Throws: `StoreError`.
    package func returnArrivals(_ ids: [MessageID]) throws {
        try commit { try Arrivals.giveBack(ids, in: $0) }
    }

    /// Ends the time in which what came may be told of; see `passEnds`.
    func ageArrivals(at milliseconds: Int64) throws {
        guard try read({ try Arrivals.areOlder(in: $0) }) else { return }
        try commit { try Arrivals.age(at: milliseconds, in: $0) }
    }
}
