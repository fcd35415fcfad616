internal import DisplayText
internal import JSON
internal import MailAPI
internal import MailFilter
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailSync

/// `herald apply`: one action on every message of the cache that a filter means.
///
/// Each message has an operation and a verdict of its own, so that one refusal takes nothing of the others back.
struct ApplyCommand {
    let options: Command.ApplyOptions
    let account: Account

    /// Messages asked of the server at one time.
    private static let asksMax = 4

    func run() async throws {
        let filter = try ApplyCommand.filter(options.filters)
        let condition = try options.conditions.isEmpty ? nil : ApplyCommand.filter(options.conditions)
        if condition?.contains(where: { $0 == .mark(.unanswered) }) == true {
            throw CommandFailure(
                "The server cannot be asked whether a message is unanswered. Leave it out of --if.", .badInput)
        }
        let reader = try await Program.filledCache(of: account)
        let clock = FilterClock(nowMilliseconds: WallClock.milliseconds(), zone: WallClock.zone())
        let found = try await matches(filter, clock, in: reader)
        let effective = found.filter { options.action.hasEffect(on: $0) }
        if let most = options.most, effective.count > most {
            throw CommandFailure(
                "\(effective.count) messages fit, which is more than --max \(most). Nothing was done.", .badInput)
        }
        var outcome = Outcome(matched: found.count, messages: effective.map(\.id))
        if options.isDryRun || effective.isEmpty { return tell(outcome) }
        let session = try Session(account: account)
        defer { session.close() }
        if let condition {
            let addresses = Dictionary(
                try await reader.mailboxes().map { ($0.id, $0.address) }, uniquingKeysWith: { first, _ in first })
            outcome.messages = try await fitting(condition, clock, effective, addresses, session)
            outcome.refused = effective.map(\.id).filter { !outcome.messages.contains($0) }
        }
        if !outcome.messages.isEmpty {
            let request = TriageRequest(action: options.action, targets: .messages(outcome.messages))
            let receipt = try await session.enqueue(request)
            outcome.batch = receipt.batch
            outcome.queued = receipt.count
            if !options.isOffline { _ = try await session.outbox.drain() }
        }
        tell(outcome)
        if let failure = try await session.outbox.remainder() { throw failure }
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

    /// The messages that the server still has as `--if` wants them.
    ///
    /// They may change between this look and the action.
    private func fitting(
        _ condition: Filter, _ clock: FilterClock, _ messages: [MessageSummary], _ addresses: [MailboxID: String],
        _ session: Session
    ) async throws -> [MessageID] {
        let api = session.api
        var fits: Set<MessageID> = []
        for start in stride(from: 0, to: messages.count, by: ApplyCommand.asksMax) {
            let some = messages[start..<min(messages.count, start + ApplyCommand.asksMax)].map(\.id)
            let found = try await withThrowingTaskGroup(of: MessageID?.self) { group in
                for id in some {
                    group.addTask { try await ApplyCommand.fits(condition, clock, id, addresses, api) ? id : nil }
                }
                var ids: [MessageID] = []
                for try await case let id? in group { ids.append(id) }
                return ids
            }
            fits.formUnion(found)
        }
        return messages.map(\.id).filter(fits.contains)
    }

    private static func fits(
        _ condition: Filter, _ clock: FilterClock, _ id: MessageID, _ addresses: [MailboxID: String],
        _ api: HTTPMailAPIClient
    ) async throws -> Bool {
        do {
            let detail = try await api.message(id)
            let subject = FilterSubject(
                summary: detail.summary, mailboxAddress: detail.summary.mailboxID.flatMap { addresses[$0] } ?? "",
                bodyText: detail.textBody, isAnswered: false)
            return condition.matches(subject, clock)
        } catch MailAPIError.notFound {
            return false
        } catch let error as MailAPIError {
            throw SyncError(error) ?? error
        }
    }
}

extension ApplyCommand {
    /// What came of it.
    private struct Outcome {
        /// Messages that the filter means, also those that are so already.
        var matched: Int
        /// Messages that are acted on.
        var messages: [MessageID]
        /// Messages that the server no longer has as they should be.
        var refused: [MessageID] = []
        var batch: BatchID?
        var queued = 0
    }

    /// Prints the ids of what was, or would be, acted on, and on standard error how current the cache is.
    private func tell(_ outcome: Outcome) {
        let history = account.passJournal.history.succeededAtMilliseconds
        let asOf = history.map { Timestamp(millisecondsSinceEpoch: $0).text }
        if options.json { return Output.write(json(outcome, asOf)) }
        for id in outcome.messages { Output.line(TextDisplay.sanitizedLine(id.rawValue)) }
        let count = outcome.messages.count
        let what = options.isDryRun ? "would be changed" : "changed or queued"
        let left = outcome.refused.isEmpty ? "" : " \(outcome.refused.count) no longer fit --if."
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
            writer.member("messages", outcome.messages.map(\.rawValue))
            writer.member("notAsExpected", outcome.refused.map(\.rawValue))
        }
        return writer.bytes + [0x0A]
    }
}
