package import HTTP
internal import Platform

/// The bearer of an account that signed in, renewed in time and by one process at a time.
///
/// Other processes renew the same sign-in: what is stored is read again before it is renewed, and before the
/// server's word that it has ended is believed. A new pair is on the disk before it is used, since the server
/// forgets the old one.
package actor TokenKeeper: BearerSource {
    /// How long a token must still be good to be sent, in milliseconds.
    private static let spare: Int64 = 60_000
    /// Processes renew at different times before the end, in milliseconds, so that they seldom meet.
    package static let jitterMax: Int64 = 120_000
    /// How long another process's renewal is waited for, in milliseconds: a whole request's time.
    private static let lockWait: Int64 = 35_000
    private static let lockPause = Duration.milliseconds(25)

    private let store: any TokenStore
    private let lockPath: String
    private let client: any HTTPClient
    private let now: @Sendable () -> Int64
    private let jitter: Int64
    private var known: StoredSignIn?
    private var renewal: Task<StoredSignIn, any Error>?

    /// A keeper of what is in the store; `lockPath` names the file whose kernel lock keeps refreshers apart.
    package init(
        store: any TokenStore, lockPath: String, client: any HTTPClient, now: @escaping @Sendable () -> Int64,
        jitter: Int64 = Int64.random(in: 0...TokenKeeper.jitterMax)
    ) {
        self.store = store
        self.lockPath = lockPath
        self.client = client
        self.now = now
        self.jitter = jitter
    }

    package func bearer() async throws -> String {
        let signIn = try current()
        guard signIn.accessEnds - now() < TokenKeeper.spare + jitter else { return signIn.access }
        do {
            return try await renewed(insteadOf: signIn.access).access
        } catch let error as SignInError where signIn.accessEnds > now() {
            // Not yet over: the old one serves while the server cannot be asked for a new one.
            guard case .transport = error else { throw error }
            return signIn.access
        }
    }

    package func bearer(insteadOf refused: String) async throws -> String? {
        var signIn = try reload()
        // Another process has renewed it meanwhile, or a new sign-in took its place.
        if signIn.access != refused, signIn.accessEnds > now(), !signIn.isEnded { return signIn.access }
        do {
            signIn = try await renewed(insteadOf: refused)
        } catch SignInError.ended {
            return nil
        }
        return signIn.access
    }

    /// Nothing is asked any more until the person signs in again: the browser's session is over (contract §2.7).
    package func noteRefused(_ bearer: String) {
        guard var signIn = try? reload(), signIn.access == bearer else { return }
        signIn.isEnded = true
        known = signIn
        // When it cannot be kept, the next run finds out by itself.
        try? store.save(signIn)
    }

    private func current() throws -> StoredSignIn {
        let signIn = if let known { known } else { try reload() }
        guard signIn.isEnded else { return signIn }
        // A new sign-in may have been stored since.
        let stored = try reload()
        if stored.isEnded { throw SignInError.ended }
        return stored
    }

    @discardableResult
    private func reload() throws -> StoredSignIn {
        guard let stored = try store.load() else { throw SignInError.none }
        known = stored
        return stored
    }

    /// A sign-in whose access token is another one; callers at the same time share one renewal.
    private func renewed(insteadOf old: String) async throws -> StoredSignIn {
        if let renewal { return try await renewal.value }
        let task = Task { try await self.renew(insteadOf: old) }
        renewal = task
        defer { renewal = nil }
        return try await task.value
    }

    private func renew(insteadOf old: String) async throws -> StoredSignIn {
        let lock = try await takeLock()
        let outcome: Result<StoredSignIn, any Error>
        do {
            outcome = .success(try await renewAlone(insteadOf: old))
        } catch {
            outcome = .failure(error)
        }
        _ = consume lock
        return try outcome.get()
    }

    /// Renews while no other process can.
    private func renewAlone(insteadOf old: String) async throws -> StoredSignIn {
        var signIn = try reload()
        if signIn.access != old, signIn.accessEnds > now(), !signIn.isEnded { return signIn }
        guard let refresh = signIn.refresh, !signIn.isEnded else { throw SignInError.ended }
        // The server forgets the old pair at once: on a full disk, the new one would be lost with it.
        try store.save(signIn)
        let server = SignInClient(signIn.origin, signIn.endpoints, client)
        let tokens: Tokens
        do {
            tokens = try await server.refresh(refresh, client: signIn.clientID)
        } catch SignInError.refused("invalid_grant") {
            // A process without this lock, of an older release perhaps, may have been faster.
            let stored = try reload()
            if stored.access != signIn.access { return stored }
            signIn.isEnded = true
            try store.save(signIn)
            known = signIn
            throw SignInError.ended
        }
        signIn.renew(tokens, now: now())
        try store.save(signIn)
        known = signIn
        return signIn
    }

    private func takeLock() async throws -> FileLock {
        let end = Environment.monotonicMilliseconds + TokenKeeper.lockWait
        while true {
            do {
                if let lock = try FileLock.take(lockPath) { return lock }
            } catch {
                throw TokenStoreError.system(error.code)
            }
            guard Environment.monotonicMilliseconds < end else { throw SignInError.transport(.timedOut) }
            try await Task.sleep(for: TokenKeeper.lockPause)
        }
    }
}
