internal import SQLite

/// A route that changes something, with its ids.
enum WriteRoute: Sendable {
    case messageAction(MessageAction, id: String)
    case trust(message: String)
    case conversationAction(MessageAction, id: String)
    case createDraft
    case saveDraft(String)
    case deleteDraft(String)
    case attach(draft: String)
    case detach(draft: String, attachment: String)
    case send(SendKind)

    /// The route of a method and a path; `nil` when there is none, which the contract answers with 404.
    init?(method: String, path: String) {
        let prefix = "/api/v1/"
        guard path.hasPrefix(prefix) else { return nil }
        let parts = path.dropFirst(prefix.utf8.count).split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard !parts.contains("") else { return nil }
        switch (method, parts.count, parts[0]) {
        case ("POST", 1, "drafts"): self = .createDraft
        case ("POST", 1, let name):
            guard let kind = SendKind(rawValue: name) else { return nil }
            self = .send(kind)
        case ("PATCH", 2, "drafts"): self = .saveDraft(parts[1])
        case ("DELETE", 2, "drafts"): self = .deleteDraft(parts[1])
        case ("POST", 3, "drafts") where parts[2] == "attachments": self = .attach(draft: parts[1])
        case ("POST", 3, "messages"):
            guard let action = MessageAction(rawValue: parts[2]) else { return nil }
            self = .messageAction(action, id: parts[1])
        case ("POST", 3, "conversations"):
            guard let action = MessageAction(rawValue: parts[2]) else { return nil }
            self = .conversationAction(action, id: parts[1])
        case ("POST", 4, "messages") where parts[2] == "remote-media" && parts[3] == "trust":
            self = .trust(message: parts[1])
        case ("DELETE", 4, "drafts") where parts[2] == "attachments":
            self = .detach(draft: parts[1], attachment: parts[3])
        default: return nil
        }
    }

    var scope: Scopes {
        switch self {
        case .messageAction, .trust, .conversationAction: return .write
        default: return .send
        }
    }

    /// The answer to a request that may change something.
    ///
    /// - Throws: `Refusal` or `SQLiteError`; then nothing is changed.
    static func answer(_ request: ServerRequest, _ service: Service) throws -> ServerAnswer {
        guard let route = WriteRoute(method: request.method, path: request.path) else { throw Refusal.notFound }
        return try service.withStore { store in
            let caller = try store.caller(request, needs: route.scope)
            if request.isBodyTooLong { throw Refusal.attachmentsTooLarge }
            if case .send(let kind) = route { try store.countSend(kind, caller) }
            let answer = try store.database.transaction { try store.answer(route, request, caller) }
            service.noteWrite(request, status: answer.status)
            return answer
        }
    }
}

extension Store {
    /// The answer to a permitted request, inside a transaction.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func answer(_ route: WriteRoute, _ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        switch route {
        case .messageAction(let action, let id): return try act(action, onMessage: id, caller)
        case .trust(let message): return try trustSender(ofMessage: message, caller)
        case .conversationAction(let action, let id):
            return try act(action, onConversation: id, request.body, caller)
        case .createDraft: return try createDraft(request.body, caller)
        case .saveDraft(let id): return try saveDraft(id, request.body, caller)
        case .deleteDraft(let id): return try deleteDraft(id, caller)
        case .attach(let draft): return try attach(request, toDraft: draft, caller)
        case .detach(let draft, let attachment): return try detach(attachment, fromDraft: draft, caller)
        case .send(let kind): return try send(kind, request.body, caller)
        }
    }
}
