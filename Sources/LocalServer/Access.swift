internal import SQLite

/// What a token permits.
struct Scopes: OptionSet, Sendable {
    let rawValue: Int
    static let read = Scopes(rawValue: 1)
    static let write = Scopes(rawValue: 2)
    static let send = Scopes(rawValue: 4)
    static let all: Scopes = [.read, .write, .send]

    /// The scope's name on the wire, for a set of one.
    var name: String { self == .write ? "mail:write" : self == .send ? "mail:send" : "mail:read" }
}

/// The levels of a grant, lowest first.
enum Level: Int, Comparable, Sendable {
    case read, agent, manager

    init?(_ name: String) {
        switch name {
        case "read": self = .read
        case "agent": self = .agent
        case "manager": self = .manager
        default: return nil
        }
    }

    var name: String { ["read", "agent", "manager"][rawValue] }

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}

/// Who asks, with the grants as they are at this request.
struct Caller: Sendable {
    let user: String
    let role: String
    let grants: [String: Level]

    var isOwner: Bool { role == "owner" }

    /// The mailboxes whose mail the caller may read, sorted; meaningless for an owner, who reads all.
    var readable: [String] { grants.keys.sorted() }

    /// Whether no mail at all can be read.
    var readsNothing: Bool { !isOwner && grants.isEmpty }

    /// The level on a mailbox; `nil` for none.
    func level(_ mailbox: String) -> Level? { isOwner ? .manager : grants[mailbox] }

    /// The caller with only the grants of at least a level.
    func having(_ needed: Level) -> Caller {
        Caller(user: user, role: role, grants: grants.filter { $0.value >= needed })
    }

    /// The condition that admits readable rows of a table with `mailboxId` and `isUnassigned`.
    func condition(_ table: String) -> String {
        if isOwner { return "(\(table).mailboxId IS NOT NULL OR \(table).isUnassigned = 1)" }
        let marks = repeatElement("?", count: grants.count).joined(separator: ",")
        return "\(table).mailboxId IN (\(marks))"
    }

    /// Binds the parameters of `condition`; answers the next free index.
    func bind(_ statement: Statement, from index: Int32) -> Int32 {
        if isOwner { return index }
        var index = index
        for mailbox in readable {
            statement.bind(index, mailbox)
            index += 1
        }
        return index
    }
}

extension Store {
    /// The caller behind a request, who has the scope.
    ///
    /// - Throws: `Refusal` with its challenge, or `SQLiteError`.
    func caller(_ request: ServerRequest, needs scope: Scopes) throws -> Caller {
        let metadata = "\(request.origin)/.well-known/oauth-protected-resource/api/v1"
        let challenge = "Bearer resource_metadata=\"\(metadata)\", scope=\"\(scope.name)\""
        guard let authorization = request.authorization else {
            if let session = try session(of: request) { return try caller(session.user) }
            throw Refusal(
                status: 401, code: "UNAUTHENTICATED", message: "A session cookie or bearer token is required.",
                challenge: challenge)
        }
        guard let token = Store.bearer(authorization), request.origin == origin,
            let (caller, scopes) = try owner(of: token)
        else {
            throw Refusal(
                status: 401, code: "INVALID_OAUTH_TOKEN", message: "Bearer token is invalid or inactive.",
                challenge: challenge + ", error=\"invalid_token\"")
        }
        guard scopes.contains(scope) else {
            throw Refusal(
                status: 403, code: "INSUFFICIENT_SCOPE", message: "The \(scope.name) permission is required.",
                challenge: challenge + ", error=\"insufficient_scope\"")
        }
        return caller
    }

    private static func bearer(_ authorization: String) -> String? {
        let words = authorization.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer", words[1].hasPrefix("hqb_access_") else { return nil }
        return String(words[1])
    }

    private func caller(_ user: String) throws(SQLiteError) -> Caller {
        let role = try text("SELECT role FROM users WHERE id = ?", user) ?? "member"
        return Caller(user: user, role: role, grants: try grants(of: user))
    }

    private func owner(of token: String) throws(SQLiteError) -> (Caller, Scopes)? {
        if let found = try scopes(ofBearer: token) { return (try caller(found.user), found.scopes) }
        let statement = try database.statement(
            """
            SELECT u.id, u.role, t.scopes FROM tokens t JOIN users u ON u.id = t.userId
            WHERE t.token = ? AND NOT EXISTS (SELECT 1 FROM suspensions s WHERE s.userId = u.id)
            """)
        defer { statement.reset() }
        statement.bind(1, token)
        guard try statement.step() else { return nil }
        let user = statement.text(0)
        let caller = Caller(user: user, role: statement.text(1), grants: try grants(of: user))
        return (caller, Scopes(rawValue: Int(statement.int(2))))
    }

    private func grants(of user: String) throws(SQLiteError) -> [String: Level] {
        let statement = try database.statement("SELECT mailboxId, level FROM grants WHERE userId = ?")
        defer { statement.reset() }
        statement.bind(1, user)
        var grants: [String: Level] = [:]
        while try statement.step() { grants[statement.text(0)] = Level(statement.text(1)) }
        return grants
    }

    /// Checks access to one message, in the contract's order: absent, unassigned, orphaned, grant.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    func checkMessage(_ id: String, _ caller: Caller, _ needed: Level) throws {
        let statement = try database.statement("SELECT mailboxId, isUnassigned FROM messages WHERE id = ?")
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step() else { throw Refusal.messageNotFound }
        if statement.bool(1) {
            guard caller.isOwner else { throw Refusal.messageForbidden }
            return
        }
        guard let mailbox = statement.optionalText(0) else { throw Refusal.messageNotFound }
        guard let level = caller.level(mailbox), level >= needed else { throw Refusal.mailboxForbidden }
    }
}
