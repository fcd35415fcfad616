internal import JSON
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// `herald status`: what is known of the account, without the network.
struct StatusCommand {
    let json: Bool
    let account: Account

    func run() async throws {
        let status = try await MailReader(path: account.cachePath, owner: account.owner)?.status()
        let passes = account.passJournal.history.seen(at: WallClock.milliseconds())
        let outbox = OutboxStanding(account)
        if json { return Output.write(json(status, passes, outbox)) }
        Output.line("account    \(account.label)")
        Output.line("mode       \(StatusCommand.mode(status, passes))")
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

    private func json(_ status: CacheStatus?, _ passes: PassHistory, _ outbox: OutboxStanding) -> [UInt8] {
        let events = events(status)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("accounts")
            writer.array { writer in
                writer.object { writer in
                    writer.member("account", account.label)
                    writer.member("mode", StatusCommand.mode(status, passes))
                    writer.name("lastPassAt")
                    if let last = passes.succeededAtMilliseconds { writer.value(Int(last)) } else { writer.null() }
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
        return writer.bytes + [0x0A]
    }
}

/// How much waits in the outbox, as far as that can be told.
private struct OutboxStanding {
    private let counts: OutboxCounts?
    private let failure: OutboxError?

    init(_ account: Account) {
        do {
            (counts, failure) = (try OutboxStore.counts(path: account.outboxPath) ?? OutboxCounts(), nil)
        } catch {
            (counts, failure) = (nil, error)
        }
    }

    /// The line for people; `nil` when nothing waits.
    var line: String? {
        guard let counts else { return failure?.message }
        if counts.isEmpty { return nil }
        return "\(counts.queued) queued, \(counts.blocked) blocked, \(counts.unknown) unknown"
    }

    /// The members for scripts; `null` where nobody knows.
    func write(_ writer: inout JSONWriter) {
        for (name, number) in [
            ("queued", counts?.queued), ("blocked", counts?.blocked), ("unknown", counts?.unknown),
        ] {
            writer.name(name)
            if let number { writer.value(number) } else { writer.null() }
        }
    }
}
