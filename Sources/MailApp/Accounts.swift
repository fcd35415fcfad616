internal import DisplayText
internal import HTTP
internal import MailAPI
internal import MailSignIn
internal import Platform

/// The accounts of this machine.
enum Accounts {
    /// The account that a command works on: that of the environment, the one named, or the only one.
    ///
    /// - Throws: `CommandFailure` when there is none, or it is not clear which.
    static func choose(
        _ label: String?, _ places: Places, _ settings: Settings
    ) throws(CommandFailure) -> Account {
        if let account = try Account.fromEnvironment(places, settings) { return account }
        return try account(self.label(label, places), places, settings)
    }

    /// The name of the account that is meant: the one named, or the only one.
    ///
    /// - Throws: `CommandFailure` when there is none, or it is not clear which.
    static func label(_ label: String?, _ places: Places) throws(CommandFailure) -> String {
        let labels = labels(places)
        if let label {
            // A name that is not among them is never made a path of.
            guard labels.contains(label) else { throw unknown(label) }
            return label
        }
        guard let first = labels.first else {
            throw CommandFailure(
                "No account is set up. Sign in with “herald account add ORIGIN”, or try “herald --demo”.",
                .signInNeeded)
        }
        guard labels.count == 1 else {
            throw CommandFailure(
                "There are several accounts. Add “--account” with one of: \(labels.joined(separator: ", ")).", .usage)
        }
        return first
    }

    /// Every account that a command works on: that of the environment, the one named, or all that signed in.
    ///
    /// - Throws: `CommandFailure` when there is none, or none of that name.
    static func all(
        _ label: String?, _ places: Places, _ settings: Settings
    ) throws(CommandFailure) -> [FoundAccount] {
        if let account = try Account.fromEnvironment(places, settings) {
            guard label == nil || label == account.label else { throw unknown(label ?? "") }
            return [FoundAccount(label: account.label, account: .success(account))]
        }
        let labels = labels(places)
        guard label == nil, !labels.isEmpty else {
            let label = try self.label(label, places)
            return [FoundAccount(label, places, settings)]
        }
        return labels.map { FoundAccount($0, places, settings) }
    }

    static func unknown(_ label: String) -> CommandFailure {
        CommandFailure("No account here is called “\(TextDisplay.sanitizedLine(label))”.", .badInput)
    }

    /// The names of the accounts that have signed in, sorted.
    static func labels(_ places: Places) -> [String] {
        Files.names(in: places.state).filter { Files.exists(tokenPath($0, places)) }
    }

    /// Where the sign-in of an account is kept.
    static func tokenPath(_ label: String, _ places: Places) -> String { "\(places.state)/\(label)/token.json" }

    /// The account of a name, with what is kept of its sign-in.
    ///
    /// - Throws: `CommandFailure` when the sign-in cannot be read.
    static func account(_ label: String, _ places: Places, _ settings: Settings) throws(CommandFailure) -> Account {
        let stored: StoredSignIn?
        do {
            // The record is enough: whose it is can be told while a keyring is locked.
            stored = try TokenFile(path: tokenPath(label, places)).load()
        } catch {
            throw Failures.failure(error)
        }
        guard let stored else { throw Failures.failure(SignInError.none) }
        var account = Account(
            label: label, origin: stored.origin.origin, credential: .signIn(identity: stored.identity),
            places: places)
        account.settings = settings
        return account
    }

    /// What the program itself keeps beside the directories of accounts, in the state or the cache.
    private static let reserved: Set<String> = [
        "command-history", "herald.log", "herald.log.1", "opened", "sync-failed",
    ]

    /// What names accounts can have, for who typed another.
    static let nameRule =
        "An account's name has up to 64 letters, digits and “-._+@”, no dot in front, and is not that of a file of Herald."

    /// Whether a name can be one of an account: it becomes that of a directory.
    static func isName(_ text: String) -> Bool {
        !text.hasPrefix(".") && !reserved.contains(text) && (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-._+@".unicodeScalars.contains(scalar)
            }
    }
}

/// An account of this machine, or why it cannot be used; the others work all the same.
struct FoundAccount: Sendable {
    let label: String
    let account: Result<Account, CommandFailure>

    init(label: String, account: Result<Account, CommandFailure>) {
        self.label = label
        self.account = account
    }

    /// Reads what is kept of an account.
    init(_ label: String, _ places: Places, _ settings: Settings) {
        self.label = label
        do {
            account = .success(try Accounts.account(label, places, settings))
        } catch {
            account = .failure(error)
        }
    }
}

/// The bearers of an account that signed in, with errors as the mail API has them.
struct SignedInBearers: BearerSource {
    let keeper: TokenKeeper

    func bearer() async throws -> String {
        try await SignedInBearers.told { try await keeper.bearer() }
    }

    func bearer(insteadOf refused: String) async throws -> String? {
        try await SignedInBearers.told { try await keeper.bearer(insteadOf: refused) }
    }

    func noteRefused(_ bearer: String) async { await keeper.noteRefused(bearer) }

    func noteAccepted(_ bearer: String) async { await keeper.noteAccepted(bearer) }

    private static func told<Value: Sendable>(_ ask: () async throws -> Value) async throws -> Value {
        do {
            return try await ask()
        } catch let error as SignInError {
            switch error {
            case .transport(let error): throw MailAPIError.transport(error)
            case .rateLimited: throw MailAPIError.rateLimited
            case .server(let status): throw MailAPIError.server(status)
            case .malformed: throw MailAPIError.transport(.badResponse)
            case .wrongServer, .tooOld: throw MailAPIError.notJSON
            case .foreignEndpoint: throw MailAPIError.foreignLink
            case .insecure, .denied, .expired, .refused, .ended, .none, .anotherPerson:
                throw MailAPIError.signInNeeded("")
            }
        }
    }
}
