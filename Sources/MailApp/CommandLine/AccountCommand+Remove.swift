internal import HTTP
internal import HTTPTransport
internal import MailSignIn
internal import Platform

/// Signing out.
extension AccountCommand {
    /// How long the server is asked to take the sign-in back; it ends by itself later in any case.
    private static let revocationMax = Duration.seconds(5)

    func remove() async throws {
        guard Environment.value("HERALD_TOKEN") == nil else {
            throw CommandFailure("The account of HERALD_TOKEN is not kept here. Unset the variable.", .usage)
        }
        let label = try Accounts.label(options.label, places)
        // What is kept need not be readable to be removed, so nothing of it is used for that.
        let account = place(label)
        // Before anybody is waited for: a pass of another process may hang with its server.
        if !options.keepsCache { try UnsentWork(account).checkDiscard(options.discard) }
        // No pass may write what is removed, and no renewal bring it back.
        let lock = try await PassLock.wait(account, showsProgress: true)
        // Nor may one be sending what is counted here.
        let drain = try await takeLock(account.drainLockPath, "Another Herald sends changes now. Try again later.")
        // What was queued meanwhile counts as well.
        if !options.keepsCache { try UnsentWork(account).checkDiscard(options.discard) }
        let tokens = account.tokens
        let record = try? tokens.file.load()
        // A program that prints bearers keeps nothing that could be taken back.
        let stored = record?.place == .command ? nil : try? await tokens.load()
        var failure: TokenStoreError?
        try await alone(account) {
            do throws(TokenStoreError) {
                try await tokens.remove()
            } catch  where record?.place == .keyring {
                // The account goes all the same; what stays in the keyring is told.
                failure = error
            }
            if options.keepsCache, let record { try tokens.file.save(record.signedOut) }
        }
        if let stored { await revoke(stored) }
        if !options.keepsCache {
            Files.removeTree(account.cacheDirectory)
            Files.removeTree(account.stateDirectory)
        }
        _ = consume drain
        _ = consume lock
        Output.line(options.keepsCache ? "Signed out; the mail stays here." : "Signed out; the mail here is removed.")
        guard let failure else { return }
        throw CommandFailure(
            "The tokens are still in the keyring. \(failure.message)", ExitCode(rawValue: failure.exitCode) ?? .tryLater
        )
    }

    /// Tells the server, if it answers; the tokens are gone from here in any case.
    private func revoke(_ stored: StoredSignIn) async {
        guard let token = stored.refresh, let client = try? Session.client() else { return }
        defer { client.stop() }
        _ = try? await Patience.within(AccountCommand.revocationMax) {
            try await SignInClient(stored.origin, stored.endpoints, client).revoke(token, client: stored.clientID)
        }
    }
}
