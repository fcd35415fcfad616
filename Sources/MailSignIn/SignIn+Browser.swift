package import HTTP
internal import Platform

/// Signing in with a browser on this machine (RFC 8252).
extension SignIn {
    /// How long the person may take, in seconds.
    package static let browserSecondsMax = 900

    /// A sign-in that waits for the browser.
    package struct Browsing: Sendable {
        /// The page on which the person decides.
        package let address: String
        package let secondsLeft: Int
        let origin: URLParts
        let endpoints: SignInEndpoints
        let clientID: String
        let identity: String
        let state: String
        let key: ProofKey
        let listener: RedirectListener
        let endsAt: Int64
    }

    /// Finds the server's sign-in, registers if need be, and begins to listen for the browser.
    ///
    /// `former` is what was kept for the same account: its registration and identity are used again.
    /// - Throws: `SignInError`, or `SystemError` when there is no port to listen on.
    package func beginInBrowser(
        _ origin: URLParts, former: StoredSignIn? = nil, secondsMax: Int = SignIn.browserSecondsMax
    ) async throws -> Browsing {
        let endpoints = try await SignInEndpoints.discover(origin, client)
        let server = SignInClient(origin, endpoints, client)
        let kept = former.flatMap { $0.origin.hasSameOrigin(as: origin) ? $0 : nil }
        let listener = try RedirectListener()
        let (state, key) = (ProofKey.random(), ProofKey())
        func address(_ id: String) async throws -> String {
            let address = try server.authorization(
                client: id, redirect: listener.redirect, state: state, key: key)
            try await server.check(authorization: address, redirect: listener.redirect)
            return address
        }
        let known = kept.flatMap { $0.hasRedirect && !$0.clientID.isEmpty ? $0.clientID : nil }
        var clientID = if let known { known } else { try await server.register() }
        let page: String
        do {
            page = try await address(clientID)
        } catch SignInError.refused("invalid_client") where known != nil {
            clientID = try await server.register()
            page = try await address(clientID)
        }
        return Browsing(
            address: page, secondsLeft: secondsMax, origin: origin, endpoints: endpoints, clientID: clientID,
            identity: kept?.identity ?? Environment.uuid(), state: state, key: key, listener: listener,
            endsAt: Environment.monotonicMilliseconds + Int64(secondsMax) * 1_000)
    }

    /// Waits until the browser has brought the person's decision; what comes back is not kept yet.
    ///
    /// - Throws: `SignInError`, or `CancellationError`.
    package func wait(_ browsing: Browsing) async throws -> StoredSignIn {
        let fields = try await browsing.listener.answer(state: browsing.state, until: browsing.endsAt)
        guard let fields else { throw SignInError.expired }
        // The answer says who made it, so that no other server's code is taken for ours (RFC 9207).
        guard fields["iss"].flatMap({ URLParts($0) })?.hasSameOrigin(as: browsing.origin) == true else {
            throw SignInError.foreignEndpoint
        }
        if let word = fields["error"] {
            throw word == "access_denied" ? SignInError.denied : SignInAnswer.refused(word)
        }
        guard let code = fields["code"], !code.isEmpty else { throw SignInError.malformed }
        let server = SignInClient(browsing.origin, browsing.endpoints, client)
        let tokens = try await server.exchange(
            code, client: browsing.clientID, redirect: browsing.listener.redirect, key: browsing.key)
        var stored = StoredSignIn(
            origin: browsing.origin, endpoints: browsing.endpoints, clientID: browsing.clientID,
            identity: browsing.identity, access: tokens.access, refresh: tokens.refresh,
            accessEnds: now() + Int64(tokens.secondsLeft) * 1_000, scopes: tokens.scopes, signedInAt: now())
        stored.hasRedirect = true
        stored.accessBegins = now()
        return stored
    }
}
