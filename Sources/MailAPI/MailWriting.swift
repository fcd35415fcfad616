package import MailModel

/// What a draft is saved with: complete addresses only (contract §3.10).
package struct DraftUpload: Sendable, Hashable {
    package var mailbox: MailboxID?
    package var replyTo: MessageID?
    package var forwardOf: MessageID?
    package var from: String
    package var to: [String]
    package var cc: [String]
    package var bcc: [String]
    package var subject: String
    package var text: String
    package var html: String

    package init(
        mailbox: MailboxID?, replyTo: MessageID? = nil, forwardOf: MessageID? = nil, from: String, to: [String],
        cc: [String], bcc: [String], subject: String, text: String, html: String
    ) {
        self.mailbox = mailbox
        self.replyTo = replyTo
        self.forwardOf = forwardOf
        self.from = from
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// A mail that is sent, answered or passed on (contract §3.12 to §3.14).
package struct OutgoingMail: Sendable, Hashable {
    /// The route it takes.
    package enum Route: Sendable, Hashable {
        /// A conversation of its own; `draft` is taken off the server when it is sent.
        case send
        /// An answer: the server makes subject and quote.
        case reply(to: MessageID)
        /// The server makes subject and quote, and takes no draft off (§6.21).
        case forward(of: MessageID, withFiles: Bool)
    }

    package var route: Route
    package var from: String
    package var to: [String]
    package var cc: [String]
    package var bcc: [String]
    /// Left out for an answer.
    package var subject: String
    package var text: String
    /// Left out when empty.
    package var html: String
    package var attachments: [AttachmentID]
    /// The draft that the server ends with it; `nil` for none.
    package var draft: DraftID?

    package init(
        route: Route, from: String, to: [String], cc: [String], bcc: [String], subject: String, text: String,
        html: String = "", attachments: [AttachmentID], draft: DraftID?
    ) {
        self.route = route
        self.from = from
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
        self.html = html
        self.attachments = attachments
        self.draft = draft
    }
}

/// The routes of drafts and their files (contract §3.10).
///
/// Every method that writes throws `WriteFailure`, or `CancellationError` when its task is cancelled; then the server may
/// have done it.
package protocol DraftWriting: Sendable {
    /// A page of all drafts, the last changed first; `next` is what the page before told.
    ///
    /// - Throws: `MailAPIError`, `CancellationError`.
    func drafts(next: String?) async throws -> DraftPage
    /// One draft as the server has it; fails with `WriteFailure` too, so that a refusal keeps its code.
    func draft(_ id: DraftID) async throws -> Draft
    /// Makes a draft. Not repeatable: a lost answer is looked for among the drafts.
    func createDraft(_ draft: DraftUpload, requestID: String) async throws -> Draft
    /// Replaces a draft of a version; 409 when it has another one.
    func replaceDraft(_ id: DraftID, version: Int, with draft: DraftUpload, requestID: String) async throws -> Draft
    /// Deletes a draft with its files. Never called for one whose files were sent without it (§6.21).
    func deleteDraft(_ id: DraftID) async throws
    /// Adds a file of this machine to a draft, read while it is sent; `progress` hears of the file's bytes.
    ///
    /// Not repeatable: a lost answer is looked for in the draft.
    func upload(
        path: String, filename: String, contentType: String, sizeBytes: Int, to draft: DraftID,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> DraftAttachment
    /// Takes a file off a draft.
    func deleteAttachment(_ id: AttachmentID, of draft: DraftID) async throws
}

/// The routes that send (contract §3.12 to §3.14), none of which may be repeated once the server may have run it.
package protocol MailSending: Sendable {
    /// Sends a mail and answers its Sent copy.
    ///
    /// - Throws: `WriteFailure`, or `CancellationError` when its task is cancelled; then the server may have sent it.
    func send(_ mail: OutgoingMail, requestID: SendID) async throws -> MessageSummary
}
