internal import MailCompose
package import MailModel

/// Whether a message of the Sent folder is the copy of a mail whose answer was lost.
package struct SentCopy: Sendable, Hashable {
    private let content: SentContent
    /// No copy is older, by the server's clock.
    package let notBefore: Timestamp

    /// How far the clocks of a server's machines may differ.
    private static let serverSkewMilliseconds: Int64 = 2_000
    /// How far this machine's clock may be ahead of the server's.
    private static let ownSkewMilliseconds: Int64 = 300_000

    /// What a send's copy looks like; `nil` for one of which no request was made.
    package init?(_ send: Send) {
        guard let content = send.content, let postedAt = send.postedAt else { return nil }
        self.content = content
        if let after = send.sentAfter?.millisecondsSinceEpoch {
            notBefore = Timestamp(millisecondsSinceEpoch: after - SentCopy.serverSkewMilliseconds)
        } else {
            notBefore = Timestamp(millisecondsSinceEpoch: postedAt - SentCopy.ownSkewMilliseconds)
        }
    }

    /// What the copy of a draft looks like that another device may have sent; `nil` for one that cannot be sent.
    package init?(_ draft: LocalDraft) {
        guard let content = Composition.content(draft.content, original: nil),
            let began = draft.createdAt.millisecondsSinceEpoch
        else { return nil }
        self.content = content
        notBefore = Timestamp(millisecondsSinceEpoch: began - SentCopy.ownSkewMilliseconds)
    }

    /// Whether a row of the list may be the copy; its details decide.
    package func mayBe(_ message: MessageSummary) -> Bool {
        message.direction == .outbound && message.createdAt >= notBefore
            && message.fromAddress.lowercased() == content.from.lowercased()
            && SentCopy.set(message.to) == SentCopy.set(content.to) && hasSubject(message.subject)
    }

    /// Whether it is the copy: its recipients, and what the person wrote as the beginning of its text.
    ///
    /// The server appends originals to answers, and takes white space off both ends (contract §3.12, §3.13).
    package func matches(_ message: MessageDetail) -> Bool {
        guard mayBe(message.summary), SentCopy.set(message.cc) == SentCopy.set(content.cc),
            SentCopy.set(message.bcc) == SentCopy.set(content.bcc)
        else { return false }
        let written = WebText.trimmed(content.text)
        let text = message.textBody
        guard text.utf8.starts(with: written.utf8) else { return false }
        // A longer text is another one, unless what follows is an original.
        let rest = text.utf8.dropFirst(written.utf8.count)
        return rest.isEmpty || startsOriginal(rest, isAlone: written.isEmpty)
    }

    /// Whether a text begins as the server's block with an original does.
    private func startsOriginal(_ rest: Substring.UTF8View, isAlone: Bool) -> Bool {
        if content.subject.isEmpty { return rest.starts(with: "\n\nOn ".utf8) }
        let head = "---------- Forwarded message"
        return rest.starts(with: (isAlone ? head : "\n\n" + head).utf8)
    }

    private func hasSubject(_ subject: String) -> Bool {
        let asked = WebText.trimmed(content.subject)
        // The subject of an answer is the server's.
        if asked.isEmpty { return subject.lowercased().hasPrefix("re:") }
        return subject.utf8.elementsEqual(asked.utf8)
    }

    private static func set(_ addresses: [String]) -> Set<String> { Set(addresses.map { $0.lowercased() }) }
}
