package import HTTP
internal import JSON

/// What is kept of a sign-in between runs.
package struct StoredSignIn: Hashable, Sendable {
    /// The server the tokens are for; they are sent nowhere else.
    package var origin: URLParts
    package var endpoints: SignInEndpoints
    /// This machine's registration for this account.
    package var clientID: String
    /// A mark of the person's identity with the server, kept while the same person signs in again.
    package var identity: String
    package var access: String
    package var refresh: String?
    /// When the access token ends, in milliseconds since 1970.
    package var accessEnds: Int64
    package var scopes: String
    /// When the person approved, in milliseconds since 1970.
    package var signedInAt: Int64
    /// Whether the server refused a fresh token: only the person can help then.
    package var isEnded = false

    package init(
        origin: URLParts, endpoints: SignInEndpoints, clientID: String, identity: String, access: String,
        refresh: String?, accessEnds: Int64, scopes: String, signedInAt: Int64
    ) {
        self.origin = origin
        self.endpoints = endpoints
        self.clientID = clientID
        self.identity = identity
        self.access = access
        self.refresh = refresh
        self.accessEnds = accessEnds
        self.scopes = scopes
        self.signedInAt = signedInAt
    }

    /// The sign-in as JSON.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("origin", origin.origin)
            for (name, address) in endpoints.kept { writer.member(name, address) }
            writer.member("clientId", clientID)
            writer.member("identity", identity)
            writer.member("accessToken", access)
            writer.member("refreshToken", refresh)
            writer.member("accessEnds", Int(accessEnds))
            writer.member("scopes", scopes)
            writer.member("signedInAt", Int(signedInAt))
            writer.member("isEnded", isEnded)
        }
        return writer.bytes + [0x0A]
    }

    /// Reads a sign-in; `nil` for bytes that are none, or of a later version.
    package init?(_ bytes: [UInt8]) {
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        var isEnded = false
        var reader = JSONReader(bytes)
        do {
            try reader.object { reader, name throws(JSONError) in
                switch try reader.kind() {
                case .string: texts[name] = try reader.string()
                case .number: numbers[name] = try reader.int()
                case .bool: isEnded = try reader.bool() && name == "isEnded" || isEnded
                default: try reader.skip()
                }
            }
            try reader.end()
        } catch {
            return nil
        }
        guard numbers["version"] == 1, let origin = texts["origin"].flatMap({ URLParts($0) }),
            let endpoints = SignInEndpoints(kept: texts, origin), let client = texts["clientId"],
            let identity = texts["identity"], let access = texts["accessToken"], let ends = numbers["accessEnds"],
            let signedInAt = numbers["signedInAt"]
        else { return nil }
        self.init(
            origin: origin, endpoints: endpoints, clientID: client, identity: identity, access: access,
            refresh: texts["refreshToken"], accessEnds: Int64(ends), scopes: texts["scopes"] ?? "",
            signedInAt: Int64(signedInAt))
        self.isEnded = isEnded
    }

    /// Takes over a new pair; a refresh token that did not come stays the old one.
    mutating func renew(_ tokens: Tokens, now milliseconds: Int64) {
        access = tokens.access
        refresh = tokens.refresh ?? refresh
        accessEnds = milliseconds + Int64(tokens.secondsLeft) * 1_000
        if !tokens.scopes.isEmpty { scopes = tokens.scopes }
    }
}
