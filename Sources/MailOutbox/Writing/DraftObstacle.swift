internal import MailCompose
package import MailModel

/// What keeps a draft, or a file of it, here though the server would answer; scripts may rely on the words.
package enum DraftObstacle: String, Sendable, Hashable, CaseIterable {
    case subjectTooLong = "subject-too-long"
    case textTooLong = "text-too-long"
    case htmlTooLong = "html-too-long"
    case tooManyRecipients = "too-many-recipients"
    /// Changed elsewhere too, and the mode leaves it to the person.
    case changedElsewhere = "changed-elsewhere"
    /// The server has it, or had it, and this machine does not.
    case onlyOnServer = "only-on-server"
    /// The copy on this machine is gone or changed.
    case copyGone = "copy-gone"
    /// A file, or all of a draft, is larger than the server takes.
    case tooLarge = "too-large"
}

extension DraftObstacle {
    /// The first limit of the server that saving a content would break; `nil` for none (contract §3.10).
    package init?(_ content: DraftContent) {
        let fields = [content.to, content.cc, content.bcc]
        if WebText.length(content.subject) > DraftLimits.subjectMax {
            self = .subjectTooLong
        } else if WebText.length(content.text) > DraftLimits.textMax {
            self = .textTooLong
        } else if WebText.length(content.html) > DraftLimits.htmlMax {
            self = .htmlTooLong
        } else if fields.contains(where: { AddressList($0).addresses.count > DraftLimits.recipientsMax }) {
            self = .tooManyRecipients
        } else {
            return nil
        }
    }
}
