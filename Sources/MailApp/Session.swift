internal import HTTPTransport
internal import MailAPI
internal import MailStorage
internal import MailSync
internal import Platform

/// A running account: its cache for writing, its connection and its sync.
struct Session: Sendable {
    let account: Account
    let store: MailStore
    let engine: SyncEngine
    let feed: HTTPEventFeed
    let attachments: HTTPAttachmentSource
    private let transport: CurlClient

    /// Opens the cache (`path`, by default the account's) and readies the connection; asks nothing yet.
    ///
    /// - Throws: `StoreError`, `CommandFailure` when directories cannot be made.
    init(
        account: Account, path: String? = nil, expectedMessages: Int? = nil,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) throws {
        try account.makeDirectories()
        self.account = account
        store = try MailStore(path: path ?? account.cachePath, owner: account.owner)
        transport = try CurlClient(
            version: HelpText.version, certificateAuthorityFile: Environment.value("HERALD_CA_FILE"))
        let client = HTTPMailAPIClient(origin: account.origin, token: account.token, client: transport)
        feed = HTTPEventFeed(origin: account.origin, client: transport) { account.token }
        attachments = HTTPAttachmentSource(origin: account.origin, client: transport) { account.token }
        engine = SyncEngine(
            api: client, store: store, journal: account.passJournal,
            expectedMessages: expectedMessages, now: WallClock.milliseconds, progress: progress)
    }

    /// Ends the connection; requests under way are cancelled.
    func close() { transport.stop() }
}
