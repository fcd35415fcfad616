internal import HTTPTransport
internal import MailAPI
internal import MailModel
internal import MailSignIn
internal import MailStorage

/// Whether a new sign-in is the person's whose mail is here; no route of the server says who one is.
enum AccountIdentity: Hashable, Sendable {
    /// Nothing says otherwise.
    case same
    /// Other mailboxes or rights say that another person has signed in than before.
    case another
    /// There is no mail here to tell by, but work that would be sent under the wrong name if it were another's.
    case unknown

    /// Compares what a new sign-in opens with what the one before it did.
    ///
    /// - Throws: `MailAPIError`, `StoreError`.
    static func of(
        _ stored: StoredSignIn, after former: StoredSignIn, _ place: Account, _ client: CurlClient
    ) async throws -> AccountIdentity {
        let before = Account(
            label: place.label, origin: place.origin, credential: .signIn(identity: former.identity),
            places: place.places)
        let reader = try? MailReader(path: before.cachePath, owner: before.owner)
        let known = try await reader?.mailboxes() ?? []
        guard !known.isEmpty else { return hasWork(before) ? .unknown : .same }
        let api = HTTPMailAPIClient(origin: place.origin, token: stored.access, client: client)
        return marks(known) == marks(try await api.mailboxes()) ? .same : .another
    }

    private static func marks(_ mailboxes: [Mailbox]) -> Set<String> {
        Set(mailboxes.map { "\($0.id.rawValue) \($0.accessLevel.map { "\($0)" } ?? "none")" })
    }

    private static func hasWork(_ account: Account) -> Bool {
        guard let counts = try? OutboxStore.counts(path: account.outboxPath, owner: account.owner) else { return false }
        return counts.own.total > 0
    }
}
