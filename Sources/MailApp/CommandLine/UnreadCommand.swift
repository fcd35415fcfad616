internal import MailModel
internal import MailStorage
internal import Platform

/// `herald status --unread`: one number for a status bar.
struct UnreadCommand {
    let accounts: [FoundAccount]

    /// Prints how many messages are unread in the inboxes of the accounts, all together.
    ///
    /// Those that can be counted are; the others are told of, and the first one's failure ends the program. Reads one
    /// row for each list.
    /// - Throws: `CommandFailure` when an account cannot be counted.
    func run() async throws {
        var unread: Int?
        var failures: [(label: String, failure: CommandFailure)] = []
        for found in accounts {
            do {
                unread = (unread ?? 0) + (try await UnreadCommand.unread(in: try found.account.get()))
            } catch {
                failures.append((found.label, Failures.failure(error)))
            }
        }
        if let unread { Output.line(String(unread)) }
        guard let first = failures.first else { return }
        if accounts.count == 1 { throw first.failure }
        for (label, failure) in failures { Output.failure("\(label): \(failure.message)") }
        HeadlessRun.end(ExitCode.worst(failures.map(\.failure.exitCode)))
    }

    private static func unread(in account: Account) async throws -> Int {
        let counts = try await Program.filledCache(of: account).mailboxCounts()
        return counts.first { $0.mailbox == nil }?.unread[.inbox] ?? 0
    }
}
