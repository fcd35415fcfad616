package import MailModel

/// The read routes of the mail server (contract §3), as values of the mail model.
///
/// Every method throws `MailAPIError`, or `CancellationError` when its task is cancelled.
package protocol MailAPIClient: Sendable {
    /// What the server can do; asked without a credential.
    func features() async throws -> ServerFeatures

    /// The mailboxes in the server's order, also those whose mail is not readable.
    func mailboxes() async throws -> [Mailbox]

    /// A page of a listing, newest first; `next` is the cursor the page before named.
    func messages(listing: Listing, next: String?, limit: Int) async throws -> MessagePage

    /// A page of the change feed after `cursor`; without one, the checkpoint of now.
    func changes(cursor: String?) async throws -> ChangePage

    /// A page of the account's drafts.
    func drafts(next: String?) async throws -> DraftPage

    /// One message with its text.
    func message(_ id: MessageID) async throws -> MessageDetail

    /// The readable messages of a message's thread, oldest first; the server stops after the oldest 100.
    func thread(of id: MessageID) async throws -> [MessageDetail]

    /// A message's HTML; `nil` when it has none.
    func html(of id: MessageID, loadRemoteImages: Bool) async throws -> MessageHTML?

    /// The bytes of a message's attachment.
    func attachment(_ id: AttachmentID) async throws -> [UInt8]

    /// The bytes of an image the message shows.
    func inline(message: MessageID, attachment: AttachmentID) async throws -> [UInt8]

    /// What was exchanged since the client was made.
    var traffic: Traffic { get }
}

/// What a server can do, read off its own description (contract §5).
package struct ServerFeatures: Sendable, Hashable {
    package var hasChanges: Bool
    package var hasDraftChanges: Bool
    package var hasEvents: Bool

    package init(hasChanges: Bool, hasDraftChanges: Bool, hasEvents: Bool) {
        self.hasChanges = hasChanges
        self.hasDraftChanges = hasDraftChanges
        self.hasEvents = hasEvents
    }
}

/// One page of a listing.
package struct MessagePage: Sendable, Hashable {
    package var messages: [MessageSummary]
    /// The cursor of the next page; `nil` on the last.
    package var next: String?

    package init(messages: [MessageSummary], next: String?) {
        self.messages = messages
        self.next = next
    }
}

/// One page of the change feed.
package struct ChangePage: Sendable, Hashable {
    package var changes: [MessageChange]
    package var nextCursor: String
    /// Whether the round goes on; an empty page may say so.
    package var hasMore: Bool

    package init(changes: [MessageChange], nextCursor: String, hasMore: Bool) {
        self.changes = changes
        self.nextCursor = nextCursor
        self.hasMore = hasMore
    }
}

/// One page of drafts.
package struct DraftPage: Sendable, Hashable {
    package var drafts: [Draft]
    /// The cursor of the next page; `nil` on the last.
    package var next: String?

    package init(drafts: [Draft], next: String?) {
        self.drafts = drafts
        self.next = next
    }
}

/// What went over the wire.
package struct Traffic: Sendable, Hashable {
    package var requests: Int
    /// Bytes of the answers' bodies, decompressed.
    package var bytes: Int

    package init(requests: Int = 0, bytes: Int = 0) {
        self.requests = requests
        self.bytes = bytes
    }
}
