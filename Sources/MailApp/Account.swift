internal import HTTP
internal import MailModel
internal import MailOutbox
internal import MailSignIn
internal import Platform

/// One account: where its server is, what opens it, and where its files are.
struct Account: Hashable, Sendable {
    /// Host, with `-PORT` unless it is the scheme's own, and `+https` where http to the same host is possible too.
    let label: String
    let origin: String
    var credential: Credential
    let places: Places
    var settings = Settings()

    /// What opens an account.
    enum Credential: Hashable, Sendable {
        /// A bearer that never changes, of `HERALD_TOKEN`.
        case bearer(String)
        /// A sign-in that is kept in a file, by its mark of the person's identity.
        case signIn(identity: String)
    }

    /// Names origin and credential in the cache, so that another's rows are never shown.
    var owner: String {
        switch credential {
        case .bearer(let token): "\(origin) \(Account.fingerprint(token))"
        case .signIn(let identity): "\(origin) \(identity)"
        }
    }

    /// Where a sign-in is kept, whether there is one or not.
    var tokens: AccountTokens {
        AccountTokens(
            path: Accounts.tokenPath(label, places), label: label, command: settings.tokenCommand,
            limit: Patience.stores)
    }
    var tokenLockPath: String { stateDirectory + "/token.lock" }

    /// Whether the server is on this machine.
    var isLoopback: Bool { URLParts(origin)?.isLoopback ?? false }

    var cacheDirectory: String { places.cache + "/" + label }
    var stateDirectory: String { places.state + "/" + label }
    var cachePath: String { cacheDirectory + "/cache.sqlite" }
    var passLockPath: String { stateDirectory + "/pass.lock" }
    /// What waits for the server; never removed by the program.
    var outboxPath: String { stateDirectory + "/outbox.sqlite" }
    /// The copies of attached files.
    var spool: DraftSpool { DraftSpool(directory: stateDirectory + "/files") }
    /// Which drafts are being written.
    var openDrafts: OpenDrafts { OpenDrafts(directory: stateDirectory + "/open-drafts") }
    /// Locked by whoever sends what waits.
    var drainLockPath: String { stateDirectory + "/drain.lock" }
    /// Locked by a running terminal that watches over sends; the names of all of them begin alike.
    func minderPath(_ id: SendMinderID) -> String { "\(stateDirectory)/\(SendMinder.prefix)\(id.rawValue).lock" }
    var lastPassPath: String { stateDirectory + "/last-pass.json" }
    /// Locked by whoever listens to the server's events.
    var eventsLockPath: String { stateDirectory + "/events.lock" }
    var passJournal: PassJournalFile { PassJournalFile(path: lastPassPath, owner: owner) }

    /// A short mark of a token, FNV-1a; tells tokens apart without storing them.
    private static func fingerprint(_ token: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in token.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}

/// The directories of the program (XDG Base Directory), all below `HERALD_HOME` when that is set.
struct Places: Hashable, Sendable {
    let config: String
    let cache: String
    let state: String
    /// Whether nothing else of the person is read or written, as with `HERALD_HOME`.
    var isSelfContained = false

    /// The command lines typed in the terminal, for all accounts.
    var historyPath: String { state + "/command-history" }

    /// The log of the program, for all accounts.
    var logPath: String { state + "/herald.log" }

