internal import SQLite

/// The device authorization grant (contract §2.4, RFC 8628).
extension Store {
    private struct DeviceCode {
        let code: String
        let client: String
        let scopes: [String]
        let resources: [String]
        let expiresAt: Int64
        let polledAt: Int64?
        let status: String
        let user: String?
        let session: String?

        init(_ row: Statement) {
            code = row.text(0)
            client = row.text(1)
            scopes = Store.words(row.text(2))
            resources = Store.words(row.text(3))
            expiresAt = row.int(4)
            polledAt = row.optionalText(5).flatMap { Int64($0) }
            status = row.text(6)
            user = row.optionalText(7)
            session = row.optionalText(8)
        }

        static let sql = """
            SELECT code, clientId, scopes, resources, expiresAt, CAST(polledAt AS TEXT), status, userId, session
            FROM deviceCodes WHERE
            """
    }

    /// A code for a program that has no browser.
    ///
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func deviceCode(_ form: FormFields) throws -> ServerAnswer {
        guard let id = form["client_id"], form.all("client_id").count == 1 else {
            throw SignInRefusal("invalid_request", "client_id is required")
        }
        guard let client = try client(id) else { throw SignInRefusal("invalid_client", "Invalid client ID") }
        guard client.mayUse(SignInNames.deviceGrant) else {
            throw SignInRefusal(
                "unauthorized_client", "client is not authorized to use grant type \(SignInNames.deviceGrant)")
        }
        if let scope = form.words("scope").first(where: { !SignInNames.scopes.contains($0) }) {
            throw SignInRefusal("invalid_scope", "client does not allow scope \(scope)")
        }
        let resources = form.all("resource")
        if let other = resources.first(where: { $0 != mailResource }) {
            throw SignInRefusal("invalid_target", "requested resource \(other) is not configured")
        }
        let code = SignInSecret.random(40, of: SignInSecret.alphanumerics)
        let userCode = SignInSecret.random(8, of: SignInSecret.legible)
        try run(
            """
            INSERT INTO deviceCodes(code, userCode, clientId, scopes, resources, expiresAt)
            VALUES(?, ?, ?, ?, ?, CAST(? AS INTEGER))
            """, code, userCode, id, form.words("scope").joined(separator: " "), resources.joined(separator: " "),
            "\(instant + lifetimes.device * 1_000)")
        return .signIn([
            ("device_code", .text(code)), ("user_code", .text(userCode)),
            ("verification_uri", .text(origin + "/device")),
            ("verification_uri_complete", .text(origin + "/device?user_code=" + userCode)),
            ("expires_in", .number(lifetimes.device)), ("interval", .number(lifetimes.interval)),
        ])
    }

    /// Tokens for a code that was approved.
    ///
    /// What a poll changes stays also when the poll is refused.
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func pollDevice(_ form: FormFields) throws -> ServerAnswer {
        guard let code = form["device_code"] else {
            throw SignInRefusal("invalid_request", "device_code is required")
        }
        guard let client = form["client_id"] else {
            throw SignInRefusal("invalid_request", "Missing required client_id")
        }
        guard let found = try rows(DeviceCode.sql + " code = ?", [code], DeviceCode.init).first else {
            throw SignInRefusal("invalid_grant", "Invalid device code")
        }
        guard found.client == client else { throw SignInRefusal("invalid_grant", "Client ID mismatch") }
        if let polledAt = found.polledAt, instant < polledAt + lifetimes.interval * 1_000 {
            throw SignInRefusal("slow_down", "Polling too frequently")
        }
        if instant >= found.expiresAt {
            try run("DELETE FROM deviceCodes WHERE code = ?", code)
            throw SignInRefusal("expired_token", "Device code has expired")
        }
        if found.status == "pending" {
            try run("UPDATE deviceCodes SET polledAt = CAST(? AS INTEGER) WHERE code = ?", "\(instant)", code)
            throw SignInRefusal("authorization_pending", "Authorization pending")
        }
        guard found.status == "approved", let user = found.user, let session = found.session,
            try self.user(ofSession: session) != nil
        else {
            try run("DELETE FROM deviceCodes WHERE code = ?", code)
            throw SignInRefusal("access_denied", "Access denied")
        }
        guard form.all("resource").allSatisfy(found.resources.contains) else {
            throw SignInRefusal("invalid_target", "Requested resource was not authorized by the user")
        }
        try run("DELETE FROM deviceCodes WHERE code = ?", code)
        let grant = SignInGrant(
            client: client, user: user, session: session, scopes: found.scopes, resources: found.resources)
        return answer(try issue(grant))
    }

    /// A code as a person typed it.
    static func plainUserCode(_ text: String) -> String { text.uppercased().filter { $0 != "-" && $0 != " " } }

    /// What the page shows of a code; the first who is signed in claims it.
    ///
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func deviceDetails(_ typed: String, viewer: String?) throws -> ServerAnswer {
        let plain = Store.plainUserCode(typed)
        guard let found = try rows(DeviceCode.sql + " userCode = ?", [plain], DeviceCode.init).first else {
            throw SignInRefusal("invalid_request", "Invalid user code", hasPragma: false)
        }
        var members: [(String, SignInValue)] = [("user_code", .text(typed)), ("status", .text(found.status))]
        if let viewer, found.user ?? viewer == viewer {
            try run("UPDATE deviceCodes SET userId = ? WHERE code = ? AND userId IS NULL", viewer, found.code)
            if !found.resources.isEmpty { members.append(("resource", .text(found.resources.joined(separator: " ")))) }
            members += [("client_id", .text(found.client)), ("scope", .text(found.scopes.joined(separator: " ")))]
        }
        return .signIn(members, hasPragma: false)
    }

    /// Approves or denies a code on behalf of who claimed it.
    ///
    /// An approval adds to what the person consented to before.
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func decideDevice(_ typed: String, approve: Bool, session: String, user: String) throws {
        let plain = Store.plainUserCode(typed)
        guard let found = try rows(DeviceCode.sql + " userCode = ?", [plain], DeviceCode.init).first else {
            throw SignInRefusal("invalid_request", "Invalid user code")
        }
        guard found.user == user else {
            throw SignInRefusal(
                "access_denied", "You are not authorized to approve this request.", status: 403)
        }
        guard found.status == "pending" else {
            throw SignInRefusal("invalid_request", "This device authorization was already processed.")
        }
        guard instant < found.expiresAt else { throw SignInRefusal("expired_token", "Device code has expired") }
        try run(
            "UPDATE deviceCodes SET status = ?, session = ? WHERE code = ?", approve ? "approved" : "denied", session,
            found.code)
        guard approve else { return }
        let before =
            try rows(
                "SELECT scopes, resources FROM consents WHERE clientId = ? AND userId = ?", [found.client, user]
            ) { (Store.words($0.text(0)), Store.words($0.text(1))) }.first ?? ([], [])
        try consent(
            found.client, user, before.0 + found.scopes.filter { !before.0.contains($0) },
            before.1 + found.resources.filter { !before.1.contains($0) })
    }

    /// Stores what a person lets a program do.
    func consent(
        _ client: String, _ user: String, _ scopes: [String], _ resources: [String]
    ) throws(SQLiteError) {
        try run(
            "INSERT OR REPLACE INTO consents VALUES(?, ?, ?, ?)", client, user, scopes.joined(separator: " "),
            resources.joined(separator: " "))
    }
}
