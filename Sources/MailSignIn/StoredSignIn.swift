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
    /// Where the tokens are; the record of the account says so.
    package var place = Place.file
    /// Whether the registration serves a browser on this machine, too.
    package var hasRedirect = false
    /// When the access token was handed out, in milliseconds since 1970.
    package var accessBegins: Int64?

    /// Where tokens are kept.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        /// In the account's own file, which only its owner can read.
        case file
        /// In the desktop's keyring.
        case keyring
        /// Nowhere here: a program prints the bearer.
        case command
    }

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

    /// The record of the account as JSON: everything when tokens are in the file, and what is no secret otherwise.
    package var bytes: [UInt8] { json(withTokens: place == .file) + [0x0A] }

    /// Everything as one line, for a keyring.
    var secret: String { String(decoding: json(withTokens: true), as: UTF8.self) }

    private func json(withTokens: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("origin", origin.origin)
            for (name, address) in endpoints.kept { writer.member(name, address) }
            writer.member("clientId", clientID)
            writer.member("identity", identity)
            writer.member("store", place.rawValue)
            writer.member("hasRedirect", hasRedirect)
            writer.member("scopes", scopes)
            writer.member("signedInAt", Int(signedInAt))
            guard withTokens else { return }
            writer.member("accessToken", access)
            writer.member("refreshToken", refresh)
            writer.member("accessEnds", Int(accessEnds))
            if let accessBegins { writer.member("accessBegins", Int(accessBegins)) }
            writer.member("isEnded", isEnded)
        }
        return writer.bytes
    }

    /// What times may be kept: up to the year 9999, and in which direction ever a clock was wrong.
    private static let numbers = -253_402_300_799_999...253_402_300_799_999

    /// Reads a sign-in; `nil` for bytes that are none, or of a later version.
    package init?(_ bytes: [UInt8]) {
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        var flags: Set<String> = []
        var reader = JSONReader(bytes)
        do {
            try reader.object { reader, name throws(JSONError) in
                switch try reader.kind() {
                case .string: texts[name] = try reader.string()
                case .number: numbers[name] = try reader.int()
                case .bool: if try reader.bool() { flags.insert(name) }
                default: try reader.skip()
                }
            }
            try reader.end()
        } catch {
            return nil
        }
        // Sums with other times must stay numbers.
        guard numbers.values.allSatisfy({ StoredSignIn.numbers.contains($0) }) else { return nil }
        guard numbers["version"] == 1, let origin = texts["origin"].flatMap({ URLParts($0) }),
            let endpoints = SignInEndpoints(kept: texts, origin), let client = texts["clientId"],
            let identity = texts["identity"], let signedInAt = numbers["signedInAt"],
            let place = Place(rawValue: texts["store"] ?? Place.file.rawValue)
        else { return nil }
        // A record has no tokens, but a file that should have them is damaged without.
        guard let access = texts["accessToken"] ?? (place == .file ? nil : ""),
            let ends = numbers["accessEnds"] ?? (place == .file ? nil : 0)
        else { return nil }
        self.init(
            origin: origin, endpoints: endpoints, clientID: client, identity: identity, access: access,
            refresh: texts["refreshToken"], accessEnds: Int64(ends), scopes: texts["scopes"] ?? "",
            signedInAt: Int64(signedInAt))
        self.place = place
        isEnded = flags.contains("isEnded")
        hasRedirect = flags.contains("hasRedirect")
        accessBegins = numbers["accessBegins"].map { Int64($0) }
    }

    /// The same account without its tokens: known, and signed out.
    package var signedOut: StoredSignIn {
        var signIn = self
        (signIn.access, signIn.refresh, signIn.accessEnds, signIn.place) = ("", nil, 0, .file)
        signIn.isEnded = true
        return signIn
    }

    /// Takes over a new pair; a refresh token that did not come stays the old one.
    mutating func renew(_ tokens: Tokens, now milliseconds: Int64) {
        access = tokens.access
        refresh = tokens.refresh ?? refresh
        accessBegins = milliseconds
        accessEnds = milliseconds + Int64(tokens.secondsLeft) * 1_000
        if !tokens.scopes.isEmpty { scopes = tokens.scopes }
    }
}
