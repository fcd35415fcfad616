package import MailModel

/// Which messages are meant: what a person typed, as a tree.
///
/// Compared, printed and evaluated without any store; a store turns it into a query of its own.
package indirect enum Filter: Sendable, Hashable {
    /// Words in a part of the message.
    case words(Part, Words)
    /// Where the message lies.
    case place(Place)
    /// The words are in the address of the message's mailbox.
    case mailbox(Words)
    case mark(Mark)
    case hasAttachment
    /// When the message came.
    case time(Side, Moment)
    case not(Filter)
    /// All of them.
    case all([Filter])
    /// At least one of them.
    case any([Filter])

    /// The part of a message that has the words.
    package enum Part: Sendable, Hashable, CaseIterable {
        /// Any of the parts below.
        case anywhere
        case from, to, subject, body
    }

    /// Words in a row.
    package struct Words: Sendable, Hashable {
        package var text: String
        /// Whether the last of them must end where it ends here.
        package var isWhole: Bool

        package init(_ text: String, isWhole: Bool = false) {
            self.text = text
            self.isWhole = isWhole
        }
    }

    /// A folder, or all of them.
    package enum Place: Sendable, Hashable {
        case folder(Folder)
        case anywhere
    }

    /// What a message is.
    package enum Mark: String, Sendable, Hashable, CaseIterable {
        case unread, starred, sent, draft, unanswered
    }

    /// On which side of a moment.
    package enum Side: String, Sendable, Hashable, CaseIterable {
        case before, after, older, newer

        /// Whether what is meant lies earlier than the moment.
        package var isEarlier: Bool { self == .before || self == .older }
    }
}

extension Filter {
    /// Whether any part of the tree satisfies a condition.
    package func contains(where condition: (Filter) -> Bool) -> Bool {
        if condition(self) { return true }
        switch self {
        case .not(let filter): return filter.contains(where: condition)
        case .all(let filters), .any(let filters): return filters.contains { $0.contains(where: condition) }
        default: return false
        }
    }

    /// Whether it asks for words of the message, which an index may not have yet.
    package var asksForWords: Bool {
        contains {
            if case .words = $0 { return true }
            return false
        }
    }

    /// Whether it asks for words of texts, which have been fetched for some messages only.
    package var asksForTexts: Bool {
        contains {
            if case .words(let part, _) = $0 { return part == .anywhere || part == .body }
            return false
        }
    }

    /// Whether it says itself which folders are meant.
    package var namesPlace: Bool {
        contains {
            if case .place = $0 { return true }
            return false
        }
    }

    /// Whether it says itself which mailboxes are meant.
    package var namesMailbox: Bool {
        contains {
            if case .mailbox = $0 { return true }
            return false
        }
    }

    /// The words a match has, to show them where they are: those that are not excluded.
    package var shownWords: [(part: Part, words: Words)] {
        switch self {
        case .words(let part, let words): [(part, words)]
        case .all(let filters), .any(let filters): filters.flatMap(\.shownWords)
        default: []
        }
    }
}
