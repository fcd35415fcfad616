internal import HTTP

/// The code flow of a browser on this machine (contract §2.3).
extension SignInClient {
    /// Where the browser is sent to ask the person.
    ///
    /// - Throws: `SignInError` when the server has no such page.
    func authorization(
        client id: String, redirect: String, state: String, key: ProofKey
    ) throws(SignInError) -> String {
        guard let page = endpoints.authorization else { throw .wrongServer }
        return page + (page.contains("?") ? "&" : "?")
            + PercentEncoding.query([
                ("response_type", "code"), ("client_id", id), ("redirect_uri", redirect),
                ("scope", SignInEndpoints.scopes), ("state", state), ("code_challenge", key.challenge),
                ("code_challenge_method", "S256"), ("resource", resource),
            ])
    }

    /// Looks where the server sends a browser that asks so, before the person's is.
    ///
    /// An error about client or redirect is shown to the browser and never told to the program.
    /// - Throws: `SignInError`; `.refused("invalid_client")` when the server does not know the client.
    func check(authorization address: String, redirect: String) async throws {
        let response = try await SignInAnswer.send(
            HTTPRequest(url: address, responseBytesMax: SignInAnswer.bytesMax), client)
        guard (300..<400).contains(response.status) else {
            if response.isSuccess { return }
            throw SignInAnswer.refusal(response)
        }
        let target = response.value(of: "Location") ?? ""
        let parts = target.split(separator: "?", maxSplits: 1)
        let fields = parts.count == 2 ? RedirectRequest.fields(parts[1]) ?? [:] : [:]
        guard let word = fields["error"] else { return }
        if target.hasPrefix(redirect) { throw SignInAnswer.refused(word) }
        throw word.hasPrefix("invalid_redirect") ? SignInError.refused("invalid_client") : SignInAnswer.refused(word)
    }

    /// Exchanges the code that the browser brought.
    ///
    /// - Throws: `SignInError`.
    func exchange(_ code: String, client id: String, redirect: String, key: ProofKey) async throws -> Tokens {
        try await tokens([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect), ("client_id", id),
            ("code_verifier", key.verifier), ("resource", resource),
        ])
    }
}
