internal import SQLite

extension StoredDraft {
    /// The content of a body; what the body leaves out has its default.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    init(_ fields: BodyFields) throws(Refusal) {
        self.init()
        mailbox = try fields.identifier("mailboxId")
        replyTo = try fields.identifier("replyToMessageId")
        forwardOf = try fields.identifier("forwardOfMessageId")
        from = try fields.optionalAddress("from")
        toJSON = JSONText.array(try fields.addresses("to"))
        ccJSON = JSONText.array(try fields.addresses("cc"))
        bccJSON = JSONText.array(try fields.addresses("bcc"))
        subject = try fields.text("subject", 0...200, default: "")
        text = try fields.text("text", 0...100_000, default: "")
        html = try fields.text("html", 0...200_000, default: "")
    }
}

extension Store {
    /// POST `/drafts`: a new draft, or a save of the own draft whose id the body names.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func createDraft(_ body: [UInt8], _ caller: Caller) throws -> ServerAnswer {
        let fields = try BodyFields(body)
        let id = try fields.identifier("id", allowsNull: false)
        var draft = try StoredDraft(fields)
        let version = try fields.positiveNumber("version")
        try checkTargets(draft, caller)
        draft.id = id ?? Store.id("drf")
        if let id {
            guard let stored = try storedDraft(id, of: caller) else { throw Refusal.draftNotFound }
            guard version == stored.version else { throw Refusal.draftConflict }
        }
        return try saved(draft, caller, status: 201)
    }

    /// PATCH `/drafts/{id}`: replaces everything; the stored draft must be accessible before the body is read.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func saveDraft(_ id: String, _ body: [UInt8], _ caller: Caller) throws -> ServerAnswer {
        let stored = try checkedDraft(id, caller)
        let fields = try BodyFields(body)
        var draft = try StoredDraft(fields)
        let version = try fields.positiveNumber("version")
        try checkTargets(draft, caller)
        guard version == stored.version else { throw Refusal.draftConflict }
        draft.id = id
        return try saved(draft, caller, status: 200)
    }

    private func saved(_ draft: StoredDraft, _ caller: Caller, status: UInt32) throws -> ServerAnswer {
        var draft = draft
        draft.updatedAt = now()
        try save(draft, user: caller.user)
        guard let stored = try storedDraft(draft.id, of: caller) else { throw Refusal.draftNotFound }
        var text = JSONText()
        try writeDraft(stored, to: &text)
        return .json(text, status: status)
    }

    /// DELETE `/drafts/{id}`: its files go too, also those that a sent message shares.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func deleteDraft(_ id: String, _ caller: Caller) throws -> ServerAnswer {
        _ = try checkedDraft(id, caller)
        try run("DELETE FROM objects WHERE key IN (SELECT objectKey FROM draftAttachments WHERE draftId = ?)", id)
        try run("DELETE FROM drafts WHERE id = ?", id)
        return ServerAnswer(status: 204, contentType: nil)
    }

    /// The caller's draft, all its targets accessible.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func checkedDraft(_ id: String, _ caller: Caller) throws -> StoredDraft {
        guard let draft = try storedDraft(id, of: caller) else { throw Refusal.draftNotFound }
        try checkTargets(draft, caller)
        return draft
    }
}
