internal import MailCompose
package import MailModel
internal import TerminalUI

/// What the settings say of writing mail.
package struct WritingSettings: Sendable, Hashable {
    /// Whether texts are written in another program, and not in Herald.
    package var usesExternalEditor: Bool
    /// What ends a new text below `-- `; empty for nothing.
    package var signature: String
    /// The same by sender, in small letters, where it is another.
    package var signatureIn: [String: String]
    package var conflictMode: ConflictMode
    /// Whether another program is asked for addresses as well.
    package var hasAddressCommand: Bool

    package init(
        usesExternalEditor: Bool = false, signature: String = "", signatureIn: [String: String] = [:],
        conflictMode: ConflictMode = .auto, hasAddressCommand: Bool = false
    ) {
        self.usesExternalEditor = usesExternalEditor
        self.signature = signature
        self.signatureIn = signatureIn
        self.conflictMode = conflictMode
        self.hasAddressCommand = hasAddressCommand
    }

    /// What ends a text of a sender, with the line that marks it; empty for nothing.
    func signatureBlock(of sender: String) -> String {
        let text = signatureIn[sender.lowercased()] ?? signature
        return text.isEmpty ? "" : "\n\n-- \n" + text
    }
}

/// A send, with what the outbox's list says of it.
package struct SendEntry: Sendable, Hashable {
    package var send: Send
    /// The subject of its draft; `nil` when that is gone.
    package var subject: String?
    /// Whom it goes to, as typed.
    package var recipients: String
    /// Why the last try failed, as a sentence.
    package var reason: String?

    package init(send: Send, subject: String?, recipients: String, reason: String?) {
        self.send = send
        self.subject = subject
        self.recipients = recipients
        self.reason = reason
    }
}

/// What an account has of mail being written.
struct WritingState: Sendable, Hashable {
    /// What the person writes now; `nil` while nothing is.
    var composer: Composer?
    /// An answer that waits for its original.
    var pendingOriginal: PendingOriginal?
    /// The drafts that are written on this machine, the last changed first.
    var locals: [LocalDraft] = []
    /// The last sends, newest first.
    var sends: [SendEntry] = []
    /// How far files are that are being uploaded.
    var uploads: [DraftFileID: UploadProgress] = [:]
    /// What the status line follows until it is sent, the last asked for at the end.
    var countdowns: [Send] = []
    /// Drafts that were thrown away, the last at the end.
    var thrown: [ThrownDraft] = []
    /// Addresses learned from mail, the best first.
    var known: [KnownAddress] = []
    /// The number of the last draft that was opened here; answers to older ones are dropped.
    var lastNumber = 0
    /// The number of the draft that the command line names, while it is being opened.
    var opening: Int?
    /// What is told when it is open.
    var toldAtStart: String?
    /// What was typed meanwhile, or while a mail was being put away.
    var typedAhead: [InputEvent] = []
    /// Whether it is asked what becomes of waiting mail before the program ends.
    var asksAtQuit = false
    var settings = WritingSettings()
    /// Whether drafts left by an earlier run were told of.
    var hasToldOfDrafts = false
}

extension WritingState {
    /// The draft of this machine that a line of the list stands for; `nil` where only the server has it.
    func local(_ id: DraftID) -> LocalDraft? { locals.first { $0.listID == id } }
}

extension LocalDraft {
    /// What the list of drafts knows it by: the server's id, else its own.
    var listID: DraftID { server?.id ?? DraftID(id.rawValue) }

    /// The draft as the list shows it.
    var listed: Draft {
        func addresses(_ field: String) -> [String] { AddressList(field).parts.map { $0.address ?? $0.text } }
        var draft = Draft(
            id: listID, mailboxID: content.mailbox, replyToMessageID: nil, forwardOfMessageID: nil, from: content.from,
            to: addresses(content.to), cc: addresses(content.cc), bcc: addresses(content.bcc), subject: content.subject,
            text: content.text, html: content.html, version: server?.version ?? 0, updatedAt: updatedAt,
            attachments: files.map {
                DraftAttachment(
                    id: AttachmentID($0.id.rawValue), filename: $0.filename, contentType: $0.contentType,
                    sizeBytes: $0.sizeBytes)
            })
        switch content.origin {
        case .new: break
        case .reply(let message): draft.replyToMessageID = message
        case .forward(let message, _): draft.forwardOfMessageID = message
        }
        return draft
    }
}
