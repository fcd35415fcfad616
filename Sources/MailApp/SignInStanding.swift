internal import MailSignIn

/// How the sign-in of an account stands by what is kept of it.
struct SignInStanding: Hashable, Sendable {
    /// When the person approved it, in seconds since 1970 by this machine's clock; `nil` for a program's bearer, whose
    /// age nobody knows.
    let approvedAt: Int64?
    /// Whether only a new sign-in helps.
    let isEnded: Bool

    /// Reads a small file; `nil` where nobody signed in, or it cannot be read.
    ///
    /// What is kept goes by the server's clock; `clockAhead` is how far this machine's is ahead of that, in milliseconds.
    init?(_ account: Account, clockAhead: Int64 = 0) {
        guard case .signIn = account.credential, let stored = try? account.tokens.file.load() else { return nil }
        approvedAt = stored.place == .command ? nil : (stored.signedInAt + clockAhead) / 1_000
        isEnded = stored.place != .command && stored.isEnded
    }
}
