internal import JSON
internal import MailFilter
internal import MailModel
internal import MailStorage
internal import MailSync

/// `herald apply`: one action on every message of the cache that a filter means.
///
/// Each message has an operation and a verdict of its own, so that one refusal takes nothing of the others back.
struct ApplyCommand {
    let options: Command.ApplyOptions
    let account: Account

    func run() async throws {
        let filter = try ApplyCommand.filter(options.filters)
        let condition = try options.conditions.isEmpty ? nil : ApplyCommand.condition(options.conditions)
        let reader = try await Program.filledCache(of: account)
        let clock = FilterClock(nowMilliseconds: WallClock.milliseconds(), zone: WallClock.zone())
        let found = try await matches(filter, clock, in: reader)
        let effective = found.filter { options.action.hasEffect(on: $0) }
        if let most = options.most, effective.count > most {
            throw CommandFailure(
                "\(effective.count) messages fit, which is more than --max \(most). Nothing was done.", .badInput)
        }
        let request = TriageRequest(
            action: options.action, targets: .messages(effective.map(\.id)), precondition: condition?.text)
        var outcome = Outcome(matched: found.count, messages: effective)
        if options.isDryRun || effective.isEmpty {
            outcome.leaveOut(readOnly: try await reader.operations(for: request).readOnly)
            return tell(outcome)
        }
        try await act(request, &outcome)
    }

    /// Queues, sends unless it is to stay offline, and tells what came of it.
    private func act(_ request: TriageRequest, _ outcome: inout Outcome) async throws {
        let session = try Session(account: account)
        defer { session.close() }
        let receipt = try await session.enqueue(request)
        outcome.batch = receipt.batch
        outcome.queued = receipt.count
        outcome.leaveOut(readOnly: receipt.readOnly)
        if !options.isOffline { _ = try await session.outbox.drain() }
        if request.precondition != nil, let batch = receipt.batch {
            let ended = try await session.outbox.store().journal(of: batch)
            outcome.leaveOut(unmet: ended.filter { $0.verdict.reason == .precondition }.map(\.message))
        }
        tell(outcome)
        if let failure = try await session.outbox.remainder() { throw failure }
        if !outcome.readOnly.isEmpty {
            throw CommandFailure(
                "\(outcome.readOnly.count) of the messages may only be read. Nothing was done to them.", .signInNeeded)
        }
    }

    /// What the server is to be asked of each message right before.
    private static func condition(_ texts: [String]) throws(CommandFailure) -> Filter {
        let condition = try filter(texts)
        if condition.contains(where: { $0 == .mark(.unanswered) }) {
            throw CommandFailure(
                "The server cannot be asked whether a message is unanswered. Leave it out of --if.", .badInput)
        }
        guard condition.text.utf8.count <= FilterParser.bytesMax else {
            throw CommandFailure("The filters of --if are too long.", .badInput)
        }
        return condition
    }

    /// Filters that must all fit; an empty one is refused, so that nothing means everything by mistake.
    private static func filter(_ texts: [String]) throws(CommandFailure) -> Filter {
        var filters: [Filter] = []
        for text in texts { filters.append(try SearchCommand.filter(text)) }
        guard let first = filters.first else { throw CommandFailure("The filter is empty.", .badInput) }
        return filters.count == 1 ? first : .all(filters)
    }

    /// The messages that are meant, newest first: of the inbox and the catch-all folder unless another is named.
    private func matches(
        _ filter: Filter, _ clock: FilterClock, in reader: MailReader
    ) async throws -> [MessageSummary] {
        let places: Filter = .any([.place(.folder(.inbox)), .place(.folder(.catchall))])
        let scoped = filter.namesPlace || options.folder != nil ? filter : .all([filter, places])
        let question = SearchQuestion(
            scoped, folder: options.folder, mailbox: try await reader.mailboxID(named: options.mailbox), clock: clock,
            limit: .max - 1)
        return try await reader.search(question).messages
    }
}

extension ApplyCommand {
    /// What came of it.
    private struct Outcome {
        /// Messages that the filter means, also those that are so already.
        var matched: Int
        /// Messages that are acted on.
        var messages: [MessageSummary]
        /// Messages that the server no longer had as they should be.
        private(set) var unmet: [MessageID] = []
        /// Messages whose mailbox may only be read.
        private(set) var readOnly: [MessageID] = []
        var batch: BatchID?
        var queued = 0

        init(matched: Int, messages: [MessageSummary]) {
            self.matched = matched
            self.messages = messages
        }

        mutating func leaveOut(readOnly ids: [MessageID]) {
            readOnly = ids
            remove(ids)
        }

        mutating func leaveOut(unmet ids: [MessageID]) {
            unmet = ids
            remove(ids)
        }

        private mutating func remove(_ ids: [MessageID]) {
            let left = Set(ids)
            messages.removeAll { left.contains($0.id) }
        }
    }

    /// Prints what was, or would be, acted on, its ids first, and on standard error how current the cache is.
    private func tell(_ outcome: Outcome) {
        let history = account.passJournal.history.succeededAtMilliseconds
        let asOf = history.map { Timestamp(millisecondsSinceEpoch: $0).text }
        if options.json { return Output.write(json(outcome, asOf)) }
        let lines = MessageLines()
        for message in outcome.messages {
            Output.line(lines.line(message, isUnread: message.countsAsUnread, hasID: true))
        }
        let count = outcome.messages.count
        let what = options.isDryRun ? "would be changed" : "changed or queued"
        var left = outcome.unmet.isEmpty ? "" : " \(outcome.unmet.count) no longer fit --if."
        if !outcome.readOnly.isEmpty { left += " \(outcome.readOnly.count) may only be read." }
        let age = asOf.map { " This is as of the pass of \($0)." } ?? ""
        Output.failure("\(count) of \(outcome.matched) that fit \(what).\(left)\(age)")
    }

    private func json(_ outcome: Outcome, _ asOf: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("action", options.action.rawValue)
            writer.member("asOf", asOf)
            writer.member("matched", outcome.matched)
            writer.member("isDryRun", options.isDryRun)
            writer.member("batchId", outcome.batch?.rawValue)
            writer.member("queued", outcome.queued)
            writer.member("messages", outcome.messages.map(\.id.rawValue))
            writer.member("notAsExpected", outcome.unmet.map(\.rawValue))
            writer.member("readOnly", outcome.readOnly.map(\.rawValue))
        }
        return writer.bytes + [0x0A]
    }
}
