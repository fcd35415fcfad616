internal import JSON
internal import MIME
internal import SQLite

/// Answers the verbs for tests.
enum ControlRouter {
    /// The answer to a verb.
    static func answer(_ request: ServerRequest, _ service: Service) -> ServerAnswer {
        if request.isBodyTooLong { return .failure(.attachmentsTooLarge) }
        if request.path == "/log" { return log(service) }
        if request.path == "/writes" { return writes(service) }
        if request.path == "/struck" { return .json(ok([], count: service.faults.struck)) }
        if request.path == "/fault" { return FaultControl.answer(request, service) }
        do {
            if let answer = try EventControl.answer(request, service) { return answer }
            let text = try service.withStore { store in
                let text = try store.database.transaction { try perform(request, store) }
                service.note(store.clock)
                return text
            }
            return .json(text)
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch is JSONError {
            return .failure(.validation("The body is not the expected JSON."))
        } catch {
            return .failure(.internalError)
        }
    }

    private static func log(_ service: Service) -> ServerAnswer {
        var text = JSONText()
        text.raw("{\"ok\":true,\"requests\":{")
        for (index, entry) in service.requestCounts.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text.raw(",") }
            text.string(entry.key)
            text.raw(":\(entry.value)")
        }
        text.raw("}}")
        return .json(text)
    }

    private static func writes(_ service: Service) -> ServerAnswer {
        var text = JSONText()
        text.raw("{\"ok\":true,\"writes\":[")
        for (index, entry) in service.writeLog.enumerated() {
            text.raw(index > 0 ? ",{\"path\":" : "{\"path\":")
            text.string(entry.path)
            text.raw(",\"requestId\":")
            text.string(entry.requestID)
            text.raw(",\"status\":\(entry.status)}")
        }
        text.raw("]}")
        return .json(text)
    }

    private static func perform(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        switch request.path {
        case "/deliver": return try deliver(request, store)
        case "/touch":
            let id = try existing(request, store)
            guard try store.act(required(request, "action"), on: id) else {
                throw Refusal.validation("Unknown action.")
            }
            return ok([id])
        case "/order":
            store.ordersAsText = try required(request, "as") == "text"
            return ok([])
        case "/delete":
            let id = try existing(request, store)
            try store.deleteMessage(id)
            return ok([id])
        case "/access":
            let isDone = try store.grant(
                required(request, "user"), required(request, "mailbox"), required(request, "level"))
            guard isDone else { throw Refusal.validation("Unknown user, mailbox or level.") }
            return ok([])
        case "/delete-mailbox":
            try store.deleteMailbox(required(request, "address"))
            return ok([])
        case "/draft": return ok([try DraftControl.save(request.body, store)])
        case "/storm":
            var storm = Storm(seed: UInt64(request.parameter("seed") ?? "") ?? 1)
            return ok(try storm.run(count(request), store))
        default:
            if let ids = try ControlVerbs.perform(request, store) { return ok(ids) }
            guard let text = try SettingVerbs.perform(request, store) ?? SignInVerbs.perform(request, store) else {
                throw Refusal.notFound
            }
            return text
        }
    }

    private static func deliver(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        let address = try required(request, "to")
        guard request.parameter("count") == nil else {
            var storm = Storm(seed: UInt64(request.parameter("seed") ?? "") ?? 1)
            return ok(try storm.deliver(count(request), to: address, store))
        }
        guard let mail = MIMEParser.parse(request.body) else { throw Refusal.validation("Nested too deep.") }
        return ok(try store.deliver(mail, to: address).map { [$0] } ?? [])
    }

    private static func count(_ request: ServerRequest) -> Int {
        min(max(Int(request.parameter("count") ?? "") ?? 1, 0), 1_000_000)
    }

    private static func existing(_ request: ServerRequest, _ store: Store) throws -> String {
        let id = try required(request, "id")
        guard try store.text("SELECT id FROM messages WHERE id = ?", id) != nil else { throw Refusal.messageNotFound }
        return id
    }

    /// A parameter that must be there.
    ///
    /// - Throws: `Refusal`.
    static func required(_ request: ServerRequest, _ name: String) throws(Refusal) -> String {
        guard let value = request.parameter(name) else { throw .validation("\(name) is missing.") }
        return value
    }

    /// The answer of a verb, with the ids it touched.
    static func ok(_ ids: [String], count: Int? = nil) -> JSONText {
        var text = JSONText()
        text.raw("{\"ok\":true,\"count\":\(count ?? ids.count),\"ids\":")
        text.strings(Array(ids.prefix(1_000)))
        text.raw("}")
        return text
    }
}

/// The verb that writes drafts.
enum DraftControl {
    /// Creates a draft, or changes the one whose id is given; answers its id.
    ///
    /// - Throws: `JSONError` or `SQLiteError`.
    static func save(_ body: [UInt8], _ store: Store) throws -> String {
        var draft = StoredDraft()
        var user = "owner"
        var mailbox: String?
        var reader = JSONReader(body)
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "id": draft.id = try reader.string()
            case "user": user = try reader.string()
            case "mailbox": mailbox = try reader.optionalString()
            case "mailboxId": draft.mailbox = try reader.optionalString()
            case "replyToMessageId": draft.replyTo = try reader.optionalString()
            case "forwardOfMessageId": draft.forwardOf = try reader.optionalString()
            case "from": draft.from = try reader.string()
            case "to": draft.toJSON = JSONText.array(try reader.strings())
            case "cc": draft.ccJSON = JSONText.array(try reader.strings())
            case "bcc": draft.bccJSON = JSONText.array(try reader.strings())
            case "subject": draft.subject = try reader.string()
            case "text": draft.text = try reader.string()
            case "html": draft.html = try reader.string()
            case "updatedAt": draft.updatedAt = try reader.string()
            default: try reader.skip()
            }
        }
        if let mailbox { draft.mailbox = try store.mailbox(havingAddress: mailbox) }
        if draft.id.isEmpty { draft.id = Store.id("drf") }
        if draft.updatedAt.isEmpty { draft.updatedAt = store.now() }
        try store.save(draft, user: "usr_local_" + user)
        return draft.id
    }
}
