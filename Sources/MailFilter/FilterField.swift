internal import MailModel

/// The one table of what can stand before a colon, which the parser works by and the pages are made from.
package enum FilterField: String, Sendable, Hashable, CaseIterable {
    case from, to, subject, body
    case folder = "in"
    case mailbox
    case mark = "is"
    case has
    case before, after, older, newer

    /// The word for a folder, in the order they are told.
    static let places: [(word: String, place: Filter.Place)] =
        Folder.allCases.map { ($0.rawValue, .folder($0)) }
        + [("anywhere", .anywhere), ("archive", .folder(.archived)), ("catch-all", .folder(.catchall))]

    /// The words for what a message is; one that is read is not unread.
    static let marks: [(word: String, filter: Filter)] =
        Filter.Mark.allCases.map { ($0.rawValue, .mark($0)) } + [("read", .not(.mark(.unread)))]

    /// What a value looks like, for a sentence.
    package var expectation: String {
        switch self {
        case .from, .to: "an address or a part of it"
        case .subject, .body: "a word"
        case .folder: Folder.allCases.map(\.rawValue).joined(separator: ", ") + " or anywhere"
        case .mailbox: "the address of a mailbox or a part of it"
        case .mark: "unread, read, starred, sent, draft or unanswered"
        case .has: "attachment"
        case .before, .after, .older, .newer: "a date such as 2024-05-31, or a span such as 30d, 2w, 6m or 1y"
        }
    }

    /// One line on what it means.
    package var meaning: String {
        switch self {
        case .from: "The sender's address has these words."
        case .to: "The address of one of those it is to has these words."
        case .subject: "The subject has these words."
        case .body: "The text has these words, as far as it has been fetched."
        case .folder: "It lies in this folder, also where another one is shown; anywhere means all of them."
        case .mailbox: "The address of its mailbox has these words, also where another one is shown."
        case .mark:
            "It is unread, or read, starred, sent by this account, a draft, or unanswered: received, with nothing sent after it "
                + "in its conversation."
        case .has: "Files came with it."
        case .before, .older: "It came before this day, or longer ago than this span."
        case .after, .newer: "It came on this day or later, or no longer ago than this span."
        }
    }

    /// One use of it.
    package var example: String {
        switch self {
        case .from: "from:ann@example.org"
        case .to: "to:sales"
        case .subject: "subject:\"annual report\""
        case .body: "body:invoice"
        case .folder: "in:archived"
        case .mailbox: "mailbox:support"
        case .mark: "is:unread"
        case .has: "has:attachment"
        case .before: "before:2024-05-31"
        case .after: "after:2024-05"
        case .older: "older:30d"
        case .newer: "newer:2w"
        }
    }
}
