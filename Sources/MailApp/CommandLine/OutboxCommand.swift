internal import DisplayText
internal import JSON
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import Platform

/// `herald outbox`: what waits for the server, and what became of what did not get through.
struct OutboxCommand {
    let options: Command.OutboxOptions
    let account: Account

    /// Operations and journal entries are printed up to this number, the oldest operations and the newest entries.
    private static let linesMax = 10_000

    func run() async throws {
        switch options.action {
        case .list: try await list()
        case .journal: try await journal()
        case .show(let id): try await show(id)
        case .retry(let ids): try await retry(ids)
        case .drop(let ids): try await drop(ids)
        case .adopt: try await adopt()
        }
    }

    /// The queue; `nil` when nothing was ever queued.
    private func store() throws -> OutboxStore? {
        guard Files.exists(account.outboxPath) else { return nil }
        return try OutboxStore(path: account.outboxPath, owner: account.owner)
    }

    private func list() async throws {
        let operations = try await store()?.operations(limit: OutboxCommand.linesMax) ?? []
        if options.json {
            return Output.write(
                JSONOutput.items { writer in for operation in operations { OutboxJSON.operation(operation, &writer) } })
        }
        let subjects = await subjects(of: operations.map(\.message))
        for operation in operations {
            let subject = subjects[operation.message].map { "  “\($0)”" } ?? ""
            Output.line(
                "\(operation.id.rawValue)  \(OutboxText.action(operation.kind))  \(OutboxText.state(operation))\(subject)"
            )
        }
    }

    private func journal() async throws {
        let entries = try await store()?.journal(limit: OutboxCommand.linesMax) ?? []
        if options.json {
            return Output.write(
                JSONOutput.items { writer in for entry in entries { OutboxJSON.entry(entry, &writer) } })
        }
        let subjects = await subjects(of: entries.map(\.message))
        for entry in entries {
            let subject = subjects[entry.message].map { "  “\($0)”" } ?? ""
            let reason = OutboxText.reason(entry.verdict.reason)
            Output.line("\(entry.endedAt.text)  \(OutboxText.action(entry.kind))  \(reason)\(subject)")
        }
    }

    private func show(_ id: OperationID) async throws {
        guard let operation = try await store()?.operation(id) else { throw unknown(id) }
        if options.json {
            var writer = JSONWriter()
            OutboxJSON.operation(operation, version: 1, &writer)
            return Output.write(writer.bytes + [0x0A])
        }
        Output.line("operation  \(operation.id.rawValue)")
        Output.line("action     \(OutboxText.action(operation.kind))")
        Output.line("message    \(TextDisplay.sanitizedLine(operation.message.rawValue))")
        if let subject = await subjects(of: [operation.message])[operation.message] {
            Output.line("subject    \(subject)")
        }
        Output.line("queued     \(operation.createdAt.text)")
        Output.line("state      \(OutboxText.state(operation))")
        if let next = operation.nextAttemptAt {
            Output.line("not before \(Timestamp(millisecondsSinceEpoch: next).text)")
        }
    }

    private func retry(_ ids: [OperationID]) async throws {
        guard Files.exists(account.outboxPath) else { return }
        let session = try Session(account: account)
        defer { session.close() }
        for id in ids where try await session.outbox.store().operation(id) == nil { throw unknown(id) }
        if ids.isEmpty { _ = try await session.retryOperations(nil) }
        for id in ids { _ = try await session.retryOperations(id) }
        let report = try await session.outbox.drain()
        if !options.json { Output.line("\(report.done) sent, \(report.dropped) refused.") }
        if let failure = try await session.outbox.remainder() { throw failure }
    }

    private func drop(_ ids: [OperationID]?) async throws {
        guard Files.exists(account.outboxPath) else {
            if let id = ids?.first { throw unknown(id) }
            return
        }
        let session = try Session(account: account)
        defer { session.close() }
        let store = try session.outbox.store()
        for id in ids ?? [] where try await store.operation(id) == nil { throw unknown(id) }
        // One that is named twice is given up once.
        var meant: [OperationID] = []
        for id in ids ?? [] where !meant.contains(id) { meant.append(id) }
        if ids == nil { meant = try await store.operations().map(\.id) }
        let count = try await session.dropOperations(meant)
        if !options.json { Output.line("\(count) given up.") }
        guard count < meant.count else { return }
        throw CommandFailure("What is being sent cannot be given up. Try again later.", .tryLater)
    }

    private func adopt() async throws {
        guard let counts = try OutboxStore.foreign(path: account.outboxPath, owner: account.owner) else {
            return Output.line("The outbox is that of this sign-in.")
        }
        try OutboxStore.adopt(path: account.outboxPath, owner: account.owner)
        let count = counts.queued + counts.blocked
        Output.line("\(count == 1 ? "1 operation" : "\(count) operations") will be sent with this sign-in.")
    }

    private func unknown(_ id: OperationID) -> CommandFailure {
        CommandFailure("No operation “\(TextDisplay.sanitizedLine(id.rawValue))” waits here.", .badInput)
    }

    /// The subjects of messages that the cache has; the outbox can be read without it.
    private func subjects(of ids: [MessageID]) async -> [MessageID: String] {
        guard let reader = try? MailReader(path: account.cachePath, owner: account.owner),
            let messages = try? await reader.targets(of: TriageRequest(action: .read, targets: .messages(ids)))
        else { return [:] }
        var subjects: [MessageID: String] = [:]
        for message in messages { subjects[message.id] = TextDisplay.sanitizedLine(message.subject) }
        return subjects
    }
}
