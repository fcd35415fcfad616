package import MailCompose
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

extension DraftLimits {
    /// The first limit that a save would break; `nil` for none.
    package static func obstacle(_ draft: DraftContent, _ upload: [[String]]) -> DraftObstacle? {
        if WebText.length(draft.subject) > subjectMax { return .subjectTooLong }
        if WebText.length(draft.text) > textMax { return .textTooLong }
        if WebText.length(draft.html) > htmlMax { return .htmlTooLong }
        return upload.contains { $0.count > recipientsMax } ? .tooManyRecipients : nil
    }
}
