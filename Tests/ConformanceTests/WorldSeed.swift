@testable internal import LocalServer

/// Puts recorded mail into a local server's tables, under the recorded ids.
struct WorldSeed {
    let store: Store
    let world: RecordedWorld
    /// The ids and times that are in the tables now.
    private(set) var ids: Set<String> = ["msg_none", "drf_none", "att_none", "mbx_none"]
    private(set) var times: Set<String> = []

    init(_ store: Store, _ world: RecordedWorld) {
        self.store = store
        self.world = world
    }

    /// The order in which the real server's own mail was made, then that of arrival.
    static func ordered(_ messages: [JSONTree], _ world: RecordedWorld) -> [JSONTree] {
        messages.map { (key(of: $0, world), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func key(of value: JSONTree, _ world: RecordedWorld) -> (Int, String, Int) {
        let id = value["id"]?.text ?? ""
        let made = value["createdAt"]?.text ?? ""
        if id == "msg_local_project_inbound" { return (0, made, 0) }
        // The tenth row of the real journal was about a message that was gone by then, which this one is.
        if id == "msg_local_newsletter" { return (1, "2026-10-30T10:00:00.001Z", 0) }
        if id.hasPrefix("msg_local_bulk_") { return (2, id, 0) }
        return (id.hasPrefix("msg_local_") ? 1 : 3, made, world.sights[id]?.first?.order ?? 0)
    }

    /// Inserts a message in a state.
    mutating func insert(_ state: JSONTree) throws {
        guard let id = state["id"]?.text, try store.text("SELECT id FROM messages WHERE id = ?", id) == nil else {
            return
        }
        let detail = world.details[id]
        var message = NewMessage()
        message.id = id
        message.thread = state["threadId"]?.text ?? ""
        message.mailbox = try mailbox(state["mailboxId"]?.text)
        message.isOutbound = state["direction"]?.text == "outbound"
        message.folder = state["folder"]?.text ?? "inbox"
        message.from = state["fromAddress"]?.text ?? ""
        message.to = state["to"]?.texts ?? []
        message.subject = state["subject"]?.text ?? ""
        message.snippet = state["snippet"]?.text ?? ""
        message.receivedAt = state["receivedAt"]?.text
        message.sentAt = state["sentAt"]?.text
        message.readAt = state["readAt"]?.text
        message.starredAt = state["starredAt"]?.text
        message.createdAt = state["createdAt"]?.text ?? ""
        complete(&message, detail)
        try store.insert(message)
        if state["hasAttachments"]?.isTrue == true, message.attachments.isEmpty {
            try store.run("UPDATE messages SET hasAttachments = 1 WHERE id = ?", id)
        }
        for part in detail?["attachments"]?.items ?? [] {
            try store.run(
                "UPDATE attachments SET createdAt = ? WHERE id = ?", part["createdAt"]?.text, part["id"]?.text)
        }
        note(state)
        if let detail { note(detail) }
    }

    /// A mailbox's id; one that is unknown was made by the recorder, and is made here.
    private func mailbox(_ id: String?) throws -> String? {
        if let id, try store.text("SELECT id FROM mailboxes WHERE id = ?", id) == nil { try makeMailbox(id) }
        return id
    }

    /// Makes a mailbox that only its id is known of.
    func makeMailbox(_ id: String) throws {
        let stamp = store.now()
        try store.run(
            "INSERT INTO mailboxes(id, address, displayName, createdAt, updatedAt) VALUES(?, ?, 'Made', ?, ?)", id,
            id + "@example.test", stamp, stamp)
    }

    private func complete(_ message: inout NewMessage, _ detail: JSONTree?) {
        message.text = detail?["textBody"]?.text ?? message.snippet
        for words in world.hiddenWords[message.id] ?? [] { message.text += " " + words }
        message.cc = detail?["cc"]?.texts ?? []
        message.bcc = detail?["bcc"]?.texts ?? []
        message.deliveredTo = detail?["deliveredToAddress"]?.text
        message.messageIDHeader = detail?["messageId"]?.text
        message.inReplyTo = detail?["inReplyTo"]?.text
        message.references = detail?["references"]?.texts ?? []
        let parts = detail?["attachments"]?.items ?? []
        message.attachments = parts.map(attachment)
        if let answer = world.html[message.id] {
            message.htmlSource = HTMLSource.text(answer, parts)
        } else if detail?["htmlAvailable"]?.isTrue == true {
            message.htmlSource = "<p>\(message.snippet)</p>"
        }
    }

    private func attachment(_ value: JSONTree) -> NewAttachment {
        var attachment = NewAttachment()
        attachment.id = value["id"]?.text ?? ""
        attachment.filename = value["filename"]?.text ?? ""
        attachment.contentType = value["contentType"]?.text ?? ""
        attachment.sizeBytes = value["sizeBytes"]?.int ?? 0
        attachment.contentID = value["contentId"]?.text
        switch world.content[attachment.id] {
        case .string(let text)?: attachment.content = Array(text.utf8)
        case .some(let value): attachment.content = value["base64"]?.text.flatMap(Cursor.decode)
        case nil: attachment.content = [UInt8](repeating: 0x78, count: attachment.sizeBytes)
        }
        return attachment
    }

    /// Inserts a draft of a user.
    mutating func insert(_ state: JSONTree, of user: String) throws {
        var draft = StoredDraft()
        draft.id = state["id"]?.text ?? ""
        draft.mailbox = state["mailboxId"]?.text
        draft.replyTo = try existing(state["replyToMessageId"]?.text)
        draft.forwardOf = try existing(state["forwardOfMessageId"]?.text)
        draft.from = state["from"]?.text ?? ""
        draft.toJSON = JSONText.array(state["to"]?.texts ?? [])
        draft.ccJSON = JSONText.array(state["cc"]?.texts ?? [])
        draft.bccJSON = JSONText.array(state["bcc"]?.texts ?? [])
        draft.subject = state["subject"]?.text ?? ""
        draft.text = state["text"]?.text ?? ""
        draft.html = state["html"]?.text ?? ""
        draft.version = Int64(state["version"]?.int ?? 1)
        draft.updatedAt = state["updatedAt"]?.text ?? ""
        try store.save(draft, user: "usr_local_" + user)
        note(state)
    }

    private func existing(_ message: String?) throws -> String? {
        guard let message else { return nil }
        return try store.text("SELECT id FROM messages WHERE id = ?", message)
    }

    private mutating func note(_ value: JSONTree) {
        switch value {
        case .object(let members): for member in members.values { note(member) }
        case .array(let items): for item in items { note(item) }
        case .string(let text):
            if Shape.isID(text) { ids.insert(text) }
            if Shape.isTime(text) { times.insert(text) }
        default: break
        }
    }
}

/// Makes a source from a recorded answer, since the sources were not recorded: what the real server let through.
enum HTMLSource {
    static func text(_ answer: JSONTree, _ attachments: [JSONTree]) -> String {
        var text = answer["html"]?.text ?? ""
        let after = answer["afterQuotedHtml"]?.text ?? ""
        if let quote = answer["quotedHtml"]?.text { text += marked(quote) }
        // White space alone comes from behind the document's end.
        if !after.isEmpty, after.allSatisfy(\.isWhitespace) { text += "</body></html>" }
        text += after
        for attachment in attachments {
            guard let id = attachment["id"]?.text, let contentID = attachment["contentId"]?.text,
                let message = attachment["messageId"]?.text
            else { continue }
            let address = "\(Recordings.origin)/api/v1/messages/\(message)/inline/\(id)"
            text = Shape.replacing(address, with: "cid:" + SanitizedImages.bare(contentID), in: text)
        }
        return text
    }

    /// A quote with the mark that makes it one, which the real server took away.
    private static func marked(_ quote: String) -> String {
        if quote.hasPrefix("<blockquote") { return "<blockquote type=\"cite\"" + quote.dropFirst(11) }
        if quote.hasPrefix("<div>") { return "<div class=\"gmail_quote\"" + quote.dropFirst(4) }
        return "<div id=\"divRplyFwdMsg\"" + quote.dropFirst(4)
    }
}
