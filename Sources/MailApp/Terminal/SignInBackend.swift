internal import HTTP
internal import HTTPTransport
internal import MailAPI
internal import MailSignIn
internal import Platform

/// Signing in to one account: network and files, on a thread of its own.
actor SignInBackend {
    nonisolated let executor = ThreadExecutor(niceness: 10)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let account: Account

    init(account: Account) { self.account = account }

    isolated deinit {
        executor.stop()
    }

    /// Asks for a code, shows it, and waits for its approval; nothing is kept.
    ///
    /// Says too whether the mail that is here seems to be another person's.
    /// - Throws: `SignInError`, `MailAPIError`, `CommandFailure`, `CancellationError`.
    func signIn(
        isRenewal: Bool, show: @Sendable (DeviceCode, _ clock: String?) async -> Void
    ) async throws -> (SignedIn, isAnother: Bool) {
        guard let origin = URLParts(account.origin) else { throw SignInError.wrongServer }
        let client = try Session.client()
        defer { client.stop() }
        // What cannot be read is replaced.
        let former = isRenewal ? try? account.tokens.file.load() : nil
        let place = account.settings.tokenPlace
        // Before the person has approved anything in vain.
        if place == .keyring { try await account.tokens.keyring.checkReady() }
        var stored = try await stored(origin, former, ClockWatch(client), show)
        stored.place = place
        try Task.checkCancellation()
        let signedIn = SignedIn(stored: stored, place: account, isRenewal: isRenewal)
        guard let former else { return (signedIn, false) }
        return (signedIn, try await AccountIdentity.of(stored, after: former, account, client) != .same)
    }

    /// A sign-in of the kind that the settings want; a failure tells of the clock where that may be why.
    private func stored(
        _ origin: URLParts, _ former: StoredSignIn?, _ clock: ClockWatch,
        _ show: @Sendable (DeviceCode, String?) async -> Void
    ) async throws -> StoredSignIn {
        do {
            if account.settings.tokenPlace == .command { return clock.dated(try await adopted(origin, former, clock)) }
            return clock.dated(try await approved(origin, former, clock, show))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw clock.explained(Failures.failure(error))
        }
    }

    /// Has the person approve a code.
    private func approved(
        _ origin: URLParts, _ former: StoredSignIn?, _ client: ClockWatch,
        _ show: @Sendable (DeviceCode, String?) async -> Void
    ) async throws -> StoredSignIn {
        let signIn = SignIn(client: client, now: WallClock.milliseconds)
        let pending = try await signIn.begin(origin, former: former)
        await show(pending.code, client.sentence)
        return try await signIn.wait(pending)
    }

    /// Takes the bearer that the program of the settings prints.
    private func adopted(
        _ origin: URLParts, _ former: StoredSignIn?, _ client: ClockWatch
    ) async throws -> StoredSignIn {
        let bearer = try await account.tokens.command.bearer()
        let stored = try await SignIn(client: client, now: WallClock.milliseconds).adopt(
            bearer, at: origin, former: former)
        _ = try await HTTPMailAPIClient(origin: account.origin, token: bearer, client: client).mailboxes()
        return stored
    }

    /// Keeps a sign-in in place of what was kept, while no process renews that.
    ///
    /// - Throws: `TokenStoreError`, `CommandFailure`, `SystemError`.
    func keep(_ signIn: StoredSignIn) async throws {
        var stored = signIn
        if stored.place == .command { stored.access = "" }
        try account.makeDirectories()
        guard let lock = try FileLock.take(account.tokenLockPath, waitMilliseconds: SignInBackend.renewalMax) else {
            throw CommandFailure("Another process renews this sign-in. Try again later.", .tryLater)
        }
        // The lock goes with this scope, also when the change fails.
        try await account.tokens.save(stored)
        _ = consume lock
    }

    /// Tells the server that a sign-in is not wanted; it ends by itself otherwise.
    func giveBack(_ stored: StoredSignIn) async {
        guard let token = stored.refresh, let client = try? Session.client() else { return }
        defer { client.stop() }
        try? await SignInClient(stored.origin, stored.endpoints, client).revoke(token, client: stored.clientID)
    }

    /// How long a renewal of another process is waited for, in milliseconds.
    private static let renewalMax: Int64 = 35_000
}
