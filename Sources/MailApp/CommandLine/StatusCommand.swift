internal import JSON
internal import MailStorage
internal import Platform

/// `herald status`: what is known of the account, without the network.
struct StatusCommand {
    let json: Bool
    let account: Account

    func run() async throws {
        let status = try await MailReader(path: account.cachePath, owner: account.owner)?.status()
        if json { return Output.write(StatusCommand.json(status, account: account)) }
        Output.line("account    \(account.label)")
        Output.line("mode       \(StatusCommand.mode(status))")
        guard let status else { return Output.line("Nothing was fetched yet. Run “herald --sync-once”.") }
        if let last = status.lastPassAt {
            Output.line("last pass  \((Environment.millisecondsSinceEpoch - last) / 1_000) s ago")
        }
        if let failure = status.lastFailure { Output.line("failure    \(failure)") }
        Output.line("messages   \(status.messages) in \(status.conversations) conversations, \(status.drafts) drafts")
        Output.line("bodies     \(status.bodies) of \(status.messages)")
        Output.line("repaired   \(status.repaired)")
        Output.line("requests   \(status.requestsToday) today")
    }

    private static func mode(_ status: CacheStatus?) -> String {
        guard let status else { return "bootstrapping" }
        if status.isBootstrapping || !status.isBootstrapped { return "bootstrapping" }
        return status.lastFailure == nil ? "synced" : "offline"
    }

    private static func json(_ status: CacheStatus?, account: Account) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("accounts")
            writer.array { writer in
                writer.object { writer in
                    writer.member("account", account.label)
                    writer.member("mode", mode(status))
                    writer.name("lastPassAt")
                    if let last = status?.lastPassAt { writer.value(Int(last)) } else { writer.null() }
                    writer.member("messages", status?.messages ?? 0)
                    writer.member("conversations", status?.conversations ?? 0)
                    writer.member("drafts", status?.drafts ?? 0)
                    writer.member("bodies", status?.bodies ?? 0)
                    writer.member("queued", 0)
                    writer.member("blocked", 0)
                    writer.member("unknown", 0)
                    writer.member("repaired", status?.repaired ?? 0)
                    writer.member("requestsToday", status?.requestsToday ?? 0)
                }
            }
        }
        return writer.bytes + [0x0A]
    }
}
