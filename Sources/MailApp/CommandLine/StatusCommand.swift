internal import JSON
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// `herald status`: what is known of the accounts, without the network.
struct StatusCommand {
    let json: Bool
    let accounts: [FoundAccount]

    func run() async throws {
        var members: [(inout JSONWriter) -> Void] = []
        for (index, found) in accounts.enumerated() {
            if index > 0, !json { Output.line("") }
            do {
                let one = AccountStatus(account: try found.account.get())
                if json { members.append(try await one.member()) } else { try await one.tell() }
            } catch {
                let failure = Failures.failure(error)
                if accounts.count == 1 { throw failure }
                members.append { StatusCommand.write(failure, of: found.label, &$0) }
                if !json { Output.line("account    \(found.label)\nfailure    \(failure.message)") }
            }
        }
        guard json else { return }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("accounts")
            writer.array { writer in for member in members { member(&writer) } }
        }
        Output.write(writer.bytes + [0x0A])
    }

    /// An account whose sign-in cannot be used.
    private static func write(_ failure: CommandFailure, of label: String, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("account", label)
            writer.member("mode", "signedOut")
            writer.member("error", failure.message)
        }
    }
}

/// What is known of one account.
struct AccountStatus {
    let account: Account

    func tell() async throws {
        let status = try await MailReader(path: account.cachePath, owner: account.owner)?.status()
        let passes = account.passJournal.history.seen(at: WallClock.milliseconds())
        let outbox = OutboxStanding(account)
        Output.line("account    \(account.label)")
        Output.line("mode       \(AccountStatus.mode(status, passes))")
        if let line = outbox.line { Output.line("outbox     \(line)") }
        guard let status else {
            if let failure = passes.failure { Output.line("failure    \(failure)") }
            return Output.line("Nothing was fetched yet. Run “herald --sync-once”.")
        }
        if let last = passes.succeededAtMilliseconds {
            let seconds = (WallClock.milliseconds() - last) / 1_000
            Output.line("last pass  \(seconds < 0 ? "unknown, as the clock went back" : "\(seconds) s ago")")
        }
        if let failure = passes.failure { Output.line("failure    \(failure)") }
        if !passes.hasDrafts { Output.line("drafts     not covered by this sign-in") }
        Output.line("messages   \(status.messages) in \(status.conversations) conversations, \(status.drafts) drafts")
        Output.line("bodies     \(status.bodies) of \(status.messages)")
        Output.line("repaired   \(status.repaired)")
        Output.line("events     \(events(status).sentence)")
        Output.line("requests   \(passes.requestsToday) today, \(passes.requestsYesterday) yesterday")
    }

    /// Where live events stand.
    private enum Events: String {
        case listening, idle, none

        var sentence: String {
            switch self {
            case .listening: "the terminal program listens"
            case .idle: "offered, and nobody listens now"
            case .none: "not offered by the server"
            }
        }
    }

    private func events(_ status: CacheStatus?) -> Events {
        guard status?.offersEvents == true else { return .none }
        return FileLock.isHeld(account.eventsLockPath) ? .listening : .idle
    }

    private static func mode(_ status: CacheStatus?, _ passes: PassHistory) -> String {
        if passes.needsSignIn { return "signedOut" }
        guard let status else { return "bootstrapping" }
        if status.isBootstrapping || !status.isBootstrapped { return "bootstrapping" }
        return passes.failure == nil ? "synced" : "offline"
    }

    /// Writes the account's member of the JSON.
    func member() async throws -> (inout JSONWriter) -> Void {
        let status = try await MailReader(path: account.cachePath, owner: account.owner)?.status()
        let passes = account.passJournal.history.seen(at: WallClock.milliseconds())
        let events = events(status)
        let outbox = OutboxStanding(account)
        return { writer in
            writer.object { writer in
                writer.member("account", account.label)
                writer.member("mode", AccountStatus.mode(status, passes))
                writer.name("lastPassAt")
                if let last = passes.succeededAtMilliseconds { writer.value(Int(last)) } else { writer.null() }
                writer.name("lastAttemptAt")
                if let last = passes.finishedAtMilliseconds { writer.value(Int(last)) } else { writer.null() }
                writer.member("consecutiveFailures", passes.failures)
                writer.member("failure", passes.failure)
                writer.member("failureCode", passes.failureCode)
                writer.member("messages", status?.messages ?? 0)
                writer.member("conversations", status?.conversations ?? 0)
                writer.member("drafts", status?.drafts ?? 0)
                writer.member("bodies", status?.bodies ?? 0)
                outbox.write(&writer)
                writer.member("repaired", status?.repaired ?? 0)
                writer.member("events", events.rawValue)
                writer.member("requestsToday", passes.requestsToday)
                writer.member("requestsYesterday", passes.requestsYesterday)
            }
        }
    }
}

/// How much waits in the outbox, as far as that can be told.
private struct OutboxStanding {
    private let counts: OutboxCounts?
    /// How much a sign-in before this one has left, which this one does not send.
    private let anothers: OutboxCounts?
    private let failure: OutboxError?
    private let account: Account

    init(_ account: Account) {
        self.account = account
        do {
            let all = try OutboxStore.counts(path: account.outboxPath, owner: account.owner)
            (counts, anothers, failure) = (all?.own ?? OutboxCounts(), all?.anothers ?? OutboxCounts(), nil)
        } catch {
            (counts, anothers, failure) = (nil, nil, error)
        }
    }

    /// The line for people; `nil` when nothing waits.
    var line: String? {
        guard let counts, let anothers else { return failure?.message }
        if counts == OutboxCounts() { return Outbox.anothers(anothers, account) }
        let unknown = counts.unknown == 0 ? "" : " (may have been sent)"
        let drafts = counts.unsavedDrafts == 0 ? "" : ", \(counts.unsavedDrafts) of drafts not saved"
        return "\(counts.queued) queued, \(counts.blocked) blocked, \(counts.unknown) unknown" + unknown + drafts
    }

    /// The members for scripts; `null` where nobody knows.
    func write(_ writer: inout JSONWriter) {
        for (name, number) in [
            ("queued", counts?.queued), ("blocked", counts?.blocked), ("unknown", counts?.unknown),
            ("unsavedDrafts", counts?.unsavedDrafts), ("ofAnother", anothers?.total),
        ] {
            writer.name(name)
            if let number { writer.value(number) } else { writer.null() }
        }
    }
}
