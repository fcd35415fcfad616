internal import SQLite

/// A program's wish to be let in by a browser (contract §2.3).
struct AuthorizationRequest: Sendable {
    /// The fields, in the order in which the real server hands them on.
    private static let order = [
        "response_type", "redirect_uri", "scope", "state", "client_id", "code_challenge", "code_challenge_method",
        "resource",
    ]

    let fields: FormFields

    init(_ items: [QueryItem]) { fields = FormFields(items) }

    var client: String { fields["client_id"] ?? "" }
    var redirect: String { fields["redirect_uri"] ?? "" }
    var scopes: [String] { fields["scope"] == nil ? SignInNames.scopes : fields.words("scope") }
    var resources: [String] { fields.all("resource") }

    /// The fields with the time until which they may be answered, and a seal.
    func sealed(now: Int64, secret: String) -> String {
        var items: [(String, String)] = []
        for name in AuthorizationRequest.order { items += fields.all(name).map { (name, $0) } }
        let names = Set(items.map(\.0)).union(["exp", "ba_iat", "ba_param"]).sorted()
        items += [("exp", "\(now / 1_000 + 600)"), ("ba_iat", "\(now)")] + names.map { ("ba_param", $0) }
        let query = FormFields.encoded(items)
        return query + "&" + FormFields.encoded([("sig", SignInSecret.digest(secret + query))])
    }

    /// The request of a sealed query; `nil` when it was changed or its time is over.
    init?(sealed query: String, now: Int64, secret: String) {
        guard let mark = query.range(ofLast: "&sig=") else { return nil }
        let items = RequestTarget.items(Array(query.utf8)[...])
        let seal = items.last { $0.name == "sig" }?.value
        guard seal == SignInSecret.digest(secret + query[..<mark]),
            let end = items.last(where: { $0.name == "exp" }).flatMap({ Int64($0.value) }), now / 1_000 < end
        else { return nil }
        self.init(items.filter { AuthorizationRequest.order.contains($0.name) })
    }

    /// The redirect address with an answer in its query, or after `#`.
    func answered(_ items: [(String, String)], issuer: String, mark: String = "?") -> String {
        var items = items
        if let state = fields["state"] { items.append(("state", state)) }
        items.append(("iss", issuer))
        let joint = mark == "?" && redirect.contains("?") ? "&" : mark
        return redirect + joint + FormFields.encoded(items)
    }
}

extension String {
    /// Where a text last occurs; `nil` when it does not.
    fileprivate func range(ofLast needle: String) -> String.Index? {
        var index = endIndex
        while index > startIndex {
            index = self.index(before: index)
            if self[index...].hasPrefix(needle) { return index }
        }
        return nil
    }
}

extension Store {
    /// Answers a browser that a program sent: to sign in, to consent, or back to the program.
    ///
    /// - Throws: `SQLiteError`.
    func authorize(_ request: ServerRequest) throws -> ServerAnswer {
        let wish = AuthorizationRequest(request.query)
        guard let client = try client(wish.client) else {
            return .redirect(errorPage("invalid_client", "client_id is required"))
        }
        guard client.redirects.contains(where: { Store.admits($0, wish.redirect) }) else {
            return .redirect(errorPage("invalid_redirect", "invalid redirect uri"))
        }
        if let refusal = refusal(wish) { return .redirect(refusal) }
        guard let session = try session(of: request) else {
            return .redirect("/?" + wish.sealed(now: instant, secret: seal))
        }
        let consented = try rows(
            "SELECT scopes, resources FROM consents WHERE clientId = ? AND userId = ?", [wish.client, session.user]
        ) { (Store.words($0.text(0)), Store.words($0.text(1))) }.first
        guard let consented, wish.scopes.allSatisfy(consented.0.contains),
            wish.resources.allSatisfy(consented.1.contains)
        else { return .redirect("/oauth/consent?" + wish.sealed(now: instant, secret: seal)) }
        return .redirect(try admit(wish, session))
    }

    private func errorPage(_ error: String, _ description: String) -> String {
        issuer + "/error?" + FormFields.encoded([("error", error), ("error_description", description)])
    }

    /// Where a wish that cannot be granted sends the browser; `nil` for one that can.
    private func refusal(_ wish: AuthorizationRequest) -> String? {
        func refused(_ error: String, _ description: String, mark: String = "?") -> String {
            wish.answered([("error", error), ("error_description", description)], issuer: issuer, mark: mark)
        }
        let fields = wish.fields
        guard fields["response_type"] == "code" else {
            return refused(
                "unsupported_response_type", "response_type must be one of: code",
                mark: fields["response_type"] == "token" ? "#" : "?")
        }
        guard fields["code_challenge"] != nil else {
            return refused("invalid_request", "pkce is required for public clients")
        }
        guard fields["code_challenge_method"] == "S256" else {
            return refused("invalid_request", "code_challenge_method must be one of: S256")
        }
        let unknown = wish.scopes.filter { !SignInNames.scopes.contains($0) }
        if !unknown.isEmpty {
            return refused("invalid_scope", "The following scopes are invalid: \(unknown.joined(separator: ", "))")
        }
        if let other = wish.resources.first(where: { $0 != mailResource }) {
            return refused("invalid_target", "requested resource \(other) is not configured")
        }
        return nil
    }

    /// Whether a registered redirect admits one asked for: the same, or the same loopback number with another port.
    private static func admits(_ registered: String, _ asked: String) -> Bool {
        if registered == asked { return true }
        guard let one = Registration.loopbackHost(registered), let other = Registration.loopbackHost(asked) else {
            return false
        }
        return one.host == other.host && one.rest == other.rest && !one.host.hasSuffix("localhost")
    }

    /// Makes a code and answers where it is handed over.
    private func admit(
        _ wish: AuthorizationRequest, _ session: (token: String, user: String)
    ) throws(SQLiteError) -> String {
        let code = SignInSecret.random(32)
        try run(
            "INSERT INTO loginCodes VALUES(?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS INTEGER), 0)", code, wish.client,
            session.user, session.token, wish.scopes.joined(separator: " "), wish.resources.joined(separator: " "),
            wish.redirect, wish.fields["code_challenge"], "\(instant + lifetimes.code * 1_000)")
        return wish.answered([("code", code)], issuer: issuer)
    }

    /// Takes a person's decision about a wish, and answers where the browser goes on.
    ///
    /// Consent replaces what the person consented to before.
    /// - Throws: `SignInRefusal` or `SQLiteError`.
    func decide(
        _ query: String, accept: Bool, _ session: (token: String, user: String)
    ) throws -> String {
        guard let wish = AuthorizationRequest(sealed: query, now: instant, secret: seal) else {
            throw SignInRefusal("invalid_request", "the request is not valid any more", hasPragma: false)
        }
        guard accept else {
            return wish.answered(
                [("error", "access_denied"), ("error_description", "User denied access")], issuer: issuer)
        }
        try consent(wish.client, session.user, wish.scopes, wish.resources)
        return try admit(wish, session)
    }
}
