internal import HTTPTransport
internal import MailAPI
internal import MailModel
internal import MailSignIn
internal import MailStorage

/// Whether a new sign-in is the person's whose mail is here; no route of the server says who one is.
enum AccountIdentity {
    /// Whether other mailboxes or rights say that another person has signed in than before.
    ///
    /// - Throws: `MailAPIError`, `StoreError`.
    static func isAnother(
        _ stored: StoredSignIn, than former: StoredSignIn, _ place: Account, _ client: CurlClient
    ) async throws -> Bool {
        let before = Account(
            label: place.label, origin: place.origin, credential: .signIn(identity: former.identity),
            places: place.places)
        guard let reader = try? MailReader(path: before.cachePath, owner: before.owner) else { return false }
        let known = try await reader.mailboxes()
        let api = HTTPMailAPIClient(origin: place.origin, token: stored.access, client: client)
        func marks(_ mailboxes: [Mailbox]) -> Set<String> {
            Set(mailboxes.map { "\($0.id.rawValue) \($0.accessLevel.map { "\($0)" } ?? "none")" })
        }
        if known.isEmpty { return false }
        return marks(known) != marks(try await api.mailboxes())
    }
}
