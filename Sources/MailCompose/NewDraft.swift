package import MailModel

/// What a new draft begins with.
package enum NewDraft {
    /// The mailboxes one may send from: active ones with more than read access, in the server's order.
    package static func senders(_ mailboxes: [Mailbox]) -> [Mailbox] {
        mailboxes.filter { $0.isActive && ($0.accessLevel == .agent || $0.accessLevel == .manager) }
    }

    /// A draft of nothing, from the mailbox that is looked at, else from the first one that may send.
    package static func empty(in mailbox: MailboxID? = nil, mailboxes: [Mailbox]) -> DraftContent {
        with(sender(in: mailbox, among: senders(mailboxes)), DraftContent())
    }

    /// An answer to a message, to its sender or to everybody.
    package static func reply(to original: MessageDetail, isToAll: Bool, mailboxes: [Mailbox]) -> DraftContent {
        let recipients = ReplyRecipients(to: original, isToAll: isToAll, own: mailboxes.map(\.address))
        let content = DraftContent(
            origin: .reply(to: original.summary.id), to: recipients.to.joined(separator: ", "),
            cc: recipients.cc.joined(separator: ", "), subject: SubjectPrefix.reply(original.summary.subject))
        return with(sender(of: original, mailboxes), content)
    }

    /// A message passed on, with its files; the text is only the note above it.
    package static func forward(_ original: MessageDetail, mailboxes: [Mailbox]) -> DraftContent {
        let content = DraftContent(
            origin: .forward(of: original.summary.id, withFiles: true),
            subject: SubjectPrefix.forward(original.summary.subject))
        return with(sender(of: original, mailboxes), content)
    }

    /// The mailbox that a message came to, when one may send from it.
    private static func sender(of original: MessageDetail, _ mailboxes: [Mailbox]) -> Mailbox? {
        let senders = senders(mailboxes)
        let addresses = [original.deliveredToAddress, original.summary.fromAddress].compactMap { $0?.lowercased() }
        let named = addresses.lazy.compactMap { address in senders.first { $0.address.lowercased() == address } }
        if let mailbox = senders.first(where: { $0.id == original.summary.mailboxID }) { return mailbox }
        return named.first ?? sender(in: nil, among: senders)
    }

    private static func sender(in mailbox: MailboxID?, among senders: [Mailbox]) -> Mailbox? {
        senders.first { $0.id == mailbox } ?? senders.first
    }

    private static func with(_ sender: Mailbox?, _ content: DraftContent) -> DraftContent {
        var content = content
        content.mailbox = sender?.id
        content.from = sender?.address ?? ""
        return content
    }
}

/// The text that goes to the server, where Herald and not the server makes it (contract §3.12).
package enum OutgoingText {
    /// A note with the original below it, for `/send`, which quotes nothing.
    ///
    /// A note that holds a forwarded message already, as other programs write it, is taken as it is. `text` is the
    /// original's text; where it has only HTML, what a reader shows of it.
    package static func forwarded(_ note: String, _ original: MessageDetail, text: String) -> String {
        let written = WebText.trimmed(WebText.plainLines(note))
        if written.split(separator: "\n").contains(Substring(Quotation.forwardMark)) { return written }
        let block = Quotation.forwarded(original, text: text)
        return written.isEmpty ? block : written + "\n\n" + block
    }
}
