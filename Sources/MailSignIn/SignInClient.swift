package import HTTP
internal import JSON

/// A device's code, to be shown to the person (RFC 8628 §3.2).
package struct DeviceCode: Hashable, Sendable {
    package var deviceCode: String
    /// What the person types, in capital letters and digits.
    package var userCode: String
    /// Where it is typed.
    package var address: String
    /// The same with the code in it.
    package var addressWithCode: String
    package var secondsLeft: Int
    package var interval: Int
}

/// A pair of tokens as the server handed it out.
package struct Tokens: Hashable, Sendable {
    package var access: String
    package var refresh: String?
    package var secondsLeft: Int
    package var scopes: String
}

/// The sign-in routes of one server.
///
/// Sends no cookie and no bearer, and follows no redirect.
package struct SignInClient: Sendable {
    package let endpoints: SignInEndpoints
    private let origin: URLParts
    let client: any HTTPClient
    /// The longest code that a person is asked to type; HQBase's have eight letters and digits.
    private static let userCodeMax = 40
    private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    package init(_ origin: URLParts, _ endpoints: SignInEndpoints, _ client: any HTTPClient) {
        self.origin = origin
        self.endpoints = endpoints
        self.client = client
    }

    /// The one thing the tokens are for.
    var resource: String { origin.origin + "/api/v1" }

    /// Registers this program on this machine for one account (contract §2.2); answers its client id.
    ///
    /// For both ways of signing in, so that one registration serves the account whichever is taken.
    /// - Throws: `SignInError`.
    package func register() async throws -> String {
        var body = JSONWriter()
        body.object { body in
            body.member("client_name", "Herald")
            body.member("application_type", "native")
            body.member("redirect_uris", ["http://127.0.0.1" + RedirectRequest.path])
            body.member("grant_types", ["authorization_code", SignInClient.deviceGrant, "refresh_token"])
            body.member("response_types", ["code"])
            body.member("token_endpoint_auth_method", "none")
            body.member("scope", SignInEndpoints.scopes)
            body.member("resources", [resource])
        }
        let request = HTTPRequest(
            method: "POST", url: endpoints.registration,
            headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json")],
            body: body.bytes, responseBytesMax: SignInAnswer.bytesMax)
        let response = try await SignInAnswer.send(request, client)
        guard response.isSuccess else { throw SignInAnswer.refusal(response) }
        guard let id = SignInAnswer.texts(response.body)?["client_id"], !id.isEmpty else { throw SignInError.malformed }
        return id
    }

    /// Asks for a code that a person approves in a browser anywhere.
    ///
    /// - Throws: `SignInError`; `.refused("invalid_client")` when the server no longer knows the client.
    package func requestCode(client id: String) async throws -> DeviceCode {
        let response = try await SignInAnswer.post(
            endpoints.deviceAuthorization,
            [("client_id", id), ("scope", SignInEndpoints.scopes), ("resource", resource)], client)
        guard response.isSuccess else { throw SignInAnswer.refusal(response) }
        guard let members = SignInAnswer.texts(response.body), let code = members["device_code"],
            let userCode = members["user_code"], let address = members["verification_uri"],
            let place = URLParts(address), (1...SignInClient.userCodeMax).contains(userCode.count)
        else { throw SignInError.malformed }
        guard place.hasSameOrigin(as: origin) else { throw SignInError.foreignEndpoint }
        let complete = members["verification_uri_complete"]
        let isOwn = complete.flatMap { URLParts($0) }?.hasSameOrigin(as: origin) == true
        return DeviceCode(
            deviceCode: code, userCode: userCode, address: address, addressWithCode: isOwn ? complete ?? "" : address,
            secondsLeft: SignInClient.seconds(members["expires_in"], 900, 1...86_400),
            interval: SignInClient.seconds(members["interval"], 5, 1...300))
    }

    /// Asks once whether the code was approved.
    ///
    /// - Throws: `SignInError`; the words of RFC 8628 §3.5 come as `.refused`.
    package func poll(_ code: DeviceCode, client id: String) async throws -> Tokens {
        try await tokens([
            ("grant_type", SignInClient.deviceGrant), ("device_code", code.deviceCode), ("client_id", id),
            ("resource", resource),
        ])
    }

    /// Exchanges a refresh token for a new pair; the old one is worthless soon after.
    ///
    /// - Throws: `SignInError`; `.refused("invalid_grant")` when the sign-in is over.
    package func refresh(_ token: String, client id: String) async throws -> Tokens {
        try await tokens([
            ("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", id), ("resource", resource),
        ])
    }

    /// Tells the server that a token is not needed any more.
    ///
    /// - Throws: `SignInError`.
    package func revoke(_ token: String, client id: String) async throws {
        let response = try await SignInAnswer.post(
            endpoints.revocation,
            [("token", token), ("token_type_hint", "refresh_token"), ("client_id", id)], client)
        guard response.isSuccess else { throw SignInAnswer.refusal(response) }
    }

    /// One request to the token route.
    func tokens(_ fields: [(name: String, value: String)]) async throws -> Tokens {
        let response = try await SignInAnswer.post(endpoints.token, fields, client)
        guard response.isSuccess else { throw SignInAnswer.refusal(response) }
        guard let members = SignInAnswer.texts(response.body), let access = members["access_token"],
            SignInClient.isToken(access), members["token_type"]?.lowercased() == "bearer"
        else { throw SignInError.malformed }
        let refresh = members["refresh_token"].flatMap { SignInClient.isToken($0) ? $0 : nil }
        return Tokens(
            access: access, refresh: refresh,
            secondsLeft: SignInClient.seconds(members["expires_in"], 3_600, 0...31_536_000),
            scopes: members["scope"] ?? "")
    }

    /// Whether a token can be sent in a header.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 4_096 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func seconds(_ text: String?, _ fallback: Int, _ range: ClosedRange<Int>) -> Int {
        guard let text, let seconds = Int(text) else { return fallback }
        return min(max(seconds, range.lowerBound), range.upperBound)
    }
}
