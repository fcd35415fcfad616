internal import HTTP
internal import HTTPTransport
internal import MailAPI
internal import MailSignIn
internal import MailStorage
internal import Platform

/// One account: its sign-in, its files, and its server.
struct AccountChecks: Sendable {
    private let topic: String
    private let label: String
    private let known: Account?
    private let places: Places
    private let settings: Settings

    /// How long a database is checked.
    private static let checkMilliseconds: Int64 = 2_000

    init(_ topic: String, _ label: String, _ known: Account?, _ places: Places, _ settings: Settings) {
        self.topic = topic
        self.label = label
        self.known = known
        self.places = places
        self.settings = settings
    }

    func all() async -> [Finding] {
        var place = known ?? Account(label: label, origin: "", credential: .signIn(identity: ""), places: places)
        place.settings = settings
        let account = place
        let databases = Task.detached { self.databases(account) }
        // The server first: how old a sign-in is goes by its clock.
        let clock = (try? Session.client()).map { (client: $0, watch: ClockWatch($0)) }
        defer { clock?.client.stop() }
        var server: [Finding] = []
        if let origin = known?.origin ?? (try? account.tokens.file.load())?.origin.origin {
            server = await self.server(origin, clock?.watch)
        }
        let signIn =
            known == nil
            ? await signIn(account, now: clock?.watch.milliseconds ?? WallClock.milliseconds())
            : .good("\(topic) sign-in", "the bearer of HERALD_TOKEN")
        return [signIn] + server + (await databases.value)
    }

    private func signIn(_ account: Account, now: Int64) async -> Finding {
        let topic = "\(topic) sign-in"
        let record: StoredSignIn?
        do throws(TokenStoreError) {
            record = try account.tokens.file.load()
        } catch {
            return .bad(topic, "cannot be used", error.message)
        }
        guard let record else { return .bad(topic, "is gone", "Sign in again.") }
        do throws(TokenStoreError) {
            let stored = try await account.tokens.load()
            if stored?.isEnded == true {
                return .bad(topic, "has ended", "Sign in again with “herald account add”.")
            }
        } catch {
            return .bad(topic, AccountChecks.place(record), error.message)
        }
        if let hint = AccountCheck.hint(record, settings) {
            return .fair(topic, AccountChecks.place(record), hint)
        }
        if record.place == .command { return .good(topic, AccountChecks.place(record)) }
        let text = "\(AccountChecks.place(record)), \(AccountCheck.age(record.signedInAt, now: now)), "
        return .good(topic, text + AccountCheck.due(record.signedInAt, now: now))
    }

    private static func place(_ record: StoredSignIn) -> String {
        switch record.place {
        case .file: "in a file that only you can read"
        case .keyring: "in the keyring"
        case .command: "printed by the program of token_command"
        }
    }

    // The server.

    private func server(_ origin: String, _ client: ClockWatch?) async -> [Finding] {
        let topic = "\(topic) server"
        guard let client else { return [.bad(topic, "could not be asked", "Try again.")] }
        let outcome: [Finding]?
        do {
            outcome = try await Patience.within(Patience.servers) { try await ask(origin, client) }
        } catch let error as HTTPError {
            return [AccountChecks.finding(error, topic)]
        } catch let error as MailAPIError {
            if case .transport(let error) = error { return [AccountChecks.finding(error, topic)] }
            return [.bad(topic, "answers, but not as HQBase does", error.message)]
        } catch {
            return [.bad(topic, "could not be asked", "Try again.")]
        }
        return outcome ?? [.bad(topic, "does not answer in time", "Look whether it runs, and at the network.")]
    }

    private static func finding(_ error: HTTPError, _ topic: String) -> Finding {
        switch error {
        case .tlsFailed:
            .bad(
                topic, "no secure connection could be made",
                "Check its certificate, this machine's clock, and HERALD_CA_FILE.")
        case .unknownHost: .bad(topic, "its name is not found", "Check the network and its name server.")
        default: .bad(topic, "cannot be reached", "Check the network; mail that is here can be read meanwhile.")
        }
    }

    private func ask(_ origin: String, _ client: ClockWatch) async throws -> [Finding] {
        let response = try await client.send(
            HTTPRequest(url: origin + "/.well-known/oauth-protected-resource/api/v1", responseBytesMax: 1 << 20))
        let now = WallClock.milliseconds()
        let features = try await HTTPMailAPIClient(origin: origin, token: "", client: client).features()
        let isSecure = origin.hasPrefix("https:")
        var findings: [Finding] = []
        let reach = isSecure ? "answers over TLS" : "answers on this machine, without TLS"
        if !features.hasChanges {
            findings.append(.bad("\(topic) server", reach + ", too old", "HQBase 1.2 or newer is needed."))
        } else {
            let version = features.hasDraftChanges ? "newer than HQBase 1.2" : "HQBase 1.2"
            findings.append(
                .good("\(topic) server", "\(reach), \(version)\(features.hasEvents ? ", with live events" : "")"))
        }
        findings.append(clock(response.value(of: "Date").flatMap(HTTPDate.seconds), now / 1_000))
        return findings
    }

    private func clock(_ server: Int64?, _ own: Int64) -> Finding {
        guard let server else { return .good("\(topic) clock", "the server does not tell its time") }
        let ahead = own - server
        let text = "\(abs(ahead)) s \(ahead < 0 ? "behind" : "ahead of") the server's"
        if abs(ahead) <= ClockWatch.toleratedSeconds {
            return .good("\(topic) clock", abs(ahead) <= 1 ? "as the server's" : text)
        }
        return .bad("\(topic) clock", text, "Set this machine's clock; sign-ins and ages of mail go by it.")
    }

    // The files.

    private func databases(_ account: Account) -> [Finding] {
        let files = [("cache", account.cachePath), ("outbox", account.outboxPath)]
        return files.compactMap { name, path in
            let topic = "\(topic) \(name)"
            let isCache = name == "cache"
            switch DatabaseCheck.quick(
                path, until: Environment.monotonicMilliseconds + AccountChecks.checkMilliseconds)
            {
            case .missing: return isCache ? .good(topic, "not there yet; the first pass makes it") : nil
            case .sound: return .good(topic, "sound")
            case .tooLarge: return .good(topic, "sound as far as could be checked in time")
            case .damaged where isCache: return .bad(topic, "is damaged", "“herald --rebuild-cache” makes it anew.")
            case .damaged: return .bad(topic, "is damaged", "Keep a copy of it, and see recovery.md.")
            case .unreadable: return .bad(topic, "cannot be read", "See who owns it, and what is open.")
            }
        }
    }
}
