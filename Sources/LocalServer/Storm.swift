internal import MIME
internal import SQLite

/// Seeded random mail and changes: one seed always makes the same sequence of choices.
struct Storm {
    private var state: UInt64
    private static let words = [
        "quarterly", "invoice", "meeting", "garden", "release", "budget", "harbour", "notes", "window", "travel",
        "ticket", "kitchen", "planning", "river", "offer", "summary", "cloud", "letter", "market", "winter",
    ]
    private static let actions = [
        "read", "unread", "star", "unstar", "archive", "trash", "unarchive", "restore",
    ]

    init(seed: UInt64) {
        state = seed
    }

    /// The next number of the sequence (SplitMix64).
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    private mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

    private mutating func phrase(_ count: Int) -> String {
        (0..<count).map { _ in Storm.words[below(Storm.words.count)] }.joined(separator: " ")
    }

    /// Delivers made-up mails to an address; answers their ids.
    ///
    /// - Throws: `SQLiteError`.
    mutating func deliver(_ count: Int, to address: String, _ store: Store) throws(SQLiteError) -> [String] {
        var ids: [String] = []
        for _ in 0..<count {
            if let id = try store.deliver(mail(), to: address) { ids.append(id) }
        }
        return ids
    }

    /// A mail of its own, dated within the last two years.
    private mutating func mail() -> ParsedMail {
        var mail = ParsedMail()
        mail.from = "\(Storm.words[below(Storm.words.count)])\(below(50))@sender.example"
        mail.subject = phrase(2 + below(5))
        mail.text = (0..<(1 + below(6))).map { _ in phrase(6 + below(12)) + "." }.joined(separator: "\n")
        mail.dateMilliseconds = 1_793_000_000_000 - Int64(below(63_072_000)) * 1_000
        mail.messageID = "<\(String(next(), radix: 36)).\(String(next(), radix: 36))@sender.example>"
        return mail
    }

    /// Makes random changes; answers the ids touched.
    ///
    /// - Throws: `SQLiteError`.
    mutating func run(_ count: Int, _ store: Store) throws(SQLiteError) -> [String] {
        var addresses: [String] = []
        let statement = try store.database.statement("SELECT address FROM mailboxes ORDER BY address")
        while try statement.step() { addresses.append(statement.text(0)) }
        statement.reset()
        guard !addresses.isEmpty else { return [] }
        var ids: [String] = []
        for _ in 0..<count {
            if let id = try step(addresses, store) { ids.append(id) }
        }
        return ids
    }

    private mutating func step(_ addresses: [String], _ store: Store) throws(SQLiteError) -> String? {
        let choice = below(100)
        let address = addresses[below(addresses.count)]
        switch choice {
        case 0..<20: return try store.deliver(mail(), to: address)
        case 20..<35:
            guard let header = try pick("messageIdHeader", store) else { return nil }
            var reply = mail()
            reply.inReplyTo = header
            reply.references = [header]
            return try store.deliver(reply, to: address)
        case 35..<40: return try store.deliver(mail(), to: "nobody\(below(9))@nowhere.example")
        case 40..<50:
            guard let id = try pick("id", store) else { return nil }
            try store.deleteMessage(id)
            return id
        default:
            guard let id = try pick("id", store) else { return nil }
            _ = try store.act(Storm.actions[below(Storm.actions.count)], on: id)
            return id
        }
    }

    /// A column of a random message.
    private mutating func pick(_ column: String, _ store: Store) throws(SQLiteError) -> String? {
        let last = try store.database.scalar("SELECT max(rowId) FROM messages") ?? 0
        let row = 1 + below(Int(last))
        return try store.text("SELECT \(column) FROM messages WHERE rowId >= CAST(? AS INTEGER) LIMIT 1", String(row))
    }
}
