internal import SQLite

extension Store {
    /// The most bytes of one file, and of all files of a draft.
    static let attachmentBytesMax = 26_214_400

    /// POST `/drafts/{id}/attachments`: the draft's version and time stay.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func attach(_ request: ServerRequest, toDraft id: String, _ caller: Caller) throws -> ServerAnswer {
        _ = try checkedDraft(id, caller)
        let file = try FormFile.read(request)
        guard file.content.count <= Store.attachmentBytesMax - (try attachedBytes(id)) else {
            throw Refusal.attachmentsTooLarge
        }
        let attachment = try attach(file, toDraft: id)
        var text = JSONText()
        text.member("{\"id\":", attachment)
        text.member(",\"filename\":", file.filename)
        text.member(",\"contentType\":", file.contentType)
        text.member(",\"sizeBytes\":", json: "\(file.content.count)}")
        return .json(text, status: 201)
    }

    /// The bytes of a draft's files.
    ///
    /// - Throws: `SQLiteError`.
    func attachedBytes(_ draft: String) throws(SQLiteError) -> Int {
        let statement = try database.statement("SELECT sum(sizeBytes) FROM draftAttachments WHERE draftId = ?")
        defer { statement.reset() }
        statement.bind(1, draft)
        return try statement.step() ? Int(statement.int(0)) : 0
    }

    /// Stores a file of a draft; answers its id.
    ///
    /// - Throws: `SQLiteError`.
    func attach(_ file: FormFile, toDraft draft: String) throws(SQLiteError) -> String {
        let id = Store.id("att")
        let object = try database.statement("INSERT INTO objects VALUES(?, ?)")
        object.bind(1, draft + "/" + id)
        object.bind(2, file.content)
        try object.run()
        let row = try database.statement("INSERT INTO draftAttachments VALUES(?, ?, ?, ?, ?, ?, ?)")
        row.bind(1, id)
        row.bind(2, draft)
        row.bind(3, file.filename)
        row.bind(4, file.contentType)
        row.bind(5, file.content.count)
        row.bind(6, now())
        row.bind(7, draft + "/" + id)
        try row.run()
        return id
    }

    /// DELETE `/drafts/{draftId}/attachments/{id}`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func detach(_ id: String, fromDraft draft: String, _ caller: Caller) throws -> ServerAnswer {
        _ = try checkedDraft(draft, caller)
        let object = try text("SELECT objectKey FROM draftAttachments WHERE id = ? AND draftId = ?", id, draft)
        guard let object else { throw Refusal.attachmentNotFound }
        try run("DELETE FROM objects WHERE key = ?", object)
        try run("DELETE FROM draftAttachments WHERE id = ?", id)
        return ServerAnswer(status: 204, contentType: nil)
    }
}