    /// - Throws: when neither `HERALD_HOME` nor `HOME` says where to keep anything, or not in UTF-8.
    static func fromEnvironment() throws(CommandFailure) -> Places {
        // A name with other bytes would be kept as text, and so become the name of another directory.
        for name in ["HERALD_HOME", "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            guard !Environment.isValid(name) else { continue }
            throw CommandFailure("\(name) names a directory with bytes that are not UTF-8.", .configuration)
        }
        if let home = Environment.value("HERALD_HOME") {
            return Places(
                config: home + "/config", cache: home + "/cache", state: home + "/state", isSelfContained: true)
        }
        guard let home = Environment.value("HOME") else {
            throw CommandFailure("HOME is not set. Set it, or HERALD_HOME.", .configuration)
        }
        func base(_ variable: String, _ fallback: String) -> String {
            // The specification says a relative path is to be ignored.
            if let path = Environment.value(variable), path.hasPrefix("/") { return path + "/herald" }
            return home + fallback + "/herald"
        }
        return Places(
            config: base("XDG_CONFIG_HOME", "/.config"), cache: base("XDG_CACHE_HOME", "/.cache"),
            state: base("XDG_STATE_HOME", "/.local/state"))
    }
}

extension Account {
    /// The account that `HERALD_ORIGIN` and `HERALD_TOKEN` name; `nil` when neither is set.
    ///
    /// Both are taken out of the environment, so that no child process gets them.
    /// - Throws: when only one is set, or the origin is not usable.
    static func fromEnvironment(_ places: Places, _ settings: Settings) throws(CommandFailure) -> Account? {
        let (origin, token) = (Environment.value("HERALD_ORIGIN"), Environment.value("HERALD_TOKEN"))
        if origin == nil, token == nil { return nil }
        guard let origin, let token else {
            throw CommandFailure("HERALD_ORIGIN and HERALD_TOKEN go together.", .configuration)
        }
        Environment.wipe("HERALD_TOKEN")
        Environment.remove("HERALD_ORIGIN")
        var account = try make(origin: origin, token: token, places: places)
        account.settings = settings
        return account
    }

    /// Puts the variables back for this same program to be started again.
    func toEnvironment() {
        guard case .bearer(let token) = credential else { return }
        Environment.set("HERALD_ORIGIN", origin)
        Environment.set("HERALD_TOKEN", token)
    }

    static func make(origin: String, token: String, places: Places) throws(CommandFailure) -> Account {
        // The value is not repeated, since a password may be in it.
        guard let parts = Account.origin(origin) else {
            throw CommandFailure("HERALD_ORIGIN is not an origin such as https://mail.example.com.", .configuration)
        }
        guard parts.scheme == "https" || parts.isLoopback else {
            throw CommandFailure("Herald talks to other machines over https only.", .configuration)
        }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw CommandFailure("HERALD_TOKEN has characters that no token has.", .configuration)
        }
        return Account(
            label: label(parts), origin: parts.origin, credential: .bearer(token), places: places)
    }

    /// The parts of an origin; `nil` for an address with anything behind it.
    static func origin(_ text: String) -> URLParts? {
        guard let parts = URLParts(text), parts.path == "/", parts.query == nil else { return nil }
        return parts
    }

    /// The name of an account at an origin, unless another is chosen.
    static func label(_ parts: URLParts) -> String {
        let isDefaultPort = parts.port == (parts.scheme == "https" ? 443 : 80)
        let label = isDefaultPort ? parts.host : "\(parts.host)-\(parts.port)"
        let safe = String(label.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "_" })
        // Only loopback is asked without TLS, so only there can two servers differ by the scheme alone.
        let scheme = parts.scheme == "https" && parts.isLoopback ? "+https" : ""
        return safe + scheme
    }

    /// Makes the account's directories.
    ///
    /// - Throws: when the system refuses.
    func makeDirectories() throws(CommandFailure) {
        do {
            try Files.makeDirectory(cacheDirectory)
            try Files.makeDirectory(stateDirectory)
        } catch {
            throw Failures.cannotMake("The directories for mail", error)
        }
    }
}

extension Account {
    /// The origin that a person typed: without a scheme, and with whatever a browser had behind it.
    ///
    /// - Throws: when it is no address.
    static func typedOrigin(_ text: String) throws(CommandFailure) -> URLParts {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count <= 1 else {
            throw CommandFailure("The address has blanks in it. It looks like mail.example.com.", .usage)
        }
        let text = String(words.first ?? "")
        var address = text
        if !text.contains("://") {
            let isLoopback = URLParts("http://" + text)?.isLoopback ?? false
            address = (isLoopback ? "http://" : "https://") + text
        }
        guard let parts = URLParts(address), let origin = URLParts(parts.origin) else {
            throw CommandFailure("This is not the address of a server. It looks like mail.example.com.", .usage)
        }
        return origin
    }
}
