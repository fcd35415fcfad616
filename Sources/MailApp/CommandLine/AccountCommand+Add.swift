internal import CSystem
internal import DisplayText
internal import Glibc
internal import HTTP
internal import HTTPTransport
internal import JSON
internal import MailAPI
internal import MailSignIn
internal import MailModel
internal import MailStorage
internal import MailUI
internal import Platform
internal import TerminalDriver

/// Signing in.
extension AccountCommand {
    func add(_ text: String) async throws {
        let origin = try Account.typedOrigin(text)
        let label = options.label ?? Account.label(origin)
        guard Accounts.isName(label) else {
            throw CommandFailure(Accounts.nameRule, .usage)
        }
        let client = try Session.client()
        defer { client.stop() }
        let place = place(label, origin: origin.origin)
        // What cannot be read is replaced.
        let former = try? place.tokens.file.load()
        if let former, !former.origin.hasSameOrigin(as: origin) {
            throw CommandFailure(
                "The account “\(label)” is of another server. Remove it first, or choose a --name.", .badInput)
        }
        // Before the person has approved anything in vain.
        if settings.tokenPlace == .keyring { try await place.tokens.keyring.checkReady() }
        if Files.isDirectory(place.tokens.file.path) { throw TokenStoreError.notFile }
        var stored = try await signedIn(origin, former, place, client)
        stored.place = settings.tokenPlace
        var identity = AccountIdentity.same
        if let former { identity = try await AccountIdentity.of(stored, after: former, place, client) }
        if identity != .same { stored.identity = Environment.uuid() }
        try place.makeDirectories()
        if stored.place == .command { stored.access = "" }
        try await alone(place) { try await place.tokens.save(stored) }
        if options.json { return tell(label, stored) }
        Output.line("Signed in as “\(label)”. “herald” opens it; “herald --sync-once” fetches its mail.")
        switch identity {
        case .same: break
        case .another: Output.line("It opens other mailboxes than the mail here is of; that mail is set aside.")
        case .unknown: Output.line("No mail is here that tells whether it is the same person's as before.")
        }
        tellForeignWork(place, stored)
    }

    /// Tells what the sign-in before this one has left unsent.
    private func tellForeignWork(_ place: Account, _ stored: StoredSignIn) {
        let account = Account(
            label: place.label, origin: place.origin, credential: .signIn(identity: stored.identity),
            places: place.places)
        // What is wrong with the file is told by who uses it.
        guard let counts = try? OutboxStore.counts(path: account.outboxPath, owner: account.owner),
            let sentence = Outbox.anothers(counts.anothers, account)
        else { return }
        Output.line(sentence)
    }

    /// Has the person, or the program of the settings, show that they may read mail here.
    private func signedIn(
        _ origin: URLParts, _ former: StoredSignIn?, _ place: Account, _ client: CurlClient
    ) async throws -> StoredSignIn {
        let clock = ClockWatch(client)
        do {
            let stored = try await signedIn(origin, former, place, clock)
            if !options.json, let sentence = clock.sentence { Output.failure(sentence) }
            return clock.dated(stored)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw clock.explained(Failures.failure(error))
        }
    }

    private func signedIn(
        _ origin: URLParts, _ former: StoredSignIn?, _ place: Account, _ client: ClockWatch
    ) async throws -> StoredSignIn {
        let signIn = SignIn(client: client, now: WallClock.milliseconds)
        let question = "Asking the server for its sign-in"
        switch settings.tokenPlace {
        case .command:
            let bearer = try await place.tokens.command.bearer()
            return try await Patience.telling(question) {
                let stored = try await signIn.adopt(bearer, at: origin, former: former)
                _ = try await HTTPMailAPIClient(origin: place.origin, token: bearer, client: client).mailboxes()
                return stored
            }
        case .file, .keyring:
            if options.usesBrowser {
                let browsing = try await Patience.telling(question) {
                    try await signIn.beginInBrowser(origin, former: former)
                }
                show(browsing)
                return try await signIn.wait(browsing)
            }
            let pending = try await Patience.telling(question) { try await signIn.begin(origin, former: former) }
            show(pending.code)
            return try await signIn.wait(pending)
        }
    }

    /// Opens the page in the person's browser, and shows its address in any case.
    private func show(_ browsing: SignIn.Browsing) {
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("version", 1)
                writer.member("authorizationUri", browsing.address)
                writer.member("expiresIn", browsing.secondsLeft)
            }
            Output.write(writer.bytes + [0x0A])
        } else {
            let opens = if case .programs? = LinkOpener.way(browsing.address, Environment.value) { true } else { false }
            Output.line(
                opens
                    ? "A browser opens on this machine. If none does, open this address in one:"
                    : "Open this address in a browser on this machine; elsewhere, sign in without --browser:")
            Output.line("")
            Output.line("    " + link(browsing.address))
            Output.line("")
            Output.line(AccountCommand.waiting(secondsMax: browsing.secondsLeft))
        }
        guard case .programs(let programs)? = LinkOpener.way(browsing.address, Environment.value) else { return }
        // Not waited for: a browser may stay open for days.
        Task { if let failure = await LinkOpener.start(programs) { Output.failure(failure) } }
    }

    /// An address as a link of the terminal, where it has them.
    private func link(_ address: String) -> String {
        let shown = TextDisplay.sanitizedLine(address)
        let hasLinks = settings.hyperlinks ?? Hyperlinks.areKnown(Environment.value)
        guard isatty(1) == 1, hasLinks else { return shown }
        return Hyperlinks.link(address, shown: shown)
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
        Output.line("    " + link(code.address))
        Output.line("")
        Output.line("and type this code:")
        Output.line("")
        for line in lines(of: String(shown)) { Output.line(line.isEmpty ? "" : "    " + line) }
        Output.line("")
        Output.line("The same in one: " + link(code.addressWithCode))
        Output.line(AccountCommand.waiting(secondsMax: code.secondsLeft))
    }

    /// A code as large letters, where there is a terminal that has the room and the characters; else spaced out.
    private func lines(of code: String) -> [String] {
        let large = isatty(1) == 1 && herald_is_utf8() != 0 ? LargeLetters.rows(code) : []
        let plain = TextDisplay.sanitizedLine(code.map(String.init).joined(separator: " "))
        guard let width = large.first?.count, width + 4 <= Output.columns(of: 1) else { return [plain] }
        return large + ["", plain]
    }

    /// How long the person may take.
    private static func waiting(secondsMax: Int) -> String {
        let minutes = (secondsMax + 59) / 60
        return "Waiting, for up to \(minutes) minute\(minutes == 1 ? "" : "s"). C-c ends this."
    }

    private func tell(_ label: String, _ stored: StoredSignIn) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("account", label)
            writer.member("origin", stored.origin.origin)
            writer.member("store", stored.place.rawValue)
            writer.member("scopes", stored.scopes.split(separator: " ").map(String.init))
        }
        Output.write(writer.bytes + [0x0A])
    }
}
