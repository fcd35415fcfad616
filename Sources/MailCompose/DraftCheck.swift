package import MailModel

/// Why a draft cannot be sent as it is; known before anything is sent (contract §3.12, §1.6).
package enum DraftRefusal: Hashable, Sendable {
    case noSender
    /// The sender is not among the addresses that may send.
    case foreignSender(String)
    case noRecipient
    /// A recipient that is not a whole address.
    case incomplete(String)
    case tooManyRecipients(Int)
    case emptySubject
    case longSubject(Int)
    case emptyText
    case longText(Int)
    case tooManyFiles(Int)
    /// A file of this name and size.
    case largeFile(String, Int)
    /// All files together.
    case largeFiles(Int)

    /// What the person reads; text of theirs is in it, so it is for the screen only.
    package var message: String {
        switch self {
        case .noSender: "Choose the address to send from."
        case .foreignSender(let address): "“\(address)” is not an address you may send from."
        case .noRecipient: "There is no recipient."
        case .incomplete(let text): "“\(text)” is not a whole address."
        case .tooManyRecipients(let count):
            "\(count) recipients are more than the \(DraftLimits.recipientsMax) that the server takes."
        case .emptySubject: "The subject is empty. The server sends no mail without one."
        case .longSubject(let length):
            "The subject has \(length) characters; the server takes \(DraftLimits.subjectMax)."
        case .emptyText: "The text is empty. The server sends no mail without text."
        case .longText(let length): "The text has \(length) characters; the server takes \(DraftLimits.textMax)."
        case .tooManyFiles(let count): "\(count) files are more than the \(DraftLimits.filesMax) that the server takes."
        case .largeFile(let name, let bytes):
            "“\(name)” has \(ByteCount.words(bytes)); the server takes files of up to \(ByteCount.words(DraftLimits.bytesMax))."
        case .largeFiles(let bytes):
            "The files have \(ByteCount.words(bytes)) together; the server takes \(ByteCount.words(DraftLimits.bytesMax))."
        }
    }
}

/// What may be wrong with a draft, though it can be sent.
package enum DraftWarning: Hashable, Sendable {
    /// The text speaks of a file, by this word, and there is none.
    case missingFile(String)
    /// Answers to such an address are read by nobody.
    case noReply(String)
    /// Nobody knows who sent the original.
    case unknownSender
    /// The original was not addressed to the person: a list or a hidden copy. The server does not tell Reply-To.
    case notAddressedToMe

    /// What the person reads; text of theirs may be in it, so it is for the screen only.
    package var message: String {
        switch self {
        case .missingFile(let word): "The text says “\(word)”, and no file is attached."
        case .noReply(let address): "“\(address)” looks like an address that nobody reads."
        case .unknownSender: "It is not known who sent the original. Check the recipient."
        case .notAddressedToMe:
            "The original came through a list or a hidden copy, and the server does not tell where answers should go. Check the recipient."
        }
    }
}

/// Looks at a draft before it is sent.
package enum DraftCheck {
    /// All that keeps a draft from being sent, in the order of its fields; empty when it can be.
    ///
    /// `senders` are the addresses that may send. An answer needs no subject, and mail that is passed on no text of its
    /// own; `forwarded` is the text that is appended to it.
    package static func refusals(
        _ content: DraftContent, files: [DraftFile], senders: [String], forwarded: String = ""
    ) -> [DraftRefusal] {
        var refusals: [DraftRefusal] = []
        if content.from.isEmpty {
            refusals.append(.noSender)
        } else if !senders.contains(where: { $0.lowercased() == content.from.lowercased() }) {
            refusals.append(.foreignSender(content.from))
        }
        refusals += recipients(content)
        let (isReply, isForward) = kind(content.origin)
        let subject = WebText.trimmed(content.subject)
        if subject.isEmpty, !isReply { refusals.append(.emptySubject) }
        if WebText.length(subject) > DraftLimits.subjectMax, !isReply {
            refusals.append(.longSubject(WebText.length(subject)))
        }
        let text = WebText.trimmed(content.text)
        let length = WebText.length(text) + (forwarded.isEmpty ? 0 : WebText.length(forwarded) + 2)
        if text.isEmpty, !isForward { refusals.append(.emptyText) }
        if length > DraftLimits.textMax { refusals.append(.longText(length)) }
        return refusals + self.files(files)
    }

    private static func kind(_ origin: DraftOrigin) -> (isReply: Bool, isForward: Bool) {
        switch origin {
        case .new: (false, false)
        case .reply: (true, false)
        case .forward: (false, true)
        }
    }

    private static func recipients(_ content: DraftContent) -> [DraftRefusal] {
        let lists = [content.to, content.cc, content.bcc].map { AddressList($0) }
        var refusals = lists.flatMap(\.incomplete).map { DraftRefusal.incomplete($0) }
        let count = lists.map(\.addresses.count).reduce(0, +)
        // The server wants somebody in To.
        if lists[0].addresses.isEmpty { refusals.insert(.noRecipient, at: 0) }
        if count > DraftLimits.recipientsMax { refusals.append(.tooManyRecipients(count)) }
        return refusals
    }

    private static func files(_ files: [DraftFile]) -> [DraftRefusal] {
        var refusals: [DraftRefusal] = []
        if files.count > DraftLimits.filesMax { refusals.append(.tooManyFiles(files.count)) }
        let large = files.filter { $0.sizeBytes > DraftLimits.bytesMax }
        refusals += large.map { .largeFile($0.filename, $0.sizeBytes) }
        let total = files.map(\.sizeBytes).reduce(0, +)
        if large.isEmpty, total > DraftLimits.bytesMax { refusals.append(.largeFiles(total)) }
        return refusals
    }

    /// What may be wrong with a draft; `original` is what it answers, and `own` are the person's addresses.
    package static func warnings(
        _ content: DraftContent, files: [DraftFile], original: MessageDetail? = nil, own: [String] = []
    ) -> [DraftWarning] {
        var warnings: [DraftWarning] = []
        if files.isEmpty, !passesOnFiles(content, original), let word = FileWords.first(in: content) {
            warnings.append(.missingFile(word))
        }
        let recipients = AddressList(content.to).addresses
        warnings += recipients.filter(NoReplyAddress.isLikely).map { .noReply($0) }
        guard case .reply = content.origin, let original, original.summary.direction == .inbound else {
            return warnings
        }
        if !EmailAddress.isValid(original.summary.fromAddress) { warnings.append(.unknownSender) }
        let mine = Set(own.map { $0.lowercased() })
        let shown = original.summary.to + original.cc
        if !mine.isEmpty, !shown.contains(where: { mine.contains($0.lowercased()) }) {
            warnings.append(.notAddressedToMe)
        }
        return warnings
    }

    private static func passesOnFiles(_ content: DraftContent, _ original: MessageDetail?) -> Bool {
        guard case .forward(_, let withFiles) = content.origin else { return false }
        return withFiles && original?.summary.hasAttachments ?? true
    }
}

/// Addresses that programs send from and nobody reads.
package enum NoReplyAddress {
    private static let names = [
        "noreply", "donotreply", "nepasrepondre", "neantworten", "nichtantworten", "mailerdaemon", "postmaster",
        "bounce",
        "bounces",
    ]

    /// Whether an address looks like one.
    package static func isLikely(_ address: String) -> Bool {
        let local = address.lowercased().prefix { $0 != "@" && $0 != "+" }.filter { !"-._".contains($0) }
        return names.contains(local) || local.hasPrefix("noreply") || local.hasSuffix("noreply")
            || local.hasPrefix("donotreply")
    }
}
