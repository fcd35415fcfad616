internal import DisplayText
internal import MailModel
internal import MailStorage
internal import MailSync
internal import MailUI
internal import Platform

/// `herald show`: one message, fetched when its body is not here.
struct ShowCommand {
    let options: Command.ShowOptions
    let account: Account

    func run() async throws {
        let message = try await load()
        guard let detail = message.detail else {
            throw CommandFailure("The text of this message was not fetched yet. Try without --offline.", .badInput)
        }
        switch options.form {
        case .json: Output.write(JSONOutput.detail(detail, html: message.html))
        case .html:
            guard let html = message.html else { throw CommandFailure("This message has no HTML.", .badInput) }
            let whole = html.html + (html.quotedHTML ?? "") + (html.afterQuotedHTML ?? "")
            Output.line(TextDisplay.sanitizedText(whole))
        case .plain:
            let now = WallClock.milliseconds() / 1_000
            let lines = ReaderText.lines(
                of: message, columns: options.width, now: now, zone: WallClock.zone(),
                preferredForm: account.settings.preferredForm)
            for line in lines { Output.line(line) }
        }
    }

    /// How often to begin again when a rebuild replaces the cache between the fetch and the look at it.
    private static let attemptsMax = 5

    /// The message, with its text when there is one to be had.
    func load() async throws -> ConversationMessage {
        var (cached, inode) = try await look()
        if ShowCommand.isWhole(cached) || options.offline { return cached }
        for _ in 0..<ShowCommand.attemptsMax {
            let session = try Session(account: account)
            defer { session.close() }
            try await session.engine.fetchBodies(thread: [cached.summary.id])
            (cached, inode) = try await look()
            if ShowCommand.isWhole(cached) || inode == session.store.inode { break }
        }
        return cached
    }

    /// The message as the cache has it, and which file that was.
    private func look() async throws -> (ConversationMessage, UInt64) {
        guard let reader = try MailReader(path: account.cachePath, owner: account.owner),
            let cached = try await reader.message(MessageID(options.id))
        else { throw CommandFailure("No message has this id. Sync first if it is new.", .badInput) }
        return (cached, reader.inode)
    }

    private static func isWhole(_ message: ConversationMessage) -> Bool {
        guard let detail = message.detail else { return false }
        return !detail.htmlAvailable || message.html != nil
    }
}
