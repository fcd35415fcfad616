internal import SQLite

extension Store {
    /// POST `/reply`: the server quotes the original below what the person wrote.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func reply(_ request: SendRequest, _ caller: Caller) throws -> ServerAnswer {
        let original = try original(request, caller)
        let sender = try sendingAddress(request.from, caller)
        let draft = try request.draft.map { try checkedDraft($0, caller) }
        var mail = OutgoingMail(request)
        mail.files = try draftFiles(request.attachments, caller)
        if mail.to.isEmpty { mail.to = [original.from] }
        mail.subject = original.replySubject
        mail.inReplyTo = original.header ?? original.id
        mail.references = original.references + (original.header.map { [$0] } ?? [])
        mail.text = original.quoted(below: request.text)
        if let html = request.html {
            let quote = try quotedHTML(of: original, besides: mail.files)
            mail.html = original.quoted(below: html, quote.html)
            mail.files += quote.files
        }
        return try deliver(mail, from: sender, thread: original.thread, draft: draft?.id)
    }

    /// POST `/forward`: the server writes the original below the person's note.
    ///
    /// The originals' files travel through a draft. When sending fails after that, the draft stays.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func forward(_ request: SendRequest, _ caller: Caller) throws -> ServerAnswer {
        let original = try original(request, caller)
        let sender = try sendingAddress(request.from, caller)
        var mail = OutgoingMail(request)
        mail.subject = request.subject ?? original.forwardSubject
        let composed = original.forwarded(below: request.text)
        let html = original.forwardedHTML(below: request.html, text: request.text)
        mail.text = composed.webTrimmed
        mail.html = html.webTrimmed
        try Store.checkComposed(mail)
        mail.files = try draftFiles(request.attachments, caller)
        let hasFiles = try text("SELECT 1 FROM attachments WHERE messageId = ? LIMIT 1", original.id) != nil
        guard request.includesOriginals, hasFiles else {
            return try deliver(mail, from: sender, thread: Store.id("thr"), draft: nil)
        }
        var draft = StoredDraft()
        draft.id = Store.id("drf")
        draft.mailbox = sender.mailbox
        draft.forwardOf = original.id
        draft.from = mail.from
        draft.toJSON = JSONText.array(mail.to)
        draft.ccJSON = JSONText.array(mail.cc)
        draft.bccJSON = JSONText.array(mail.bcc)
        draft.subject = mail.subject
        draft.text = composed
        draft.html = html
        draft.updatedAt = now()
        try save(draft, user: caller.user)
        mail.files += try copyOriginals(of: original.id, toDraft: draft.id, besides: mail.files.count)
        do {
            return try deliver(mail, from: sender, thread: Store.id("thr"), draft: draft.id)
        } catch let refusal as Refusal {
            return .failure(refusal)
        }
    }

    /// The message answered or forwarded, when the caller may write for its mailbox.
    private func original(_ request: SendRequest, _ caller: Caller) throws -> OriginalMessage {
        let id = request.original ?? ""
        try checkMessage(id, caller, .agent)
        guard let original = try originalMessage(id) else { throw Refusal.messageNotFound }
        return original
    }

    /// The composed mail is held to the limits of `/send`; nothing is cut.
    private static func checkComposed(_ mail: OutgoingMail) throws(Refusal) {
        let limits = [
            (mail.subject, SendRequest.subjectMax), (mail.text, SendRequest.textMax),
            (mail.html ?? "", SendRequest.htmlMax),
        ]
        for (text, limit) in limits where text.utf16.count > limit {
            throw .validation("Too big: expected string to have <=\(limit) characters")
        }
    }

    /// Copies a message's files into a draft, so that they can be sent.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func copyOriginals(
        of message: String, toDraft draft: String, besides count: Int
    ) throws -> [OutgoingMail.File] {
        let originals = try originalFiles(of: message)
        guard originals.count + count <= SendRequest.attachmentsMax else { throw Refusal.attachmentsTooMany }
        guard originals.reduce(0, { $0 + $1.sizeBytes }) <= Store.attachmentBytesMax else {
            throw Refusal.attachmentsTooLarge
        }
        return try originals.map { original in
            guard let content = try content(ofAttachment: original.objectKey) else {
                throw Refusal.forwardedUnavailable
            }
            var copy = original
            let file = FormFile(filename: copy.filename, contentType: copy.contentType, content: content)
            copy.objectKey = draft + "/" + (try attach(file, toDraft: draft))
            copy.contentID = nil
            return copy
        }
    }

    /// A message's files by name; `objectKey` is the attachment's id.
    ///
    /// - Throws: `SQLiteError`.
    func originalFiles(of message: String) throws(SQLiteError) -> [OutgoingMail.File] {
        let statement = try database.statement(
            """
            SELECT filename, contentType, sizeBytes, contentId, id FROM attachments
            WHERE messageId = ? ORDER BY filename
            """
        )
        defer { statement.reset() }
        statement.bind(1, message)
        var files: [OutgoingMail.File] = []
        while try statement.step() {
            files.append(
                OutgoingMail.File(
                    filename: statement.text(0), contentType: statement.text(1), sizeBytes: Int(statement.int(2)),
                    contentID: statement.optionalText(3), objectKey: statement.text(4)))
        }
        return files
    }

    /// The stored content of a message's attachment; `nil` when it is lost.
    ///
    /// - Throws: `SQLiteError`.
    func content(ofAttachment id: String) throws(SQLiteError) -> [UInt8]? {
        let statement = try database.statement(
            """
            SELECT coalesce(a.content, o.content) FROM attachments a LEFT JOIN objects o ON o.key = a.objectKey
            WHERE a.id = ?
            """)
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.bytes(0)
    }
}
