internal import DisplayText
internal import HTTP
internal import HTTPTransport
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
        case .check: try await check(Accounts.choose(options.label, places, settings))
        case .remove: try await remove()
        }
    }

    // Signing in.

    private func add(_ text: String) async throws {
        guard let origin = Account.origin(text) else {
            throw CommandFailure("“account add” takes an origin such as https://mail.example.com.", .usage)
        }
        let label = options.label ?? Account.label(origin)
        guard Accounts.isName(label) else {
            throw CommandFailure("An account's name has letters, digits, and “-._+@” only.", .usage)
        }
        let client = try Session.client()
        defer { client.stop() }
        let place = Account(label: label, origin: origin.origin, credential: .signIn(identity: ""), places: places)
        // What cannot be read is replaced.
        let former = try? place.tokenFile.load()
        if let former, !former.origin.hasSameOrigin(as: origin) {
            throw CommandFailure(
                "The account “\(label)” is of another server. Remove it first, or choose a --name.", .badInput)
        }
        let signIn = SignIn(client: client, now: WallClock.milliseconds)
        let pending = try await signIn.begin(origin, former: former)
        show(pending.code)
        var stored = try await signIn.wait(pending)
        if let former, try await isAnother(stored, than: former, place, client) {
            stored.identity = Environment.uuid()
        }
        try place.makeDirectories()
        try alone(place) { () throws(TokenStoreError) in try place.tokenFile.save(stored) }
        if options.json { return tell(label, stored) }
        Output.line("Signed in as “\(label)”. “herald” opens it; “herald --sync-once” fetches its mail.")
    }

    /// Shows the code large enough to be read across a desk.
    private func show(_ code: DeviceCode) {
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("version", 1)
                writer.member("userCode", code.userCode)
                writer.member("verificationUri", code.address)
                writer.member("verificationUriComplete", code.addressWithCode)
                writer.member("expiresIn", code.secondsLeft)
            }
            return Output.write(writer.bytes + [0x0A])
        }
        let shown =
            code.userCode.count == 8 ? code.userCode.prefix(4) + "-" + code.userCode.suffix(4) : code.userCode[...]
        Output.line("Open this address in a browser, here or on another device:")
        Output.line("")
        Output.line("    " + TextDisplay.sanitizedLine(code.address))
        Output.line("")
        Output.line("and type this code:")
        Output.line("")
        Output.line("    " + TextDisplay.sanitizedLine(shown.map(String.init).joined(separator: " ")))
        Output.line("")
        Output.line("The same in one: " + TextDisplay.sanitizedLine(code.addressWithCode))
        Output.line("Waiting, for up to \((code.secondsLeft + 59) / 60) minutes. C-c ends this.")
    }

    /// Whether other mailboxes or rights say that another person has signed in than before.
    private func isAnother(
        _ stored: StoredSignIn, than former: StoredSignIn, _ place: Account, _ client: CurlClient
    ) async throws -> Bool {
        let before = Account(
            label: place.label, origin: place.origin, credential: .signIn(identity: former.identity), places: places)
        guard let reader = try? MailReader(path: before.cachePath, owner: before.owner) else { return false }
        let known = try await reader.mailboxes()
        let api = HTTPMailAPIClient(origin: place.origin, token: stored.access, client: client)
        func marks(_ mailboxes: [Mailbox]) -> Set<String> {
            Set(mailboxes.map { "\($0.id.rawValue) \($0.accessLevel.map { "\($0)" } ?? "none")" })
        }
        if known.isEmpty { return false }
        return marks(known) != marks(try await api.mailboxes())
    }

    private func tell(_ label: String, _ stored: StoredSignIn) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("account", label)
            writer.member("origin", stored.origin.origin)
            writer.member("scopes", stored.scopes.split(separator: " ").map(String.init))
        }
        Output.write(writer.bytes + [0x0A])
    }

    // What there is.

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

    private func check(_ account: Account) async throws {
        let session = try Session(account: account)
        defer { session.close() }
        let mailboxes = try await session.api.mailboxes()
        let stored = try account.tokenFile.load()
        let days = stored.map { (WallClock.milliseconds() - $0.signedInAt) / 86_400_000 }
        guard !options.json else {
            return Output.write(json(account, stored, mailboxes, days) + [0x0A])
        }
        Output.line("account    \(account.label)")
        Output.line("server     \(account.origin)")
        switch account.credential {
        case .bearer: Output.line("sign-in    HERALD_TOKEN")
        case .signIn:
            Output.line("sign-in    a file that only you can read, \(days ?? 0) days old")
            Output.line("scopes     \(TextDisplay.sanitizedLine(stored?.scopes ?? ""))")
        }
        for mailbox in mailboxes {
            let access = mailbox.accessLevel.map { "\($0)" } ?? "no access"
            Output.line(
                "mailbox    \(TextDisplay.sanitizedLine(mailbox.address)), \(TextDisplay.sanitizedLine(access))")
        }
    }

    private func json(
        _ account: Account, _ stored: StoredSignIn?, _ mailboxes: [Mailbox], _ days: Int64?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("account", account.label)
            writer.member("origin", account.origin)
            if case .bearer = account.credential {
                writer.member("store", "environment")
            } else {
                writer.member("store", "file")
            }
            if let stored { writer.member("scopes", stored.scopes.split(separator: " ").map(String.init)) }
            if let days { writer.member("daysOld", Int(days)) }
            writer.name("mailboxes")
            writer.array { writer in
                for mailbox in mailboxes {
                    writer.object { writer in
                        writer.member("address", mailbox.address)
                        writer.member("accessLevel", mailbox.accessLevel.map { "\($0)" })
                    }
                }
            }
        }
        return writer.bytes
    }

    // Signing out.

    private func remove() async throws {
        guard Environment.value("HERALD_TOKEN") == nil else {
            throw CommandFailure("The account of HERALD_TOKEN is not kept here. Unset the variable.", .usage)
        }
        let label = try Accounts.label(options.label, places)
        // What is kept need not be readable to be removed, so nothing of it is used for that.
        let account = Account(label: label, origin: "", credential: .signIn(identity: ""), places: places)
        // No pass may write what is removed, and no renewal bring it back.
        let lock = try await PassLock.wait(account, showsProgress: true)
        let stored = try? account.tokenFile.load()
        try alone(account) { () throws(TokenStoreError) in try account.tokenFile.remove() }
        if let stored, let token = stored.refresh {
            let client = try Session.client()
            defer { client.stop() }
            // The tokens are gone from here in any case; the server ends them by itself later.
            try? await SignInClient(stored.origin, stored.endpoints, client).revoke(token, client: stored.clientID)
        }
        if !options.keepsCache { Files.removeTree(account.cacheDirectory) }
        _ = consume lock
        Output.line(options.keepsCache ? "Signed out; the mail stays here." : "Signed out; the mail here is removed.")
    }

    /// How long a renewal of another process is waited for, in milliseconds.
    private static let renewalMax: Int64 = 35_000

    /// Changes what is kept of a sign-in while no process renews it.
    private func alone(_ account: Account, _ change: () throws(TokenStoreError) -> Void) throws {
        guard let lock = try FileLock.take(account.tokenLockPath, waitMilliseconds: AccountCommand.renewalMax) else {
            throw CommandFailure("Another process renews this sign-in. Try again later.", .tryLater)
        }
        // The lock goes with this scope, also when the change fails.
        try change()
        _ = consume lock
    }
}
