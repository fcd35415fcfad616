/// What a mail server keeps of a message (RFC 5322): bare addresses, texts and attachments.
package struct ParsedMail: Sendable, Hashable {
    /// The first address of From; `unknown` when there is none.
    package var from = "unknown"
    package var to: [String] = []
    package var cc: [String] = []
    /// The decoded subject, trimmed; empty when there is none.
    package var subject = ""
    /// The Date field in milliseconds since 1970; `nil` when it is absent or unreadable.
    package var dateMilliseconds: Int64?
    /// The Message-ID with its brackets.
    package var messageID: String?
    package var inReplyTo: String?
    /// The Message-IDs of References, with their brackets, first to last.
    package var references: [String] = []
    /// The plain text parts, joined; empty for a mail of HTML only.
    package var text = ""
    /// The HTML parts, joined; `nil` when there is none.
    package var html: String?
    package var attachments: [ParsedAttachment] = []

    package init() {}
}

/// A part of a message that is no body text.
package struct ParsedAttachment: Sendable, Hashable {
    package var filename = "attachment"
    /// The type without parameters, in lower case.
    package var contentType = "application/octet-stream"
    /// The Content-ID with its brackets.
    package var contentID: String?
    package var bytes: [UInt8] = []

    package init() {}
}
