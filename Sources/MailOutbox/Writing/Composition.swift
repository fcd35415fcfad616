package import MailAPI
internal import MailCompose
package import MailModel

/// The request that sends a draft, and what tells its copy.
package struct Composition: Sendable, Hashable {
    package let mail: OutgoingMail
    package let content: SentContent

    /// Composes a draft as the server has it; `nil` for one that cannot be sent whole: half an address, no recipient,
    /// or a file that is not there.
    ///
    /// `original` is the block below a note, for a server that takes it with the note (contract §3.12); without one, a
    /// forward goes the way of §3.14, where the server writes the block.
    package init?(_ draft: LocalDraft, original: String?) {
        guard let sent = Composition.content(draft.content, original: original) else { return nil }
        var attachments: [AttachmentID] = []
        for file in draft.files {
            guard case .done(let attachment) = file.state else { return nil }
            attachments.append(attachment)
        }
        content = sent
        mail = OutgoingMail(
            route: Composition.route(draft.content.origin, hasOriginal: original != nil), from: sent.from, to: sent.to,
            cc: sent.cc, bcc: sent.bcc, subject: sent.subject, text: sent.text,
            html: original == nil ? draft.content.html : "", attachments: attachments, draft: draft.server?.id)
    }

    /// What is sent of a draft; `nil` for half an address or no recipient.
    static func content(_ content: DraftContent, original: String?) -> SentContent? {
        let fields = [content.to, content.cc, content.bcc].map { AddressList($0) }
        guard fields.allSatisfy(\.incomplete.isEmpty), !fields[0].addresses.isEmpty else { return nil }
        let isReply = if case .reply = content.origin { true } else { false }
        return SentContent(
            from: content.from, to: fields[0].addresses, cc: fields[1].addresses, bcc: fields[2].addresses,
            subject: isReply ? "" : content.subject,
            text: original.map { Composition.text(content.text, below: $0) } ?? content.text)
    }

    private static func route(_ origin: DraftOrigin, hasOriginal: Bool) -> OutgoingMail.Route {
        switch origin {
        case .new: .send
        case .reply(let message): .reply(to: message)
        case .forward(let message, let withFiles): hasOriginal ? .send : .forward(of: message, withFiles: withFiles)
        }
    }

    /// A note with the original below it.
    private static func text(_ note: String, below original: String) -> String {
        let note = WebText.trimmed(note)
        return note.isEmpty ? original : note + "\n\n" + original
    }

    /// Whether the server ends the draft together with the send.
    package var consumesDraft: Bool {
        if case .forward = mail.route { false } else { mail.draft != nil }
    }
}
