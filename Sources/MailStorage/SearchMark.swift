/// What stands before a word of a person in the index: whether the person sent or got the mail, and whether it is ours.
///
/// So the words of each have lists of their own there. Nearly all mail has the words of nearly all people, and a list of
/// the customers that ours went to would otherwise be sought in a list of all that wrote to us.
struct SearchMark: Hashable {
    enum Part {
        case sender, recipient
    }

    /// A control character, which is a letter to FTS5 and no part of a word to `SearchText`.
    let scalar: Unicode.Scalar

    /// `isSent` is whether the mail was sent and not received.
    init(_ part: Part, isSent: Bool) {
        scalar =
            switch (part, isSent) {
            case (.sender, false): "\u{82}"
            case (.sender, true): "\u{83}"
            case (.recipient, false): "\u{84}"
            case (.recipient, true): "\u{85}"
            }
    }
}
