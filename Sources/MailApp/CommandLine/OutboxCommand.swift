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
        case .settle(let word, let ids): try await settle(word, ids)
        case .adopt: try await adopt()
        }
    }

    /// The queue; `nil` when nothing was ever queued.
    private func store() throws -> OutboxStore? {
        guard Files.exists(account.outboxPath) else { return nil }
        return try OutboxStore(path: account.outboxPath, owner: account.owner)
    }

    private func list() async throws {
        let store = try store()
        let operations = try await store?.operations(limit: OutboxCommand.linesMax) ?? []
        var mail: [MailLine] = []
        if let store { mail = try await OutboxCommand.mail(in: store) }
        if options.json {
            return Output.write(
                JSONOutput.items { writer in
                    for operation in operations { OutboxJSON.operation(operation, &writer) }
                    for line in mail { SendJSON.send(line.send, &writer) }
                })
        }
        let (subjects, addresses) = await (subjects(of: operations.map(\.message)), addresses())
        for operation in operations {
            let subject = subjects[operation.message].map { "“\($0)”" }
            let parts = [
                operation.id.rawValue, operation.createdAt.text, OutboxText.action(operation.kind),
                OutboxText.state(operation), operation.mailbox.flatMap { addresses[$0] }, subject,
            ]
            Output.line(parts.compactMap { $0 }.joined(separator: "  "))
        }
        for line in mail { Output.line(line.text) }
    }

    private func journal() async throws {
        let store = try store()
        let entries = try await store?.journal(limit: OutboxCommand.linesMax) ?? []
        var refused: [MailLine] = []
        if let store { refused = try await OutboxCommand.mail(in: store).filter { $0.send.status.name == "refused" } }
        if options.json {
            return Output.write(
                JSONOutput.items { writer in
                    for entry in entries { OutboxJSON.entry(entry, &writer) }
                    for line in refused { SendJSON.send(line.send, &writer) }
                })
        }
        let subjects = await subjects(of: entries.map(\.message))
        for entry in entries {
            let subject = subjects[entry.message].map { "  “\($0)”" } ?? ""
            let reason = OutboxText.reason(entry.verdict.reason)
            Output.line("\(entry.endedAt.text)  \(OutboxText.action(entry.kind))  \(reason)\(subject)")
        }
        for line in refused { Output.line(line.text) }
    }

    private func show(_ id: OperationID) async throws {
        guard let store = try store() else { throw unknown(id) }
        if let send = try await store.send(SendID(id.rawValue)) { return try await show(send, in: store) }
        guard let operation = try await store.operation(id) else { throw unknown(id) }
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
        let addresses = await addresses()
        if let address = operation.mailbox.flatMap({ addresses[$0] }) { Output.line("mailbox    \(address)") }
        Output.line("queued     \(operation.createdAt.text)")
        Output.line("state      \(OutboxText.state(operation))")
        if let filter = operation.precondition { Output.line("only if    \(TextDisplay.sanitizedLine(filter))") }
        if let next = operation.nextAttemptAt {
            Output.line("not before \(Timestamp(millisecondsSinceEpoch: next).text)")
        }
    }

    private func retry(_ ids: [OperationID]) async throws {
        guard Files.exists(account.outboxPath) else { return }
        let session = try Session(account: account)
        defer { session.close() }
        let store = try session.outbox.store()
        for id in ids where try await !isKnown(id, in: store) { throw unknown(id) }
        for id in ids.isEmpty ? [nil] : ids.map(Optional.some) {
            _ = try await session.retryOperations(id)
            _ = try await store.hurrySends(id.map { SendID($0.rawValue) })
        }
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
        for id in ids ?? [] where try await !isKnown(id, in: store) { throw unknown(id) }
        // One that is named twice is given up once.
        var meant: [OperationID] = []
        for id in ids ?? [] where !meant.contains(id) { meant.append(id) }
        if ids == nil {
            // What may have been sent is given up by its name only.
            let mail = try await store.openSends().filter { $0.status != .unknown && $0.status != .inFlight }
            meant = try await store.operations().map(\.id) + mail.map { OperationID($0.id.rawValue) }
        }
        var count = try await session.dropOperations(meant)
        for id in meant where try await store.keepAsDraft(SendID(id.rawValue)) { count += 1 }
        if !options.json { Output.line("\(count) given up.") }
        guard count < meant.count else { return }
        throw CommandFailure("What is being sent cannot be given up. Try again later.", .tryLater)
    }

    private func adopt() async throws {
        guard let counts = try OutboxStore.foreign(path: account.outboxPath, owner: account.owner) else {
            return Output.line("The outbox is that of this sign-in.")
        }
        try OutboxStore.adopt(path: account.outboxPath, owner: account.owner)
        if counts == OutboxCounts() { return Output.line("The outbox is that of this sign-in.") }
        Output.line("\(counts.words) will be sent with this sign-in.")
    }

    /// Whether an operation or a mail has this identifier.
    private func isKnown(_ id: OperationID, in store: OutboxStore) async throws -> Bool {
        if try await store.operation(id) != nil { return true }
        return try await store.send(SendID(id.rawValue)) != nil
    }

    func unknown(_ id: OperationID) -> CommandFailure {
        CommandFailure("No operation “\(TextDisplay.sanitizedLine(id.rawValue))” waits here.", .badInput)
    }

    /// The addresses of the cache's mailboxes.
    private func addresses() async -> [MailboxID: String] {
        guard let reader = try? MailReader(path: account.cachePath, owner: account.owner),
            let mailboxes = try? await reader.mailboxes()
        else { return [:] }
        return Dictionary(
            mailboxes.map { ($0.id, TextDisplay.sanitizedLine($0.address)) }, uniquingKeysWith: { first, _ in first })
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
