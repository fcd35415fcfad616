internal import DisplayText
package import MailModel

/// Who else is in a conversation, as one list line shows it.
package struct Participants: Sendable, Hashable {
    /// Whom the message shown is from or, when it was sent, whom it went to.
    private let first: [String]
    /// Whether the message shown was sent.
    private let isSent: Bool
    /// Who else wrote, newest first.
    private let others: [String]

    /// The people of a row; `own` are the person's own addresses in small letters, who are nobody else.
    package init(_ row: ConversationRow, own: Set<String>) {
        let shown = row.shown
        isSent = shown.direction == .outbound && !shown.to.isEmpty
        first = isSent ? shown.to : [shown.fromAddress]
        var known = own.union(first.map { $0.lowercased() })
        others = row.people.filter { known.insert($0.lowercased()).inserted }
    }

    /// Whole addresses where they fit, else short names, cut at the end; empty when nobody is known.
    package func text(columns: Int) -> String {
        let head = isSent ? "To: " : ""
        let whole = head + TextDisplay.sanitizedLine((first + others).joined(separator: ", "))
        if TextDisplay.width(of: whole) <= columns { return whole }
        let short = (first + others).map(Participants.shortName).joined(separator: ", ")
        return head + TextDisplay.sanitizedLine(short)
    }

    /// Local parts that name a desk and not a person; then the domain says more.
    private static let desks: Set<Substring> = [
        "info", "no-reply", "noreply", "do-not-reply", "donotreply", "support", "hello", "contact", "mail", "office",
        "sales", "team", "news", "newsletter", "billing", "service", "notifications", "notification", "admin", "help",
        "accounts", "updates", "post", "kontakt",
    ]

    /// The part of an address that tells its owner apart: `dana` of dana@client.example, `acme` of info@acme.example.
    static func shortName(_ address: String) -> String {
        let parts = address.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let local = parts.first else { return address }
        guard desks.contains(local.lowercased()[...]) else { return String(local) }
        let labels = parts[1].split(separator: ".")
        guard labels.count > 1 else { return String(parts[1]) }
        // `acme` of acme.co.uk and of mail.acme.com.
        let isDouble = labels.count > 2 && labels[labels.count - 2].count <= 3
        return String(labels[labels.count - (isDouble ? 3 : 2)])
    }
}
