package import MailAPI
package import MailModel
package import MailStorage

/// Brings drafts to the server for a send; the part of the drain that saves drafts is one, tests have others.
package protocol DraftBringing: Sendable {
    /// Saves a draft right now, with all its files, whatever it waits for: a versioned save also when nothing changed,
    /// so that a change elsewhere is found.
    ///
    /// - Throws: `OutboxError`, `CancellationError`.
    func bring(_ draft: LocalDraftID) async throws -> BroughtDraft
}

/// What the save before a send came to.
package enum BroughtDraft: Sendable, Hashable {
    /// The server has exactly this draft and all of its files, as it told at its own time.
    case saved(LocalDraft, at: Timestamp)
    /// It was changed elsewhere, and waits for the person or was put together with what is elsewhere.
    case changedElsewhere
    /// The server has it no more, or it is not here any more.
    case gone
    /// The server does not take it or one of its files as it is.
    case notSaved
    /// A file of it is still on its way; the next drain goes on.
    case notYet
    /// Nothing is known yet: no network, the server failed, no sign-in.
    case failed(WriteFailure)
}

/// The durable list of sends that a drain works through; `OutboxStore` is one.
///
/// Every method is one transaction, done and on the disk when it returns.
package protocol SendQueue: Sendable {
    /// What a drain that was killed had under way may have been sent.
    func takeUpSends() async throws
    /// The sends that a program watches over.
    func mindedSends() async throws -> [Send]
    /// Ends the watch over a send.
    func letGo(_ id: SendID) async throws -> Bool
    /// Has sends that wait for a reason tried again.
    func releaseSends(_ reason: HoldReason) async throws -> Int
    /// The sends that something is to be done about now, oldest first.
    func sendsDue(now milliseconds: Int64) async throws -> [Send]
    /// When the next send is due, after an instant; `nil` for never.
    func nextSendAt(after milliseconds: Int64) async throws -> Int64?
    /// One send as it is now; `nil` when there is none, or not any more.
    func send(_ id: SendID) async throws -> Send?
    /// One draft; `nil` when it is not there.
    func draft(_ id: LocalDraftID) async throws -> LocalDraft?
    /// The Sent copies that sends have claimed.
    func claimedCopies() async throws -> Set<MessageID>
    /// Marks a send as under way, with what is sent; `false` when it was taken back.
    func beginSend(
        _ id: SendID, _ content: SentContent, sentAfter: Timestamp?, at milliseconds: Int64
    ) async throws -> Bool
    /// Notes what became of a send that was `status` when it was looked at.
    func settle(_ id: SendID, from status: SendStatus, _ outcome: SendOutcome, at milliseconds: Int64) async throws
}

extension OutboxStore: SendQueue {}

/// Where Sent copies go: what the account sees on the server.
package protocol SentCopies: Sendable {
    /// Puts a Sent copy among the messages that are here, and takes the server's draft of it away.
    func insert(sent message: MessageSummary, of draft: DraftID?) async throws
    /// What is here of a message's conversation; empty for an unknown message.
    func conversation(of message: MessageID) async throws -> [MessageSummary]
}
