internal import SQLite

/// The mailbox and address a mail is sent from.
struct SendingAddress: Sendable {
    let mailbox: String
    let isActive: Bool
}

extension Store {
    /// Counts a request that sends, also one that is refused later.
    ///
    /// - Throws: `RATE_LIMITED`.
    func countSend(_ kind: SendKind, _ caller: Caller) throws(Refusal) {
        guard sendCounts.count(caller.user, kind, at: clock.milliseconds) else { throw .rateLimited }
    }

    /// POST `/send`, `/reply` and `/forward`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func send(_ kind: SendKind, _ body: [UInt8], _ caller: Caller) throws -> ServerAnswer {
        let request = try SendRequest(try BodyFields(body), kind)
        switch kind {
        case .send: return try sendNew(request, caller)
        case .reply: return try reply(request, caller)
        case .forward: return try forward(request, caller)
        }
    }

    private func sendNew(_ request: SendRequest, _ caller: Caller) throws -> ServerAnswer {
        let sender = try sendingAddress(request.from, caller)
        let draft = try request.draft.map { try checkedDraft($0, caller) }
        var mail = OutgoingMail(request)
        mail.files = try draftFiles(request.attachments, caller)
        if tier == .main, let draft, let original = draft.forwardOf {
            let copies = try copyOriginals(of: original, toDraft: draft.id, besides: mail.files.count)
            mail.files += copies
        }
        return try deliver(mail, from: sender, thread: Store.id("thr"), draft: draft?.id)
    }

    /// The address to send from: enabled, on a domain that is ready, in a mailbox of the caller.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func sendingAddress(_ address: String, _ caller: Caller) throws -> SendingAddress {
        let statement = try database.statement(
            """
            SELECT m.id, m.isActive FROM addresses a JOIN mailboxes m ON m.id = a.mailboxId
            WHERE a.address = ? AND a.sendEnabled = 1 AND a.domainId NOT IN (SELECT id FROM closedDomains)
            """)
        defer { statement.reset() }
        statement.bind(1, address)
        guard try statement.step() else { throw Refusal.mailboxNotFound }
        let sender = SendingAddress(mailbox: statement.text(0), isActive: statement.bool(1))
        guard let level = caller.level(sender.mailbox), level >= .agent else { throw Refusal.mailboxForbidden }
        return sender
    }

    /// The caller's draft files with these ids, each once, in the order of their upload.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func draftFiles(_ ids: [String], _ caller: Caller) throws -> [OutgoingMail.File] {
        var found: [(order: String, file: OutgoingMail.File)] = []
        var drafts: [String] = []
        for id in Set(ids) {
            let statement = try database.statement(
                """
                SELECT a.filename, a.contentType, a.sizeBytes, a.objectKey, a.createdAt, a.draftId
                FROM draftAttachments a JOIN drafts d ON d.id = a.draftId WHERE a.id = ? AND d.userId = ?
                """)
            defer { statement.reset() }
            statement.bind(1, id)
            statement.bind(2, caller.user)
            guard try statement.step() else { throw Refusal.attachmentsUnavailable }
            let file = OutgoingMail.File(
                filename: statement.text(0), contentType: statement.text(1), sizeBytes: Int(statement.int(2)),
                objectKey: statement.text(3))
            found.append((statement.text(4) + id, file))
            drafts.append(statement.text(5))
        }
        for draft in Set(drafts) { _ = try checkedDraft(draft, caller) }
        return found.sorted { $0.order < $1.order }.map(\.file)
    }

    /// Hands a mail to the sender, stores its copy and consumes the draft.
    ///
    /// - Throws: `Refusal` or `SQLiteError`; nothing is stored then, though the mail may have left.
    func deliver(
        _ mail: OutgoingMail, from sender: SendingAddress, thread: String, draft: String?
    ) throws -> ServerAnswer {
        guard sender.isActive else { throw Refusal.mailboxDisabled }
        for file in mail.files where try text("SELECT 1 FROM objects WHERE key = ?", file.objectKey) == nil {
            throw Refusal.attachmentsUnavailable
        }
        var copy = NewMessage()
        copy.sentAt = now()
        copy.messageIDHeader = try mailSender.take(mail, at: copy.sentAt ?? "")
        copy.thread = thread
        copy.mailbox = sender.mailbox
        copy.isOutbound = true
        copy.folder = "sent"
        copy.from = mail.from
        copy.to = mail.to
        copy.cc = mail.cc
        copy.bcc = mail.bcc
        copy.subject = mail.subject
        copy.text = mail.text
        copy.htmlSource = mail.html
        copy.snippet = Snippet.text(mail.text, html: mail.html)
        copy.readAt = copy.sentAt
        copy.createdAt = copy.sentAt ?? ""
        copy.inReplyTo = mail.inReplyTo
        copy.references = mail.references
        copy.attachments = mail.files.map { file in
            var attachment = NewAttachment()
            attachment.filename = file.filename
            attachment.contentType = file.contentType
            attachment.sizeBytes = file.sizeBytes
            attachment.contentID = file.contentID
            attachment.objectKey = file.objectKey
            return attachment
        }
        try insert(copy)
        if let draft { try consume(draft) }
        return try summary(copy.id, status: 201)
    }

    /// Removes a sent draft.
    ///
    /// The files that the copy took stay; the others are lost.
    private func consume(_ draft: String) throws(SQLiteError) {
        try run(
            """
            DELETE FROM objects WHERE key IN (SELECT objectKey FROM draftAttachments WHERE draftId = ?)
            AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.objectKey = objects.key)
            """, draft)
        try run("DELETE FROM drafts WHERE id = ?", draft)
    }
}

extension OutgoingMail {
    /// The mail of a request, as far as its body says.
    init(_ request: SendRequest) {
        self.init()
        from = request.from
        to = request.to
        cc = request.cc
        bcc = request.bcc
        subject = request.subject ?? ""
        text = request.text
        html = request.html
    }
}
