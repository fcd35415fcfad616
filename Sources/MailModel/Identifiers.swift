/// An opaque identifier the server gave to something.
///
/// Never parsed and never shown; two identifiers are the same when their text is.
package protocol Identifier: Sendable, Hashable, CustomStringConvertible {
    var rawValue: String { get }
    init(_ rawValue: String)
}

extension Identifier {
    package var description: String { rawValue }
}

/// The identifier of a mailbox (contract §3.1).
package struct MailboxID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a conversation's thread; stable while messages come and go (contract §3.7).
package struct ThreadID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a message on the server; not the RFC 5322 Message-ID.
package struct MessageID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a draft.
package struct DraftID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of an attachment of a message or draft.
package struct AttachmentID: Identifier {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
}
