internal import SQLite

/// The filters of a list; an empty parameter is an absent one.
struct MessageFilter: Sendable {
    var mailbox: String?
    var folder: String?
    var search: String?

    init(_ request: ServerRequest, _ tier: ServerTier = .main) {
        func value(_ name: String) -> String? { request.parameter(name).flatMap { $0.isEmpty ? nil : $0 } }
        mailbox = value("mailboxId")
        folder = value("folder")
        search = value("search").map { MessageFilter.pattern($0, isLiteral: tier == .main) }
    }

    /// The pattern that finds a text anywhere; the older tier leaves the wildcards in it alive.
    private static func pattern(_ text: String, isLiteral: Bool) -> String {
        var pattern = "%"
        for character in text.unicodeScalars {
            if character == "\\" || isLiteral && (character == "%" || character == "_") {
                pattern.unicodeScalars.append("\\")
            }
            pattern.unicodeScalars.append(character)
        }
        return pattern + "%"
    }

    /// The conditions on a table, each with `AND` before it.
    func conditions(_ table: String) -> String {
        var sql = ""
        if mailbox != nil { sql += " AND \(table).mailboxId = ?" }
        if folder == "starred", table == "x" {
            sql += " AND x.starredAt IS NOT NULL"
        } else if folder != nil {
            sql += " AND \(table).folder = ?"
        }
        if search != nil {
            sql += """
                 AND (\(table).subject LIKE ? ESCAPE '\\' OR \(table).fromAddress LIKE ? ESCAPE '\\'
                OR \(table).toJSON LIKE ? ESCAPE '\\' OR \(table).snippet LIKE ? ESCAPE '\\'
                OR EXISTS (SELECT 1 FROM bodies sb WHERE sb.messageId = \(table).id
                AND sb.textBody LIKE ? ESCAPE '\\'))
                """
        }
        return sql
    }

    /// Binds the parameters of `conditions`; answers the next free index.
    func bind(_ statement: Statement, from index: Int32, isConversation: Bool = false) -> Int32 {
        var index = index
        func put(_ text: String) {
            statement.bind(index, text)
            index += 1
        }
        if let mailbox { put(mailbox) }
        if let folder, !(isConversation && folder == "starred") { put(folder) }
        if let search { for _ in 0..<5 { put(search) } }
        return index
    }

    /// The statement of a page of `/messages`: newest first, by keyset.
    static func listSQL(_ filter: MessageFilter, _ caller: Caller, hasPlace: Bool) -> String {
        """
        SELECT \(Store.summaryColumns), m.activityAt FROM messages m
        WHERE \(caller.condition("m"))\(filter.conditions("m"))\
        \(hasPlace ? " AND (m.activityAt, m.id) < (?, ?)" : "")
        ORDER BY m.activityAt DESC, m.id DESC LIMIT ?
        """
    }
}

/// The `Link` header of a page.
enum PageLink {
    /// The link to the next page, with those of the named parameters that the request had.
    static func next(_ request: ServerRequest, _ names: [String], _ cursor: String) -> QueryItem {
        var query: [String] = []
        for name in names {
            if let value = request.parameter(name) { query.append(name + "=" + formEncoded(value)) }
        }
        query.append("cursor=" + cursor)
        let address = request.origin + request.path + "?" + query.joined(separator: "&")
        return QueryItem(name: "link", value: "<\(address)>; rel=\"next\"")
    }

    private static func formEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: out.append(byte)
            case 0x20: out.append(0x2B)
            default: out.append(contentsOf: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
