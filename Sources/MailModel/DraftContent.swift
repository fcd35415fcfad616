/// The identifier of a draft on this machine: a UUIDv7, which it has from its first letter on.
package struct LocalDraftID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// A new identifier of a moment, in milliseconds since 1970, and of random bits.
    package init(milliseconds: Int64, random: (UInt64, UInt64)) {
        rawValue = UUIDv7.text(milliseconds: milliseconds, random: random)
    }
}

/// What a draft answers or passes on.
package enum DraftOrigin: Sendable, Hashable {
    case new
    /// An answer to a message; the server quotes it below the text (contract §3.13).
    case reply(to: MessageID)
    /// A message passed on, with its files or without.
    case forward(of: MessageID, withFiles: Bool)

    /// The message that is answered or passed on; `nil` for neither.
    package var original: MessageID? {
        switch self {
        case .new: nil
        case .reply(let message), .forward(let message, _): message
        }
    }
}

/// What a person wrote so far, also what is only half there.
package struct DraftContent: Sendable, Hashable {
    package var origin: DraftOrigin
    /// The mailbox of `from`; `nil` while no sender is chosen.
    package var mailbox: MailboxID?
    /// A bare address; empty while no sender is chosen.
    package var from: String
    /// As typed: addresses with or without names, parted by commas; the last may be half an address.
    package var to: String
    /// As typed, like `to`.
    package var cc: String
    /// As typed, like `to`.
    package var bcc: String
    package var subject: String
    package var text: String
    /// What another program wrote beside the text; empty when there is only the text.
    package var html: String

    package init(
        origin: DraftOrigin = .new, mailbox: MailboxID? = nil, from: String = "", to: String = "", cc: String = "",
        bcc: String = "", subject: String = "", text: String = "", html: String = ""
    ) {
        self.origin = origin
        self.mailbox = mailbox
        self.from = from
        self.to = to
        self.cc = cc
        self.bcc = bcc
        self.subject = subject
        self.text = text
        self.html = html
    }

    /// What a draft of the server holds.
    package init(_ draft: Draft) {
        let origin: DraftOrigin =
            if let message = draft.replyToMessageID {
                .reply(to: message)
            } else if let message = draft.forwardOfMessageID {
                .forward(of: message, withFiles: true)
            } else {
                .new
            }
        self.init(
            origin: origin, mailbox: draft.mailboxID, from: draft.from, to: draft.to.joined(separator: ", "),
            cc: draft.cc.joined(separator: ", "), bcc: draft.bcc.joined(separator: ", "), subject: draft.subject,
            text: draft.text, html: draft.html)
    }
}
