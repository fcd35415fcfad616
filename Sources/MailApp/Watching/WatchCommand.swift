internal import JSON
internal import MailModel
internal import MailStorage
internal import MailSync
internal import Platform

/// `herald watch`: what happens to mail, and answers that stay true, as lines of JSON.
///
/// Only looks: passes are made by the terminal program or cron, of which it sees everything that is committed.
struct WatchCommand {
    let options: Command.WatchOptions
    let accounts: [FoundAccount]
    private let lines = WatchLines()

    init(options: Command.WatchOptions, accounts: [FoundAccount]) {
        self.options = options
        self.accounts = accounts
    }

    /// Prints until the process is ended, or until nobody reads any more.
    ///
    /// - Throws: `CommandFailure` when no account, or the only one's mailbox, is there; the error of a cache or an outbox that
    ///   cannot be read.
    func run() async throws {
        let watched = try await usable()
        WatchLines.endWithReader()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in watched {
                if options.events { await listen(to: one, &group) }
                for query in options.queries { group.addTask { try await follow(query, one) } }
            }
            try await group.waitForAll()
        }
    }

    /// Tells of what happens.
    ///
    /// Before anything opens the cache, which is told of once only; and of the rest before that, so that whoever waits for
    /// the cache's line misses nothing.
    private func listen(to one: Watched, _ group: inout ThrowingTaskGroup<Void, any Error>) async {
        let (passes, news) = (PassEvents(one.account), await one.ends.news())
        let events = await one.live.events()
        group.addTask { for await history in passes.histories() { await tell(history, one.account) } }
        group.addTask { for await case .ended(let entry) in news { await tell(entry, one.account) } }
        group.addTask { for await event in events { await tell(event, one.account) } }
    }

    /// The accounts that can be watched; of several the others are told of.
    private func usable() async throws -> [Watched] {
        var watched: [Watched] = []
        for found in accounts {
            do {
                let account = try found.account.get()
                watched.append(Watched(account: account, mailbox: try await mailbox(of: account)))
            } catch {
                let failure = Failures.failure(error)
                if accounts.count == 1 { throw failure }
                Output.failure("\(found.label): \(failure.message)")
            }
        }
        guard watched.isEmpty else { return watched }
        throw CommandFailure("None of the accounts can be watched.", .badInput)
    }

    /// The mailbox that is meant, by its address or id; looked up in the cache.
    private func mailbox(of account: Account) async throws -> MailboxID? {
        guard options.mailbox != nil else { return nil }
        return try await Program.filledCache(of: account).mailboxID(named: options.mailbox)
    }

    private func follow(_ query: Command.WatchOptions.Query, _ one: Watched) async throws {
        switch query {
        case .mailboxes:
            for try await counts in await one.live.values(.mailboxes) {
                await tell(query, one) { writer in for count in counts { WatchJSON.mailbox(count, &writer) } }
            }
        case .conversations:
            let scope = ListScope(mailboxID: one.mailbox, folder: options.folder)
            for try await rows in await one.live.values(.conversations(in: scope, limit: options.limit)) {
                await tell(query, one) { writer in for row in rows { JSONOutput.conversation(row, &writer) } }
            }
        case .conversation:
            for try await messages in await one.live.values(.conversation(ThreadID(options.thread ?? ""))) {
                await tell(query, one) { writer in for message in messages { WatchJSON.message(message, &writer) } }
            }
        case .messages:
            let live = LiveQuery.messages(mailbox: one.mailbox, folder: options.folder, limit: options.limit)
            for try await messages in await one.live.values(live) {
                await tell(query, one) { writer in for message in messages { JSONOutput.message(message, &writer) } }
            }
        case .drafts:
            for try await drafts in await one.live.values(.drafts(mailbox: one.mailbox)) {
                await tell(query, one) { writer in
                    for draft in drafts.prefix(options.limit) { JSONOutput.draft(draft, &writer) }
                }
            }
        case .operations:
            for try await operations in await one.outbox.operations(limit: options.limit) {
                await tell(query, one) { writer in for one in operations { OutboxJSON.operation(one, &writer) } }
            }
        }
    }

    private func tell(
        _ query: Command.WatchOptions.Query, _ one: Watched, _ items: (inout JSONWriter) -> Void
    ) async {
        await lines.write(
            WatchJSON.line("value", one.account) { writer in
                writer.member("query", query.rawValue)
                if query.isOfFolder { writer.member("folder", options.folder.rawValue) }
                if query == .conversation { writer.member("threadId", options.thread) }
                writer.name("items")
                writer.array(items)
            })
    }

    private func tell(_ event: LiveQueries.Event, _ account: Account) async {
        await lines.write(WatchJSON.line("event", account) { WatchJSON.members(of: event, &$0) })
    }

    private func tell(_ history: PassHistory, _ account: Account) async {
        await lines.write(WatchJSON.line("event", account) { WatchJSON.members(of: history, &$0) })
    }

    private func tell(_ entry: JournalEntry, _ account: Account) async {
        await lines.write(WatchJSON.line("event", account) { WatchJSON.members(of: entry, &$0) })
    }
}

/// One account that is watched.
private struct Watched: Sendable {
    let account: Account
    let mailbox: MailboxID?
    let live: LiveQueries
    let outbox: LiveOutbox
    let ends: OutboxWatch

    init(account: Account, mailbox: MailboxID?) {
        self.account = account
        self.mailbox = mailbox
        live = LiveQueries(path: account.cachePath, owner: account.owner)
        outbox = LiveOutbox(path: account.outboxPath, owner: account.owner)
        ends = OutboxWatch(path: account.outboxPath, owner: account.owner)
    }
}
