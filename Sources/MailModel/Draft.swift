/// A file staged on a draft.
package struct DraftAttachment: Sendable, Hashable {
    package var id: AttachmentID
    package var filename: String
    package var contentType: String
    package var sizeBytes: Int

    package init(id: AttachmentID, filename: String, contentType: String, sizeBytes: Int) {
        self.id = id
        self.filename = filename
        self.contentType = contentType
        self.sizeBytes = sizeBytes
    }
}

/// A message being written, private to its author (contract §3.10).
///
/// Lists show drafts as they are on this machine. One that the server does not know yet has its `LocalDraftID` in place
/// of the server's, version 0, and addresses as far as they were typed.
package struct Draft: Sendable, Hashable {
    package var id: DraftID
    package var mailboxID: MailboxID?
    package var replyToMessageID: MessageID?
    package var forwardOfMessageID: MessageID?
    /// Empty while no sender is chosen.
    package var from: String
    package var to: [String]
    package var cc: [String]
    package var bcc: [String]
    package var subject: String
    package var text: String
    package var html: String
    package var version: Int
    package var updatedAt: Timestamp
    package var attachments: [DraftAttachment]
    /// What is to be known of it on this machine; `nil` for one that is as the server has it.
    package var local: DraftMark?

    package init(
        id: DraftID, mailboxID: MailboxID?, replyToMessageID: MessageID?, forwardOfMessageID: MessageID?,
        from: String, to: [String], cc: [String], bcc: [String], subject: String, text: String, html: String,
        version: Int, updatedAt: Timestamp, attachments: [DraftAttachment], local: DraftMark? = nil
    ) {
        self.id = id
        self.mailboxID = mailboxID
        self.replyToMessageID = replyToMessageID
        self.forwardOfMessageID = forwardOfMessageID
        self.from = from
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
        self.html = html
        self.version = version
        self.updatedAt = updatedAt
        self.attachments = attachments
        self.local = local
    }
}

/// What is to be known of a draft that is written on this machine.
package struct DraftMark: Sendable, Hashable {
    package var id: LocalDraftID
    /// The server lacks something of its text or of its files.
    package var isUnsaved: Bool
    /// Changed elsewhere in a way that is not part of it yet.
    package var isChangedElsewhere: Bool
    /// The person's side of a conflict, kept beside the other one.
    package var isCopy: Bool
    /// Why it waits for the person; `nil` when it does not.
    package var blocked: DraftBlockReason?
    /// A code of ours for the last failure; `nil` for none.
    package var failure: String?
    /// How far its sending got; `nil` when nobody asked for it, or it was refused.
    package var send: SendStatus?

    package init(
        id: LocalDraftID, isUnsaved: Bool = false, isChangedElsewhere: Bool = false, isCopy: Bool = false,
        blocked: DraftBlockReason? = nil, failure: String? = nil, send: SendStatus? = nil
    ) {
        self.id = id
        self.isUnsaved = isUnsaved
        self.isChangedElsewhere = isChangedElsewhere
        self.isCopy = isCopy
        self.blocked = blocked
        self.failure = failure
        self.send = send
    }
}
