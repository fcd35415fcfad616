internal import Glibc
internal import HTTP
internal import JSON
internal import MailAPI
internal import MailModel
internal import MailSignIn
internal import MailStorage
internal import Platform

/// `herald account`: signing in and out, and what there is.
struct AccountCommand {
    let options: Command.AccountOptions
    let places: Places
    let settings: Settings

    func run() async throws {
        switch options.action {
        case .add(let origin): try await add(origin)
        case .list: list()
        case .check:
            let account = try Accounts.choose(options.label, places, settings)
            try await AccountCheck(account: account, json: options.json).run()
        case .remove: try await remove()
        }
    }

    private func list() {
        let labels = Accounts.labels(places)
        guard options.json else {
            if labels.isEmpty { Output.line("No account is set up. Sign in with “herald account add ORIGIN”.") }
            for label in labels { Output.line(label) }
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("accounts", labels)
        }
        Output.write(writer.bytes + [0x0A])
    }

    /// The account of a name, whether it is set up or not.
    func place(_ label: String, origin: String = "") -> Account {
        var account = Account(
            label: label, origin: origin, credential: .signIn(identity: ""), places: places)
        account.settings = settings
        return account
    }

    /// How long another process's renewal is waited for, in milliseconds: a whole request's time.
    private static let lockMax: Int64 = 35_000

    /// Changes what is kept of a sign-in while no process renews it.
    func alone(_ account: Account, _ change: () async throws -> Void) async throws {
        let lock = try await takeLock(
            account.tokenLockPath, "Another process renews this sign-in. Try again later.")
        // The lock goes with this scope, also when the change fails.
        try await change()
        _ = consume lock
    }

    /// A lock of the kernel, once no other process holds it.
    ///
    /// - Throws: `CommandFailure` with the sentence when that takes longer than a request may.
    func takeLock(_ path: String, _ sentence: String) async throws -> FileLock {
        let end = Environment.monotonicMilliseconds + AccountCommand.lockMax
        while true {
            if let lock = try lock(path) { return lock }
            guard Environment.monotonicMilliseconds < end else { throw CommandFailure(sentence, .tryLater) }
            try await Task.sleep(for: .milliseconds(25))
        }
    }

    private func lock(_ path: String) throws -> FileLock? {
        do {
            return try FileLock.take(path)
        } catch {
            guard error.code == ENOENT else { throw error }
            throw CommandFailure("The account's directory is gone.", .badInput)
        }
    }
}
