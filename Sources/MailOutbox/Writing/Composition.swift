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
        let fields = [draft.content.to, draft.content.cc, draft.content.bcc].map { AddressList($0) }
        guard fields.allSatisfy(\.incomplete.isEmpty), !fields[0].addresses.isEmpty else { return nil }
        var attachments: [AttachmentID] = []
        for file in draft.files {
            guard case .done(let attachment) = file.state else { return nil }
            attachments.append(attachment)
        }
        let content = draft.content
        let text = original.map { Composition.text(content.text, below: $0) } ?? content.text
        let isReply = if case .reply = content.origin { true } else { false }
        mail = OutgoingMail(
            route: Composition.route(content.origin, hasOriginal: original != nil), from: content.from,
            to: fields[0].addresses, cc: fields[1].addresses, bcc: fields[2].addresses,
            subject: isReply ? "" : content.subject, text: text, html: original == nil ? content.html : "",
            attachments: attachments, draft: draft.server?.id)
        self.content = SentContent(
            from: mail.from, to: mail.to, cc: mail.cc, bcc: mail.bcc, subject: mail.subject, text: text)
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
