package import MailModel

/// The parts of a draft that a conflict is decided by, one by one.
package enum DraftField: String, Sendable, Hashable, CaseIterable {
    /// What it answers or passes on.
    case origin
    case sender
    /// To, Cc and Bcc together: a mix of two lists would go to people whom nobody chose.
    case recipients
    case subject
    /// The text, and what another program wrote beside it.
    case text
}

/// A draft as the server holds it, whoever wrote it: whole addresses only, in any case of letters.
///
/// Two are equal when saving one over the other would change nothing.
package struct DraftFields: Sendable, Hashable {
    private var original: MessageID?
    private var isAnswer: Bool
    private var sender: String
    private var recipients: [[String]]
    private var subject: String
    private var texts: [String]

    /// The fields of a content; half addresses are not part of it.
    package init(_ content: DraftContent) {
        // One that is passed on without its files is not named to the server.
        original = if case .forward(_, false) = content.origin { nil } else { content.origin.original }
        isAnswer = if case .reply = content.origin { true } else { false }
        // The mailbox follows from the address.
        sender = content.from.isEmpty ? content.mailbox?.rawValue ?? "" : content.from.lowercased()
        recipients = [content.to, content.cc, content.bcc].map { AddressList($0).addresses.map { $0.lowercased() } }
        subject = content.subject
        texts = [content.text, content.html]
    }

    /// Whether a field is the same in both.
    package func isSame(_ field: DraftField, as other: DraftFields) -> Bool {
        switch field {
        case .origin: original == other.original && isAnswer == other.isAnswer
        case .sender: sender == other.sender
        case .recipients: recipients == other.recipients
        case .subject: subject == other.subject
        case .text: texts == other.texts
        }
    }

    /// Whether nothing of it was written.
    package var isEmpty: Bool {
        subject.isEmpty && texts.allSatisfy(\.isEmpty) && recipients.allSatisfy(\.isEmpty)
    }
}

/// A draft that was changed here and elsewhere, put together field by field.
package struct DraftMerge: Sendable, Hashable {
    /// Mine, with the fields that only they changed.
    package var content: DraftContent
    /// The fields that they changed and I did not, in the order of `DraftField`.
    package var taken: [DraftField]
    /// The fields that both changed in different ways, which `content` has as they are here.
    package var clashes: [DraftField]

    /// Puts two versions together that come from one `ancestor`.
    package init(ancestor: DraftContent, mine: DraftContent, theirs: DraftContent) {
        let (before, here, there) = (DraftFields(ancestor), DraftFields(mine), DraftFields(theirs))
        content = mine
        (taken, clashes) = ([], [])
        for field in DraftField.allCases where !here.isSame(field, as: there) {
            if here.isSame(field, as: before) {
                taken.append(field)
                content.take(field, from: theirs)
            } else if !there.isSame(field, as: before) {
                clashes.append(field)
            }
        }
    }
}

extension DraftContent {
    /// Takes over one field.
    package mutating func take(_ field: DraftField, from other: DraftContent) {
        switch field {
        case .origin: origin = other.origin
        case .sender: (mailbox, from) = (other.mailbox, other.from)
        case .recipients: (to, cc, bcc) = (other.to, other.cc, other.bcc)
        case .subject: subject = other.subject
        case .text: (text, html) = (other.text, other.html)
        }
    }
}
