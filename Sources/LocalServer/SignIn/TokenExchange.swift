internal import SQLite

/// An access token with the one that renews it, when there is one.
struct TokenPair: Sendable {
    let access: String
    let refresh: String?
    let scopes: [String]
    /// When the access token ends, in seconds since 1970.
    let end: Int64
}

/// Giving out, renewing and taking back tokens (contract §2.3 to §2.6).
extension Store {
    /// The answer of the token endpoint.
    ///
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func token(_ request: ServerRequest) throws -> ServerAnswer {
        let type = request.contentType ?? ""
        guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
            return .libraryRefusal(
                415, "UNSUPPORTED_MEDIA_TYPE",
                "Content-Type \"\(type)\" is not allowed. Allowed types: application/x-www-form-urlencoded")
        }
        let form = try FormFields(request)
        guard request.authorization == nil else {
            throw SignInRefusal("invalid_client", "client authentication is not supported here", status: 401)
        }
        guard let grant = form["grant_type"] else {
            throw SignInRefusal("invalid_request", "grant_type is required", hasPragma: false)
        }
        if form.all("client_id").count > 1 { throw SignInRefusal("invalid_request", "client_id is repeated") }
        switch grant {
        case SignInNames.deviceGrant: return try pollDevice(form)
        case "authorization_code": return try exchange(form)
        case "refresh_token": return try refresh(form)
        default: throw SignInRefusal("unsupported_grant_type", "unsupported grant_type \(grant)")
        }
    }

    private func exchange(_ form: FormFields) throws -> ServerAnswer {
        let code = form["code"] ?? ""
        let found = try rows(
            """
            SELECT clientId, userId, session, scopes, resources, redirect, challenge, expiresAt, isUsed
            FROM loginCodes WHERE code = ?
            """, [code]
        ) { row in
            let grant = SignInGrant(
                client: row.text(0), user: row.text(1), session: row.text(2), scopes: Store.words(row.text(3)),
                resources: Store.words(row.text(4)), code: code)
            return (grant, redirect: row.text(5), challenge: row.text(6), expiresAt: row.int(7), isUsed: row.bool(8))
        }.first
        guard let found, found.0.client == form["client_id"], !found.isUsed, instant < found.expiresAt,
            found.redirect == form["redirect_uri"]
        else {
            if found?.isUsed == true {
                try run("DELETE FROM accessTokens WHERE code = ?", code)
                try run("DELETE FROM refreshTokens WHERE code = ?", code)
            }
            throw SignInRefusal("invalid_grant", "invalid code")
        }
        try run("UPDATE loginCodes SET isUsed = 1 WHERE code = ?", code)
        guard SignInSecret.digest(form["code_verifier"] ?? "") == found.challenge else {
            throw SignInRefusal("invalid_request", "code verification failed", status: 401)
        }
        guard form.all("resource").allSatisfy(found.0.resources.contains) else {
            throw SignInRefusal("invalid_target", "requested resource was not authorized")
        }
        return answer(try issue(found.0))
    }

    /// Makes and stores a pair of tokens, the second one only for a program that may refresh.
    func issue(_ grant: SignInGrant) throws -> TokenPair {
        let mayRefresh =
            try grant.scopes.contains("offline_access") && client(grant.client)?.mayUse("refresh_token") == true
        let refresh = mayRefresh ? SignInNames.refreshPrefix + SignInSecret.random(32) : nil
        let access = SignInNames.accessPrefix + SignInSecret.random(32)
        let values: [String?] = [
            grant.client, grant.user, grant.session, grant.scopes.joined(separator: " "),
            grant.resources.joined(separator: " "), grant.code,
        ]
        let ends = (instant + lifetimes.access * 1_000, instant + lifetimes.refresh * 1_000)
        try run(
            "INSERT INTO accessTokens VALUES(?, ?, ?, ?, ?, ?, ?, CAST(? AS INTEGER), ?)",
            all: [access] + values + ["\(ends.0)", refresh])
        if let refresh {
            try run(
                """
                INSERT INTO refreshTokens(token, clientId, userId, session, scopes, resources, code, expiresAt)
                VALUES(?, ?, ?, ?, ?, ?, ?, CAST(? AS INTEGER))
                """, all: [refresh] + values + ["\(ends.1)"])
        }
        return TokenPair(
            access: access, refresh: refresh, scopes: grant.scopes, end: instant / 1_000 + lifetimes.access)
    }

    /// The answer that hands tokens out.
    func answer(_ pair: TokenPair) -> ServerAnswer {
        var members: [(String, SignInValue)] = [
            ("access_token", .text(pair.access)), ("expires_in", .number(max(0, pair.end - instant / 1_000))),
            ("expires_at", .number(pair.end)), ("token_type", .text("Bearer")),
        ]
        if let refresh = pair.refresh { members.append(("refresh_token", .text(refresh))) }
        return .signIn(members + [("scope", .text(pair.scopes.joined(separator: " ")))])
    }

    /// Rotates a token; one that was rotated just now gives the same pair once more (contract §2.5).
    private func refresh(_ form: FormFields) throws -> ServerAnswer {
        guard let token = form["refresh_token"], token.hasPrefix(SignInNames.refreshPrefix) else {
            throw SignInRefusal("invalid_token", "the refresh token is malformed")
        }
        guard let found = try refreshToken(token) else {
            throw SignInRefusal("invalid_grant", "session not found")
        }
        guard found.grant.client == form["client_id"] else { throw SignInRefusal.invalidRefreshToken }
        if found.isRevoked || found.rotatedAt != nil {
            if let answer = try replay(found, form) { return answer }
            try endFamily(found.grant)
            throw SignInRefusal.invalidRefreshToken
        }
        guard instant < found.expiresAt else { throw SignInRefusal("invalid_grant", "refresh token expired") }
        var grant = found.grant
        guard form.all("resource").allSatisfy({ $0 == mailResource }) else {
            throw SignInRefusal("invalid_target", "requested resource is not configured")
        }
        if form["scope"] != nil {
            guard form.words("scope").allSatisfy(grant.scopes.contains) else {
                throw SignInRefusal("invalid_scope", "the scope is wider than what was granted")
            }
            grant.scopes = form.words("scope")
        }
        let next = try issue(grant)
        try run(
            """
            UPDATE refreshTokens SET rotatedAt = CAST(? AS INTEGER), nextAccess = ?, nextRefresh = ? WHERE token = ?
            """, "\(instant)", next.access, next.refresh, token)
        return answer(next)
    }

    private struct RefreshToken {
        let grant: SignInGrant
        let expiresAt: Int64
        let isRevoked: Bool
        let rotatedAt: Int64?
        let next: (access: String?, refresh: String?)
    }

    private func refreshToken(_ token: String) throws(SQLiteError) -> RefreshToken? {
        try rows(
            """
            SELECT clientId, userId, session, scopes, resources, code, expiresAt, isRevoked,
                CAST(rotatedAt AS TEXT), nextAccess, nextRefresh
            FROM refreshTokens WHERE token = ?
            """, [token]
        ) { row in
            RefreshToken(
                grant: SignInGrant(
                    client: row.text(0), user: row.text(1), session: row.text(2), scopes: Store.words(row.text(3)),
                    resources: Store.words(row.text(4)), code: row.optionalText(5)),
                expiresAt: row.int(6), isRevoked: row.bool(7), rotatedAt: row.optionalText(8).flatMap { Int64($0) },
                next: (row.optionalText(9), row.optionalText(10)))
        }.first
    }

    /// The pair that a rotated token was exchanged for, within the grace and for the same scopes; `nil` otherwise.
    private func replay(_ found: RefreshToken, _ form: FormFields) throws -> ServerAnswer? {
        guard tier == .main, !found.isRevoked, let rotatedAt = found.rotatedAt,
            instant < rotatedAt + lifetimes.grace * 1_000, let access = found.next.access
        else { return nil }
        let stored = try rows("SELECT scopes, expiresAt FROM accessTokens WHERE token = ?", [access]) {
            (scopes: Store.words($0.text(0)), expiresAt: $0.int(1))
        }.first
        let wanted = form["scope"] == nil ? found.grant.scopes : form.words("scope")
        guard let stored, stored.scopes == wanted else { return nil }
        return answer(
            TokenPair(
                access: access, refresh: found.next.refresh, scopes: stored.scopes, end: stored.expiresAt / 1_000))
    }

    /// Takes every token of a program from a person.
    private func endFamily(_ grant: SignInGrant) throws(SQLiteError) {
        for table in ["refreshTokens", "accessTokens"] {
            try run("DELETE FROM \(table) WHERE clientId = ? AND userId = ?", grant.client, grant.user)
        }
    }

    /// Takes a token back (contract §2.6).
    ///
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func revoke(_ form: FormFields) throws -> ServerAnswer {
        guard let client = try client(form["client_id"]) else {
            throw SignInRefusal("invalid_client", "missing required credentials", status: 401)
        }
        let token = form["token"] ?? ""
        let unknown = SignInRefusal("invalid_request", "token not found", hasPragma: false)
        if token.hasPrefix(SignInNames.refreshPrefix) {
            guard let found = try refreshToken(token), found.grant.client == client.id else { throw unknown }
            if found.isRevoked || found.rotatedAt != nil {
                try endFamily(found.grant)
                throw unknown
            }
            try run("UPDATE refreshTokens SET isRevoked = 1 WHERE token = ?", token)
            try run("DELETE FROM accessTokens WHERE refreshToken = ?", token)
        } else {
            let owner = try text("SELECT clientId FROM accessTokens WHERE token = ?", token)
            guard owner == client.id else { throw unknown }
            try run("DELETE FROM accessTokens WHERE token = ?", token)
        }
        return ServerAnswer()
    }
}
