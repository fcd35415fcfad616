package import HTTP
internal import JSON

/// Where a server takes the parts of a sign-in (contract §2.1, RFC 8414).
///
/// Every address is on the server's own origin.
package struct SignInEndpoints: Hashable, Sendable {
    package let registration: String
    package let deviceAuthorization: String
    package let token: String
    package let revocation: String
    /// Where a browser is sent; `nil` in what an older release kept.
    package let authorization: String?

    /// The scopes that are asked for; without the last there would be no refresh token.
    package static let scopes = "mail:read mail:write mail:send offline_access"

    /// The addresses as they were kept; `nil` unless each is on the origin.
    init?(kept: [String: String], _ origin: URLParts) {
        func own(_ name: String) -> String? {
            kept[name].flatMap { URLParts($0)?.hasSameOrigin(as: origin) == true ? $0 : nil }
        }
        guard let registration = own("registration"), let device = own("deviceAuthorization"),
            let token = own("token"), let revocation = own("revocation")
        else { return nil }
        self.init(
            registration: registration, deviceAuthorization: device, token: token, revocation: revocation,
            authorization: own("authorization"))
    }

    private init(
        registration: String, deviceAuthorization: String, token: String, revocation: String, authorization: String?
    ) {
        self.registration = registration
        self.deviceAuthorization = deviceAuthorization
        self.token = token
        self.revocation = revocation
        self.authorization = authorization
    }

    /// The addresses by name, for keeping them.
    var kept: [(String, String)] {
        [
            ("registration", registration), ("deviceAuthorization", deviceAuthorization), ("token", token),
            ("revocation", revocation),
        ] + (authorization.map { [("authorization", $0)] } ?? [])
    }

    /// Reads the server's two documents.
    ///
    /// - Throws: `SignInError`.
    package static func discover(_ origin: URLParts, _ client: any HTTPClient) async throws -> SignInEndpoints {
        guard origin.scheme == "https" || origin.isLoopback else { throw SignInError.insecure }
        // The web app answers for a document that a server does not have; an old server has only the second one.
        let server = try await document(origin, "/.well-known/oauth-authorization-server/api/auth", client)
        guard let server else { throw SignInError.wrongServer }
        guard let resource = try await document(origin, "/.well-known/oauth-protected-resource/api/v1", client),
            resource["resource"] == origin.origin + "/api/v1"
        else { throw SignInError.tooOld }
        guard let issuer = server["issuer"].flatMap({ URLParts($0) }), issuer.hasSameOrigin(as: origin) else {
            throw SignInError.foreignEndpoint
        }
        func endpoint(_ name: String) throws(SignInError) -> String {
            guard let text = server[name], let parts = URLParts(text) else { throw .wrongServer }
            guard parts.hasSameOrigin(as: origin) else { throw .foreignEndpoint }
            return text
        }
        return SignInEndpoints(
            registration: try endpoint("registration_endpoint"),
            deviceAuthorization: try endpoint("device_authorization_endpoint"),
            token: try endpoint("token_endpoint"), revocation: try endpoint("revocation_endpoint"),
            authorization: try endpoint("authorization_endpoint"))
    }

    /// The texts of a JSON document; `nil` when there is a page or nothing in its place.
    private static func document(
        _ origin: URLParts, _ path: String, _ client: any HTTPClient
    ) async throws -> [String: String]? {
        let request = HTTPRequest(
            url: origin.origin + path, headers: [HTTPHeader("Accept", "application/json")], responseBytesMax: 1 << 20)
        let response = try await SignInAnswer.send(request, client)
        guard response.status == 200, SignInAnswer.isJSON(response) else {
            if let error = SignInAnswer.unavailable(response) { throw error }
            return nil
        }
        return SignInAnswer.texts(response.body)
    }
}
