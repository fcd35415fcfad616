internal import DisplayText
internal import Glibc
internal import HTTPTransport
internal import JSON
internal import MailAPI
internal import MailModel
internal import MailSignIn
internal import Platform

/// `herald account check`: where the sign-in is, what it opens, and when it is due.
struct AccountCheck {
    let account: Account
    let json: Bool

    /// How long a browser's session lasts at least, and with it the sign-in it approved (contract §2.7).
    static let sessionDays: Int64 = 7
    private static let day: Int64 = 86_400_000

    func run() async throws {
        let client = try Session.client()
        defer { client.stop() }
        let clock = ClockWatch(client)
        let api = HTTPMailAPIClient(
            origin: account.origin, bearers: Session.bearers(account, client), client: clock)
        let mailboxes = try await Patience.telling("Asking the server") { try await api.mailboxes() }
        let record = isKept ? try account.tokens.file.load() : nil
        let now = clock.milliseconds
        if json { return Output.write(bytes(record, mailboxes, now: now) + [0x0A]) }
        Output.line("account    \(account.label)")
        Output.line("server     \(account.origin)")
        Output.line("store      \(store(record))")
        if let record, record.place != .command {
            Output.line("scopes     \(TextDisplay.sanitizedLine(record.scopes))")
            let (age, due) = (
                AccountCheck.age(record.signedInAt, now: now), AccountCheck.due(record.signedInAt, now: now)
            )
            Output.line("signed in  \(age); \(due)")
        }
        if let sentence = clock.sentence { Output.line("clock      \(sentence)") }
        if let hint = AccountCheck.hint(record, account.settings) { Output.line("hint       \(hint)") }
        for mailbox in mailboxes {
            let access = mailbox.accessLevel.map { "\($0)" } ?? "no access"
            Output.line(
                "mailbox    \(TextDisplay.sanitizedLine(mailbox.address)), \(TextDisplay.sanitizedLine(access))")
        }
    }

    private var isKept: Bool { if case .signIn = account.credential { true } else { false } }

    private func store(_ record: StoredSignIn?) -> String {
        switch record?.place {
        case .file: "a file that only you can read"
        case .keyring: "the keyring"
        case .command: "none here: the program of token_command prints the bearer"
        case nil: "none here: HERALD_TOKEN"
        }
    }

    /// How long ago the person approved; both are in milliseconds by the server's clock.
    static func age(_ signedInAt: Int64, now: Int64) -> String {
        let days = (now - signedInAt) / day
        if days < 0 { return "at a time that is still to come, as the clock went back" }
        return days == 0 ? "today" : days == 1 ? "1 day ago" : "\(days) days ago"
    }

    /// When the person has to approve again.
    static func due(_ signedInAt: Int64, now: Int64) -> String {
        let left = signedInAt + sessionDays * day - now
        guard left > 0 else { return "due at any time, unless the web app was used since" }
        let days = (left + day - 1) / day
        return "due in \(days == 1 ? "1 day" : "\(days) days"), unless the web app is used"
    }

    /// What to do when the settings want the tokens elsewhere.
    static func hint(_ record: StoredSignIn?, _ settings: Settings) -> String? {
        guard let record, record.place != settings.tokenPlace else { return nil }
        return "The settings want the tokens elsewhere; “herald account add” moves them there."
    }

    private func bytes(_ record: StoredSignIn?, _ mailboxes: [Mailbox], now: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("account", account.label)
            writer.member("origin", account.origin)
            writer.member("store", record?.place.rawValue ?? "environment")
            if let record, record.place != .command {
                writer.member("scopes", record.scopes.split(separator: " ").map(String.init))
                writer.member("signedInAt", AccountCheck.text(record.signedInAt))
                let due = record.signedInAt + AccountCheck.sessionDays * AccountCheck.day
                writer.member("dueAt", AccountCheck.text(due))
                writer.member("daysOld", Int((now - record.signedInAt) / AccountCheck.day))
            }
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

    private static func text(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S.000Z", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
