internal import SQLite

extension Store {
    /// The mark in a stored HTML answer that stands for the origin of the request that asks.
    static let originMark = "http://origin.herald.invalid"

    private static let inlineTypes: Set<String> = [
        "image/avif", "image/gif", "image/jpeg", "image/png", "image/webp",
    ]

    /// GET `/messages/{id}/html`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func html(_ id: String, _ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        try checkMessage(id, caller, .read)
        let statement = try database.statement(
            """
            SELECT m.htmlAvailable, m.direction, b.htmlSource, b.htmlAnswer, b.htmlRemoteAnswer, m.fromAddress, m.subject
            FROM messages m JOIN bodies b ON b.messageId = m.id WHERE m.id = ?
            """)
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step(), statement.bool(0) else { throw Refusal.htmlNotFound }
        let isTrusted = try statement.text(1) == "outbound" || trusts(statement.text(5), caller)
        let isRemoteWanted = isTrusted || request.parameter("loadRemoteImages") == "1"
        if let stored = (isRemoteWanted ? statement.optionalText(4) : nil) ?? statement.optionalText(3) {
            return ServerAnswer(body: Store.placed(stored, request.origin, isTrusted: isTrusted))
        }
        guard let source = statement.optionalText(2) else { throw Refusal.htmlObjectNotFound }
        let subject = statement.text(6)
        var images = SanitizedImages(message: id, origin: request.origin, loadsRemote: isRemoteWanted)
        images.attachments = try inlineAttachments(of: id)
        return .json(HTMLAnswer.text(source, images, isTrusted: isTrusted, subject: tier == .main ? nil : subject))
    }

    /// A stored answer for a caller: the origin of the request, and whether the sender is trusted.
    private static func placed(_ stored: String, _ origin: String, isTrusted: Bool) -> [UInt8] {
        let answer = ByteSearch.replacing(originMark, with: origin, in: Array(stored.utf8))
        guard isTrusted else { return answer }
        let flag = "\"remoteMediaTrusted\":"
        return ByteSearch.replacing(flag + "false", with: flag + "true", in: answer)
    }

    private func inlineAttachments(of message: String) throws(SQLiteError) -> [String: String] {
        let statement = try database.statement(
            "SELECT contentId, id FROM attachments WHERE messageId = ? AND contentId IS NOT NULL")
        defer { statement.reset() }
        statement.bind(1, message)
        var found: [String: String] = [:]
        while try statement.step() { found[SanitizedImages.key(statement.text(0))] = statement.text(1) }
        return found
    }

    /// GET `/messages/{id}/inline/{attachmentId}`: access is judged on the attachment first.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func inline(_ message: String, _ attachment: String, _ caller: Caller) throws -> ServerAnswer {
        let found = try readAttachment(attachment, caller)
        guard found.message == message else { throw Refusal.attachmentNotFound }
        let type = found.contentType.split(separator: ";").first.map(String.init)?.lowercased() ?? ""
        guard Store.inlineTypes.contains(type) else { throw Refusal.inlineUnsupported }
        guard let content = found.content else { throw Refusal.objectNotFound }
        var answer = ServerAnswer(contentType: type, body: content)
        answer.headers = [
            QueryItem(name: "content-disposition", value: "inline"),
            QueryItem(name: "content-security-policy", value: "sandbox; default-src 'none'"),
        ]
        return answer
    }

    /// GET `/attachments/{id}`.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func attachment(_ id: String, _ caller: Caller) throws -> ServerAnswer {
        let found = try readAttachment(id, caller)
        guard let content = found.content else { throw Refusal.objectNotFound }
        var answer = ServerAnswer(contentType: Store.headerSafe(found.contentType), body: content)
        let name = Store.headerSafe(found.filename)
        answer.headers = [QueryItem(name: "content-disposition", value: "attachment; filename=\"\(name)\"")]
        return answer
    }

    private struct StoredAttachment {
        let message: String
        let filename: String
        let contentType: String
        let content: [UInt8]?
    }

    private func readAttachment(_ id: String, _ caller: Caller) throws -> StoredAttachment {
        let statement = try database.statement(
            """
            SELECT a.messageId, a.filename, a.contentType, coalesce(a.content, o.content)
            FROM attachments a LEFT JOIN objects o ON o.key = a.objectKey WHERE a.id = ?
            """)
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step() else { throw Refusal.attachmentNotFound }
        let found = StoredAttachment(
            message: statement.text(0), filename: statement.text(1), contentType: statement.text(2),
            content: statement.isNull(3) ? nil : statement.bytes(3))
        try checkMessage(found.message, caller, .read)
        return found
    }

    private static func headerSafe(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}

/// Searching bytes.
enum ByteSearch {
    /// The bytes with every occurrence of a text replaced.
    static func replacing(_ needle: String, with text: String, in bytes: [UInt8]) -> [UInt8] {
        let needle = Array(needle.utf8)
        guard !needle.isEmpty, bytes.count >= needle.count else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == needle[0], starts(bytes, at: index, with: needle) {
                out.append(contentsOf: text.utf8)
                index += needle.count
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    /// Whether a sequence begins at an index.
    static func starts(_ bytes: [UInt8], at index: Int, with needle: [UInt8]) -> Bool {
        guard index + needle.count <= bytes.count else { return false }
        for place in needle.indices where bytes[index + place] != needle[place] { return false }
        return true
    }
}
