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
    /// Whose sign-in it is; `nil` takes anybody's.
    private let identity: String?
    private var known: StoredSignIn?
    private var renewal: Task<StoredSignIn, any Error>?
    private var reading: Task<StoredSignIn, any Error>?
    /// A token that was just handed out in place of a refused one, and when; whether the server takes it is not known.
    private var untried: (access: String, at: Int64)?
    /// How long an untried token that is refused means that no other would be taken, in milliseconds.
    private static let untriedMax: Int64 = 60_000

    /// A keeper of what is in the store; `lockPath` names the file whose kernel lock keeps refreshers apart.
    ///
    /// With an `identity` no other person's tokens are handed out, whoever has signed in meanwhile.
    package init(
        store: any TokenStore, lockPath: String, client: any HTTPClient, identity: String? = nil,
        now: @escaping @Sendable () -> Int64,
        jitter: Int64 = Int64.random(in: 0...TokenKeeper.jitterMax)
    ) {
        self.store = store
        self.lockPath = lockPath
        self.client = client
        self.identity = identity
        self.now = now
        self.jitter = jitter
    }

    package func bearer() async throws -> String {
        let signIn = try await current()
        guard signIn.accessEnds - now() < margin(signIn) else { return signIn.access }
        do {
            return try await renewed(insteadOf: signIn.access).access
        } catch let error as SignInError where signIn.accessEnds > now() {
            // Not yet over: the old one serves while the server cannot be asked for a new one.
            switch error {
            case .transport, .server, .rateLimited: return signIn.access
            default: throw error
            }
        }
    }

    package func bearer(insteadOf refused: String) async throws -> String? {
        // What the server handed out just now and refuses all the same would only be followed by its like.
        if let untried, untried.access == refused,
            Environment.monotonicMilliseconds - untried.at < TokenKeeper.untriedMax
        {
            return nil
        }
        var signIn = try await look()
        // Another process has renewed it meanwhile, or a new sign-in took its place.
        if signIn.access != refused, signIn.accessEnds > now(), !signIn.isEnded { return signIn.access }
        do {
            signIn = try await renewed(insteadOf: refused)
        } catch SignInError.ended {
            return nil
        }
        untried = (signIn.access, Environment.monotonicMilliseconds)
        return signIn.access
    }

    package func noteAccepted(_ bearer: String) {
        if untried?.access == bearer { untried = nil }
    }

    /// Nothing is asked any more until the person signs in again: the browser's session is over (contract §2.7).
    package func noteRefused(_ bearer: String) async {
        // Alone: a pair that another process is given between the look and the note would be lost.
        guard let lock = try? await takeLock() else { return }
        await noteEnd(of: bearer)
        _ = consume lock
    }

    /// Notes the end of a sign-in while no other process can renew it.
    private func noteEnd(of bearer: String) async {
        guard var signIn = try? await reload(), signIn.access == bearer else { return }
        signIn.isEnded = true
        known = signIn
        // When it cannot be kept, the next run finds out by itself.
        try? await store.save(signIn)
    }

    /// How long a token must still be good to be sent; of one that lives shortly, not most of its life.
    private func margin(_ signIn: StoredSignIn) -> Int64 {
        let usual = TokenKeeper.spare + jitter
        guard let begin = signIn.accessBegins, signIn.accessEnds > begin else { return usual }
        return min(usual, (signIn.accessEnds - begin) / 4)
    }

    private func current() async throws -> StoredSignIn {
        let signIn = if let known { known } else { try await look() }
        guard signIn.isEnded else { return signIn }
        // A new sign-in may have been stored since.
        let stored = try await look()
        if stored.isEnded { throw SignInError.ended }
        return stored
    }

    /// What is stored; callers at the same time share one look, which may have begun a moment ago.
    private func look() async throws -> StoredSignIn {
        if let reading { return try await reading.value }
        let task = Task { try await self.reload() }
        reading = task
        defer { reading = nil }
        return try await task.value
    }

    /// What is stored at this moment.
    @discardableResult
    private func reload() async throws -> StoredSignIn {
        guard let stored = try await store.load() else { throw SignInError.none }
        if let identity, stored.identity != identity { throw SignInError.anotherPerson }
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
        var signIn = try await reload()
        if signIn.access != old, signIn.accessEnds > now(), !signIn.isEnded { return signIn }
        guard let refresh = signIn.refresh, !signIn.isEnded else { throw SignInError.ended }
        // The server forgets the old pair at once: on a full disk, the new one would be lost with it.
        try await store.save(signIn)
        let server = SignInClient(signIn.origin, signIn.endpoints, client)
        let tokens: Tokens
        do {
            tokens = try await server.refresh(refresh, client: signIn.clientID)
        } catch SignInError.refused("invalid_grant") {
            // A process without this lock, of an older release perhaps, may have been faster.
            let stored = try await reload()
            if stored.access != signIn.access { return stored }
            signIn.isEnded = true
            try await store.save(signIn)
            known = signIn
            throw SignInError.ended
        }
        signIn.renew(tokens, now: now())
        try await store.save(signIn)
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
