package import MailModel

/// A question to the cache that is asked again whenever a commit may have changed its answer.
package struct LiveQuery<Value: Sendable & Equatable>: Sendable {
    let isTouched: @Sendable (StoreChange) -> Bool
    let read: @Sendable (MailReader) async throws -> Value
}

extension LiveQuery where Value == [MailboxCounts] {
    /// All mailboxes together, then each readable one, with counts.
    package static let mailboxes = LiveQuery(
        isTouched: { _ in true }, read: { try await $0.mailboxCounts() })
}

extension LiveQuery where Value == [ConversationRow] {
    /// The first conversations of a list; see `MailReader.conversations`.
    package static func conversations(in scope: ListScope, limit: Int) -> LiveQuery {
        LiveQuery(
            isTouched: { $0.touches(nil) || $0.touchesMailboxes },
            read: { try await $0.conversations(in: scope, limit: limit) })
    }
}

extension LiveQuery where Value == [ConversationMessage] {
    /// One conversation with what is known of its bodies.
    package static func conversation(_ thread: ThreadID) -> LiveQuery {
        LiveQuery(isTouched: { $0.touches(thread) }, read: { try await $0.conversation(thread) })
    }
}

extension LiveQuery where Value == [MessageSummary] {
    /// The newest messages; see `MailReader.messages`.
    package static func messages(mailbox: MailboxID?, folder: Folder?, limit: Int?) -> LiveQuery {
        LiveQuery(
            isTouched: { $0.touches(nil) },
            read: { try await $0.messages(mailbox: mailbox, folder: folder, limit: limit) })
    }
}

extension LiveQuery where Value == [Draft] {
    /// The drafts of a mailbox, or all for `nil`.
    package static func drafts(mailbox: MailboxID?) -> LiveQuery {
        LiveQuery(isTouched: { $0.touchesDrafts }, read: { try await $0.drafts(mailbox: mailbox) })
    }
}
