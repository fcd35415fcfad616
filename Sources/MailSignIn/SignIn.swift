package import HTTP
internal import Platform

/// Signing a person in by the device flow, from the address to the tokens.
package struct SignIn: Sendable {
    let client: any HTTPClient
    let now: @Sendable () -> Int64

    /// `now` tells milliseconds since 1970; waiting goes by a clock that never goes back.
    package init(client: any HTTPClient, now: @escaping @Sendable () -> Int64) {
        self.client = client
        self.now = now
    }

    /// A code on its way to being approved.
    package struct Pending: Sendable {
        package let code: DeviceCode
        let origin: URLParts
        let endpoints: SignInEndpoints
        let clientID: String
        let identity: String
        /// Whether the registration serves browsers, too.
        var hasRedirect = true
        var flow: DeviceFlow
    }

    /// Finds the server's sign-in, registers if need be, and asks for a code.
    ///
    /// `former` is what was kept for the same account: its registration and identity are used again.
    /// - Throws: `SignInError`.
    package func begin(_ origin: URLParts, former: StoredSignIn? = nil) async throws -> Pending {
        let endpoints = try await SignInEndpoints.discover(origin, client)
        let server = SignInClient(origin, endpoints, client)
        let kept = former.flatMap { $0.origin.hasSameOrigin(as: origin) ? $0 : nil }
        let known = kept.flatMap { $0.clientID.isEmpty ? nil : $0.clientID }
        var hasRedirect = known == nil || kept?.hasRedirect == true
        var clientID = if let known { known } else { try await server.register() }
        let code: DeviceCode
        do {
            code = try await server.requestCode(client: clientID)
        } catch SignInError.refused("invalid_client") where known != nil {
            clientID = try await server.register()
            hasRedirect = true
            code = try await server.requestCode(client: clientID)
        }
        return Pending(
            code: code, origin: origin, endpoints: endpoints, clientID: clientID,
            identity: kept?.identity ?? Environment.uuid(), hasRedirect: hasRedirect,
            flow: DeviceFlow(code, now: Environment.monotonicMilliseconds))
    }

    /// A record of a bearer that a program prints: the server's sign-in is looked for, and nothing is asked of it.
    ///
    /// - Throws: `SignInError`.
    package func adopt(
        _ bearer: String, at origin: URLParts, former: StoredSignIn? = nil
    ) async throws -> StoredSignIn {
        let endpoints = try await SignInEndpoints.discover(origin, client)
        let kept = former.flatMap { $0.origin.hasSameOrigin(as: origin) ? $0 : nil }
        var stored = StoredSignIn(
            origin: origin, endpoints: endpoints, clientID: kept?.clientID ?? "",
            identity: kept?.identity ?? Environment.uuid(), access: bearer, refresh: nil, accessEnds: .max / 2,
            scopes: "", signedInAt: now())
        stored.hasRedirect = kept?.hasRedirect ?? false
        stored.place = .command
        return stored
    }

    /// Waits until the person has decided; what comes back is not kept yet.
    ///
    /// - Throws: `SignInError`, or `CancellationError`.
    package func wait(_ pending: Pending) async throws -> StoredSignIn {
        let server = SignInClient(pending.origin, pending.endpoints, client)
        var pending = pending
        var step = pending.flow.first
        while true {
            switch step {
            case .wait(let seconds): try await Task.sleep(for: .seconds(seconds))
            case .failed(let error): throw error
            case .signedIn(let tokens):
                var stored = StoredSignIn(
                    origin: pending.origin, endpoints: pending.endpoints, clientID: pending.clientID,
                    identity: pending.identity, access: tokens.access, refresh: tokens.refresh,
                    accessEnds: now() + Int64(tokens.secondsLeft) * 1_000, scopes: tokens.scopes, signedInAt: now())
                stored.hasRedirect = pending.hasRedirect
                stored.accessBegins = now()
                return stored
            }
            let answer: Result<Tokens, SignInError>
            do {
                answer = .success(try await server.poll(pending.code, client: pending.clientID))
            } catch let error as SignInError {
                answer = .failure(error)
            }
            step = pending.flow.next(answer, now: Environment.monotonicMilliseconds)
        }
    }
}
