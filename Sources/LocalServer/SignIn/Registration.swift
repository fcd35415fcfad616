internal import JSON
internal import SQLite

/// Registering a program (contract §2.2, RFC 7591).
struct Registration {
    private var name: String?
    private var uri: String?
    private var type = "web"
    private var method = "client_secret_basic"
    private var redirects: [String] = []
    private var grants: [String]
    private var resources: [String]?
    private let issuer: String

    private static let grants = ["authorization_code", "refresh_token", SignInNames.deviceGrant]

    /// Reads and checks what a program says of itself.
    ///
    /// - Throws: `SignInRefusal`, or `JSONError` for a body that is no JSON.
    init(_ body: [UInt8], origin: String) throws {
        let value = try BodyValue(body)
        guard case .object(let members) = value else {
            throw SignInRefusal("invalid_client_metadata", "The body must be an object.")
        }
        func text(_ name: String) -> String? { if case .string(let text)? = members[name] { text } else { nil } }
        func texts(_ name: String) -> [String]? {
            guard case .array(let values)? = members[name] else { return nil }
            return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        issuer = origin
        name = text("client_name")
        uri = text("client_uri")
        type = text("application_type") ?? type
        method = text("token_endpoint_auth_method") ?? method
        redirects = texts("redirect_uris") ?? []
        grants = texts("grant_types") ?? ["authorization_code"]
        resources = texts("resources")
        try check(responseTypes: texts("response_types") ?? [], scopes: Store.words(text("scope") ?? ""))
    }

    private func check(responseTypes: [String], scopes: [String]) throws(SignInRefusal) {
        for (index, redirect) in redirects.enumerated() where redirect.hasPrefix("http://") {
            if Registration.isLoopback(redirect) { continue }
            throw SignInRefusal(
                "invalid_redirect_uri",
                "redirect_uris[\(index)]: Redirect URI must use HTTPS (HTTP allowed only for loopback hosts)",
                hasPragma: false)
        }
        if let grant = grants.first(where: { !Registration.grants.contains($0) }) {
            throw SignInRefusal("invalid_client_metadata", "unsupported grant_type \(grant)")
        }
        let usesCodes = grants.contains("authorization_code")
        if usesCodes, redirects.isEmpty {
            throw SignInRefusal(
                "invalid_redirect_uri",
                "Redirect URIs are required for authorization_code and implicit grant types")
        }
        if responseTypes.contains("code"), !usesCodes {
            throw SignInRefusal("invalid_client_metadata", "response_type code needs the authorization_code grant")
        }
        for redirect in redirects { try check(redirect) }
        let allowed = [issuer + "/api/v1", issuer + "/mcp", issuer + "/mcp/full"]
        if let other = resources?.first(where: { !allowed.contains($0) }) {
            throw SignInRefusal(
                "invalid_target", "requested resource \(other) is not allowed for client registration")
        }
        if let scope = scopes.first(where: { !SignInNames.scopes.contains($0) }) {
            throw SignInRefusal("invalid_scope", "cannot request scope \(scope)")
        }
    }

    private func check(_ redirect: String) throws(SignInRefusal) {
        let isSecure = redirect.hasPrefix("https://")
        guard type == "native" else {
            if isSecure, !Registration.isLoopback(redirect) { return }
            throw SignInRefusal(
                "invalid_redirect_uri",
                "web clients require https redirect URIs on non-loopback hosts: \(redirect)")
        }
        if isSecure || Registration.isLoopback(redirect) { return }
        let parts = redirect.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let isReversed = labels.count > 1 && !labels.contains("")
        if parts.count == 2, isReversed, parts[1].hasPrefix("/"), !parts[1].hasPrefix("//"), !parts[1].contains("#") {
            return
        }
        throw SignInRefusal(
            "invalid_redirect_uri",
            "native private-use redirect URI schemes must be well-formed reverse-domain names, "
                + "omit the naming authority, and must not use a reserved scheme: \(redirect)")
    }

    private static func isLoopback(_ redirect: String) -> Bool { loopbackHost(redirect) != nil }

    /// The loopback host of a redirect and what follows its port; `nil` for any other redirect.
    static func loopbackHost(_ redirect: String) -> (host: String, port: String, rest: String)? {
        for scheme in ["http://", "https://"] where redirect.hasPrefix(scheme) {
            for host in ["127.0.0.1", "[::1]", "localhost"] where redirect.dropFirst(scheme.count).hasPrefix(host) {
                let after = redirect.dropFirst(scheme.count + host.count)
                let port = after.hasPrefix(":") ? after.prefix { $0 != "/" && $0 != "?" } : ""
                let rest = after.dropFirst(port.count)
                guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { continue }
                return (scheme + host, String(port), String(rest))
            }
        }
        return nil
    }

    /// Stores the program and tells it what it is now.
    ///
    /// - Throws: `SQLiteError`.
    func store(_ store: Store) throws(SQLiteError) -> ServerAnswer {
        let id = SignInSecret.random(32)
        let secret = method == "none" ? nil : "hqb_client_" + SignInSecret.random(32)
        let issued = store.instant / 1_000
        try store.run(
            """
            INSERT INTO clients(id, name, uri, type, method, secret, grants, redirects, resources, issuedAt)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS INTEGER))
            """, id, name, uri, type, method, secret, grants.joined(separator: " "),
            redirects.joined(separator: " "), resources?.joined(separator: " "), "\(issued)")
        var members: [(String, SignInValue)] = [("client_id", .text(id))]
        if let secret { members += [("client_secret", .text(secret)), ("client_secret_expires_at", .number(0))] }
        members += [
            ("scope", .text(SignInNames.scopes.joined(separator: " "))), ("client_id_issued_at", .number(issued)),
        ]
        if let name { members.append(("client_name", .text(name))) }
        if let uri { members.append(("client_uri", .text(uri))) }
        members += [
            ("redirect_uris", .texts(redirects)), ("token_endpoint_auth_method", .text(method)),
            ("grant_types", .texts(grants)),
        ]
        if grants.contains("authorization_code") { members.append(("response_types", .texts(["code"]))) }
        members += [
            ("application_type", .text(type)), ("disabled", .flag(false)), ("dpop_bound_access_tokens", .flag(false)),
        ]
        if let resources { members.append(("resources", .texts(resources))) }
        return .signIn(members, 201)
    }
}
