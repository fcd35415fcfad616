/// Where a sign-in is kept between runs.
///
/// What takes long enough to be waited for is asynchronous; nothing here asks the person.
package protocol TokenStore: Sendable {
    /// What is kept; `nil` when nothing is.
    ///
    /// - Throws: `TokenStoreError`.
    func load() async throws(TokenStoreError) -> StoredSignIn?

    /// Keeps a sign-in in place of what was kept; on the disk when it returns.
    ///
    /// - Throws: `TokenStoreError`; what was kept is then unchanged.
    func save(_ signIn: StoredSignIn) async throws(TokenStoreError)

    /// Forgets what is kept; nothing kept is fine.
    ///
    /// - Throws: `TokenStoreError`.
    func remove() async throws(TokenStoreError)
}

/// An account's sign-in, wherever its record says that the secrets are.
package struct AccountTokens: TokenStore {
    /// The record, which there is for every account.
    package let file: TokenFile
    /// The keyring, where secrets may be.
    package let keyring: KeyringTokens
    /// The program that may print them.
    package let command: CommandTokens

    /// The sign-in of the account called `label`, whose record is at `path`.
    ///
    /// `command` is the program of the settings and its arguments; empty when there is none. Keyring and program must
    /// answer within `limit`.
    package init(path: String, label: String, command: [String], limit: Duration = .seconds(2)) {
        file = TokenFile(path: path)
        keyring = KeyringTokens(record: file, label: label, limit: limit)
        self.command = CommandTokens(record: file, label: label, command: command, limit: limit)
    }

    private func store(_ place: StoredSignIn.Place) -> any TokenStore {
        switch place {
        case .file: file
        case .keyring: keyring
        case .command: command
        }
    }

    package func load() async throws(TokenStoreError) -> StoredSignIn? {
        guard let record = try file.load() else { return nil }
        return record.place == .file ? record : try await store(record.place).load()
    }

    package func save(_ signIn: StoredSignIn) async throws(TokenStoreError) {
        let former = try? file.load()
        try await store(signIn.place).save(signIn)
        // What was in the other place is of no use any more; that it cannot be removed now does no harm.
        if former?.place == .keyring, signIn.place != .keyring { try? await keyring.removeSecret() }
    }

    package func remove() async throws(TokenStoreError) {
        var failure: TokenStoreError?
        if (try? file.load())?.place == .keyring {
            do { try await keyring.removeSecret() } catch { failure = error }
        }
        try file.remove()
        if let failure { throw failure }
    }
}
