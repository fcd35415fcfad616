internal import MIME
internal import SQLite

extension Store {
    /// The most identifiers tried to find a message's thread.
    private static let candidatesMax = 32

    /// Takes a parsed mail for one envelope recipient; `nil` when it was delivered before.
    ///
    /// - Throws: `SQLiteError`.
    @discardableResult
    func deliver(_ mail: ParsedMail, to envelope: String) throws(SQLiteError) -> String? {
        let envelope = envelope.lowercased()
        let key = mail.messageID.map { $0 + " " + envelope }
        if let key, try text("SELECT id FROM messages WHERE dedupeKey = ?", key) != nil { return nil }
        var message = NewMessage()
        message.mailbox = try mailbox(havingAddress: envelope)
        message.folder = message.mailbox == nil ? "catchall" : "inbox"
        message.deliveredTo = message.mailbox == nil ? nil : envelope
        message.thread = try thread(of: mail, mailbox: message.mailbox) ?? Store.id("thr")
        message.from = mail.from
        message.to = mail.to.isEmpty ? [envelope] : mail.to
        message.cc = mail.cc
        if !mail.subject.isEmpty { message.subject = mail.subject }
        message.createdAt = now()
        message.receivedAt = mail.dateMilliseconds.map(TimeText.text) ?? message.createdAt
        message.text = mail.text
        message.htmlSource = mail.html
        message.snippet = Snippet.text(mail.text, html: mail.html)
        message.messageIDHeader = mail.messageID
        message.inReplyTo = mail.inReplyTo
        message.references = mail.references
        message.dedupeKey = key
        message.attachments = mail.attachments.map { part in
            var attachment = NewAttachment()
            attachment.filename = part.filename
            attachment.contentType = part.contentType
            attachment.sizeBytes = part.bytes.count
            attachment.contentID = part.contentID
            attachment.content = part.bytes
            return attachment
        }
        try insert(message)
        return message.id
    }

    /// The thread a mail belongs to by its headers; `nil` when it opens one.
    private func thread(of mail: ParsedMail, mailbox: String?) throws(SQLiteError) -> String? {
        var candidates: [String] = []
        for id in Snippet.identifiers(mail.inReplyTo ?? "") + mail.references.reversed()
        where !candidates.contains(id) && candidates.count < Store.candidatesMax {
            candidates.append(id)
        }
        for candidate in candidates {
            let bare = candidate.dropFirst().dropLast()
            let found = try text(
                """
                SELECT threadId FROM messages WHERE messageIdHeader = ? OR id = ?
                ORDER BY mailboxId IS ? DESC, activityAt DESC LIMIT 1
                """, candidate, String(bare), mailbox)
            if let found { return found }
        }
        return nil
    }
}

/// The short text of a message for lists.
enum Snippet {
    private static let unitsMax = 180

    /// The first units of the text with its white space collapsed, or of the HTML without its tags.
    static func text(_ text: String, html: String?) -> String {
        let plain = collapsed(text)
        if !plain.isEmpty { return plain }
        return html.map { collapsed(withoutTags($0)) } ?? ""
    }

    private static func collapsed(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var units = 0
        var isSpacePending = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isSpacePending = units > 0
                continue
            }
            // The text is cut after the white space was collapsed, so it can end in a space.
            if isSpacePending, units < unitsMax {
                out.append(" ")
                units += 1
            }
            isSpacePending = false
            let width = scalar.value > 0xFFFF ? 2 : 1
            guard units + width <= unitsMax else { break }
            out.append(scalar)
            units += width
        }
        return String(out)
    }

    private static func withoutTags(_ html: String) -> String {
        var out: [UInt8] = []
        var isInTag = false
        for byte in html.utf8 {
            switch byte {
            case 0x3C:
                isInTag = true
                out.append(0x20)
            case 0x3E: isInTag = false
            default: if !isInTag { out.append(byte) }
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The identifiers of a header field, each with its brackets.
    static func identifiers(_ field: String) -> [String] {
        var found: [String] = []
        var rest = field[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            found.append(String(rest[start...end]))
            rest = rest[rest.index(after: end)...]
        }
        return found
    }
}
