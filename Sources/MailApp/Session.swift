internal import HTTP
internal import HTTPTransport
internal import MailAPI
internal import MailOutbox
internal import MailSignIn
internal import MailStorage
internal import MailSync
internal import Platform

/// A running account: its cache for writing, its connection and its sync.
struct Session: Sendable {
    let account: Account
    let store: MailStore
    let engine: SyncEngine
    let api: HTTPMailAPIClient
    let feed: HTTPEventFeed
    let attachments: HTTPAttachmentSource
    let outbox: Outbox
    /// What the server's answers say of this machine's clock.
    let clock: ClockWatch
    private let transport: CurlClient

    /// Opens the cache (`path`, by default the account's) and readies the connection; asks nothing yet.
    ///
    /// - Throws: `StoreError`, `CommandFailure` when directories cannot be made.
    init(
        account: Account, path: String? = nil, expectedMessages: Int? = nil, isInteractive: Bool = false,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in },
        tell: @escaping @Sendable (OutboxEvent) -> Void = { _ in }
    ) throws {
        try account.makeDirectories()
        self.account = account
        store = try MailStore(path: path ?? account.cachePath, owner: account.owner, outbox: account.outboxPath)
        transport = try Session.client()
        let bearers = Session.bearers(account, transport)
        clock = ClockWatch(transport)
        api = HTTPMailAPIClient(origin: account.origin, bearers: bearers, client: clock)
        feed = HTTPEventFeed(origin: account.origin, bearers: bearers, client: transport)
        attachments = HTTPAttachmentSource(origin: account.origin, bearers: bearers, client: transport)
        outbox = Outbox(account: account, api: api, cache: store, isInteractive: isInteractive, tell: tell)
        engine = SyncEngine(
            api: api, store: store, journal: account.passJournal,
            expectedMessages: expectedMessages, now: WallClock.milliseconds, progress: progress)
    }

    /// A connection to servers, by the certificates that the person trusts.
    ///
    /// - Throws: `HTTPError` when libcurl cannot be loaded.
    static func client() throws -> CurlClient {
        try CurlClient(version: HelpText.version, certificateAuthorityFile: Environment.value("HERALD_CA_FILE"))
    }

    /// Where the bearers of an account's requests come from.
    static func bearers(_ account: Account, _ client: any HTTPClient) -> any BearerSource {
        switch account.credential {
        case .bearer(let token): StaticBearer(token)
        case .signIn(let identity):
            SignedInBearers(
                keeper: TokenKeeper(
                    store: account.tokens, lockPath: account.tokenLockPath, client: client, identity: identity,
                    now: WallClock.milliseconds))
        }
    }

    /// Ends the connection; requests under way are cancelled.
    func close() { transport.stop() }
}

extension Session {
    /// Asks the server whether it accepts the bearer, while a cache of another one has the account's name.
    ///
    /// Opening a session sets that cache aside, which a mistyped token must not do.
    /// - Throws: `SyncError`, `CommandFailure`.
    static func checkBearer(of account: Account) async throws {
        guard MailReader.isAnothers(account.cachePath, owner: account.owner) else { return }
        let transport = try Session.client()
        defer { transport.stop() }
        let client = HTTPMailAPIClient(
            origin: account.origin, bearers: bearers(account, transport), client: transport)
        do {
            _ = try await client.mailboxes()
        } catch {
            try Task.checkCancellation()
            let known = SyncError(error)
            account.passJournal.record(
                PassRecord(
                    finishedAtMilliseconds: WallClock.milliseconds(), failure: known?.message,
                    failureCode: known.map { "\($0.logCode)" }, requests: client.traffic.requests, hasDrafts: nil,
                    needsSignIn: known?.needsSignIn ?? false))
            throw (known as (any Error)?) ?? error
        }
    }
}
