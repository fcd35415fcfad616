internal import SQLite

/// How long things of signing in live, in seconds; tests shorten them.
struct SignInLifetimes: Sendable {
    var access: Int64 = 3_600
    var refresh: Int64 = 2_592_000
    /// How long the token before the last may still be exchanged for the same pair.
    var grace: Int64 = 30
    var device: Int64 = 900
    var code: Int64 = 600
    var session: Int64 = 604_800
    /// The least time between two polls of a device.
    var interval: Int64 = 5
}

/// What a code or a token stands for.
struct SignInGrant: Sendable {
    var client: String
    var user: String
    /// The browser's session that approved it.
    var session: String
    var scopes: [String]
    var resources: [String]
    /// The code that the tokens came from, by which they die when it is used again.
    var code: String?
}

/// A program that registered itself.
struct SignInClient: Sendable {
    let id: String
    let secret: String?
    let grants: [String]
    let redirects: [String]

    /// Whether it may use a grant; that of codes brings the one of refreshing with it.
    func mayUse(_ grant: String) -> Bool {
        grants.contains(grant) || (grant == "refresh_token" && grants.contains("authorization_code"))
    }
}

enum SignInNames {
    static let scopes = ["mail:read", "mail:write", "mail:send", "offline_access"]
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
    static let accessPrefix = "hqb_access_"
    static let refreshPrefix = "hqb_refresh_"
    static let cookie = "better-auth.session_token"
}

extension Store {
    /// The one resource whose tokens the API takes.
    var mailResource: String { origin + "/api/v1" }
    var issuer: String { origin + "/api/auth" }

    /// Milliseconds since 1970 by the server's clock.
    var instant: Int64 { clock.milliseconds }

    /// The rows of a statement with text and number parameters, each read by `read`.
    ///
    /// - Throws: `SQLiteError`.
    func rows<Row>(
        _ sql: String, _ parameters: [String?], _ read: (Statement) -> Row
    ) throws(SQLiteError) -> [Row] {
        let statement = try database.statement(sql)
        defer { statement.reset() }
        for (index, parameter) in parameters.enumerated() { statement.bind(Int32(index) + 1, parameter) }
        var rows: [Row] = []
        while try statement.step() { rows.append(read(statement)) }
        return rows
    }

    func client(_ id: String?) throws(SQLiteError) -> SignInClient? {
        guard let id else { return nil }
        return try rows("SELECT secret, grants, redirects FROM clients WHERE id = ?", [id]) { row in
            SignInClient(
                id: id, secret: row.optionalText(0), grants: Store.words(row.text(1)),
                redirects: Store.words(row.text(2)))
        }.first
    }

    static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// The user of a browser's session that is not over; `nil` for none.
    func user(ofSession token: String) throws(SQLiteError) -> String? {
        try text(
            "SELECT userId FROM sessions WHERE token = ? AND expiresAt > CAST(? AS INTEGER)", token, "\(instant)")
    }

    /// The session in a request's cookie, with its user; `nil` when there is none or it is over.
    func session(of request: ServerRequest) throws(SQLiteError) -> (token: String, user: String)? {
        guard let cookie = request.cookie else { return nil }
        for part in cookie.split(separator: ";") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == SignInNames.cookie else { continue }
            // What follows the dot is the real server's signature.
            let token = String(pair[1].prefix { $0 != "." })
            if let user = try user(ofSession: token) { return (token, user) }
        }
        return nil
    }

    /// Opens a browser's session.
    func openSession(_ user: String, token: String = SignInSecret.random(32)) throws(SQLiteError) -> String {
        try run(
            "INSERT OR REPLACE INTO sessions VALUES(?, ?, CAST(? AS INTEGER))", token, user,
            "\(instant + lifetimes.session * 1_000)")
        return token
    }

    /// What a bearer from a sign-in permits now; `nil` when it is not valid (contract §2.7).
    func scopes(ofBearer token: String) throws(SQLiteError) -> (user: String, scopes: Scopes)? {
        let found = try rows(
            """
            SELECT a.userId, a.scopes, a.resources, c.scopes, c.resources FROM accessTokens a
            JOIN consents c ON c.clientId = a.clientId AND c.userId = a.userId
            JOIN clients l ON l.id = a.clientId
            JOIN sessions s ON s.token = a.session AND s.expiresAt > CAST(?2 AS INTEGER)
            WHERE a.token = ?1 AND a.expiresAt > CAST(?2 AS INTEGER)
                AND NOT EXISTS (SELECT 1 FROM suspensions x WHERE x.userId = a.userId)
            """, [token, "\(instant)"]
        ) { row in (0..<5).map { row.text(Int32($0)) } }
        guard let row = found.first, row[2] == mailResource, Store.words(row[4]).contains(mailResource) else {
            return nil
        }
        let granted = Set(Store.words(row[1])).intersection(Store.words(row[3]))
        let known: [(String, Scopes)] = [("mail:read", .read), ("mail:write", .write), ("mail:send", .send)]
        return (row[0], known.reduce(into: Scopes()) { if granted.contains($1.0) { $0.insert($1.1) } })
    }
}
