internal import DisplayText
package import MailModel

/// A message with all that a filter asks of it.
package struct FilterSubject: Sendable, Hashable {
    package var summary: MessageSummary
    /// The address of its mailbox; empty for unassigned mail.
    package var mailboxAddress: String
    /// The text as it is read; `nil` when it has not been fetched.
    package var bodyText: String?
    /// Whether its conversation has a later message that was sent.
    package var isAnswered: Bool

    package init(summary: MessageSummary, mailboxAddress: String, bodyText: String?, isAnswered: Bool) {
        self.summary = summary
        self.mailboxAddress = mailboxAddress
        self.bodyText = bodyText
        self.isAnswered = isAnswered
    }
}

extension Filter {
    /// Whether a message is meant.
    package func matches(_ subject: FilterSubject, _ clock: FilterClock) -> Bool {
        let summary = subject.summary
        return switch self {
        case .words(let part, let words): Filter.has(words, part, subject)
        case .place(.anywhere): true
        case .place(.folder(.starred)): summary.starredAt != nil
        case .place(.folder(let folder)): summary.folder == folder.rawValue
        case .mailbox(let words): SearchText.contains(words.text, isWhole: words.isWhole, in: subject.mailboxAddress)
        case .mark(let mark): Filter.isMarked(mark, subject)
        case .hasAttachment: summary.hasAttachments
        case .time(let side, let moment):
            (FilterClock.compared(moment, in: summary) < clock.instant(moment)) == side.isEarlier
        case .not(let filter): !filter.matches(subject, clock)
        case .all(let filters): filters.allSatisfy { $0.matches(subject, clock) }
        case .any(let filters): filters.contains { $0.matches(subject, clock) }
        }
    }

    private static func has(_ words: Words, _ part: Part, _ subject: FilterSubject) -> Bool {
        let summary = subject.summary
        let texts: [String] =
            switch part {
            case .from: [summary.fromAddress]
            case .to: summary.to
            case .subject: [summary.subject]
            case .body: [subject.bodyText ?? ""]
            case .anywhere:
                [summary.fromAddress, summary.subject, summary.snippet, subject.bodyText ?? ""] + summary.to
            }
        return texts.contains { SearchText.contains(words.text, isWhole: words.isWhole, in: $0) }
    }

    private static func isMarked(_ mark: Mark, _ subject: FilterSubject) -> Bool {
        let summary = subject.summary
        return switch mark {
        case .unread: summary.direction == .inbound && summary.readAt == nil
        case .starred: summary.starredAt != nil
        case .sent: summary.direction == .outbound
        case .draft: summary.folder == Folder.drafts.rawValue
        case .unanswered: summary.direction == .inbound && !subject.isAnswered
        }
    }
}
