internal import Platform
internal import SQLite

/// A route of the API with its ids.
enum Route: Sendable {
    case mailboxes, messages, conversations, changes, drafts, draftChanges
    case message(String)
    case thread(String)
    case html(String)
    case inline(message: String, attachment: String)
    case attachment(String)
    case draft(String)

    /// The route of a GET or HEAD; `nil` when there is none.
    ///
    /// Matching is strict.
    init?(path: String) {
        let prefix = "/api/v1/"
        guard path.hasPrefix(prefix) else { return nil }
        let parts = path.dropFirst(prefix.utf8.count).split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        guard !parts.contains("") else { return nil }
        switch (parts.count, parts[0]) {
        case (1, "mailboxes"): self = .mailboxes
        case (1, "messages"): self = .messages
        case (1, "conversations"): self = .conversations
        case (1, "changes"): self = .changes
        case (1, "drafts"): self = .drafts
        case (2, "drafts"): self = parts[1] == "changes" ? .draftChanges : .draft(parts[1])
        case (2, "messages"): self = .message(parts[1])
        case (2, "attachments"): self = .attachment(parts[1])
        case (3, "messages") where parts[2] == "thread": self = .thread(parts[1])
        case (3, "messages") where parts[2] == "html": self = .html(parts[1])
        case (4, "messages") where parts[2] == "inline": self = .inline(message: parts[1], attachment: parts[3])
        default: return nil
        }
    }

    var scope: Scopes {
        switch self {
        case .drafts, .draftChanges, .draft: return .send
        default: return .read
        }
    }
}

/// Answers requests of the API.
enum Router {
    /// The answer with the headers that every answer carries.
    static func answer(_ request: ServerRequest, _ service: Service) -> ServerAnswer {
        service.count(request)
        if let answer = Discovery.answer(request, service.tier, hasEvents: service.events != nil) { return answer }
        var answer: ServerAnswer
        do {
            answer = try SignInRouter.answer(request, service) ?? route(request, service)
        } catch let refusal as Refusal {
            answer = .failure(refusal)
        } catch {
            answer = .failure(.internalError)
        }
        answer.headers.append(QueryItem(name: "x-content-type-options", value: "nosniff"))
        answer.headers.append(QueryItem(name: "referrer-policy", value: "no-referrer"))
        answer.headers.append(QueryItem(name: "cache-control", value: "no-store"))
        answer.headers.append(QueryItem(name: "x-request-id", value: requestID(request)))
        return answer
    }

    private static func isRead(_ request: ServerRequest) -> Bool {
        request.method == "GET" || request.method == "HEAD"
    }

    private static func route(_ request: ServerRequest, _ service: Service) throws -> ServerAnswer {
        if isUnversioned(request.path) { throw Refusal.signInRequired }
        guard isRead(request) else { return try WriteRoute.answer(request, service) }
        if request.path == "/api/health" { return OpenAPI.health() }
        if request.path == EventRoute.path, let hub = service.events {
            return try EventRoute.answer(request, service, hub)
        }
        guard let route = Route(path: request.path) else { throw Refusal.notFound }
        return try service.withStore { store in
            let caller = try store.caller(request, needs: route.scope)
            return try store.answer(route, request, caller)
        }
    }

    /// Whether a path is one of the web app's own, which take no bearer.
    private static func isUnversioned(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).prefix(3).map(String.init)
        return parts.count == 3 && parts[1] == "api" && unversioned.contains(parts[2])
    }

    private static let unversioned: Set<String> = [
        "attachments", "changes", "conversations", "drafts", "forward", "mailboxes", "messages", "reply", "send",
    ]

    private static func requestID(_ request: ServerRequest) -> String {
        if let id = request.requestID, (8...100).contains(id.utf8.count),
            id.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F || byte == 0x2D
            })
        {
            return id
        }
        return Environment.uuid()
    }
}

extension Store {
    /// The answer to a permitted request.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func answer(_ route: Route, _ request: ServerRequest, _ caller: Caller) throws -> ServerAnswer {
        switch route {
        case .mailboxes: return try mailboxes(caller)
        case .messages: return try messages(request, caller)
        case .message(let id): return try message(id, caller)
        case .thread(let id): return try thread(id, caller)
        case .html(let id): return try html(id, request, caller)
        case .inline(let message, let attachment): return try inline(message, attachment, caller)
        case .attachment(let id): return try attachment(id, caller)
        case .conversations: return try conversations(request, caller)
        case .changes: return try changes(request, caller)
        case .drafts: return try drafts(request, caller)
        case .draft(let id): return try draft(id, caller)
        case .draftChanges:
            // The older release takes the word for a draft's id.
            guard tier == .main else { return try draft("changes", caller) }
            return try draftChanges(request, caller)
        }
    }

    /// The `limit` of a request, 100 when absent.
    ///
    /// - Throws: `Refusal.invalidLimit`.
    static func limit(_ request: ServerRequest) throws(Refusal) -> Int {
        guard let text = request.parameter("limit") else { return 100 }
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isPlain, let limit = Int(text), (1...100).contains(limit) else { throw .invalidLimit }
        return limit
    }
}
