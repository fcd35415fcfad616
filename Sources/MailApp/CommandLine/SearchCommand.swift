internal import DisplayText
internal import JSON
internal import MailFilter
internal import MailModel
internal import MailStorage

/// `herald search`: messages of the cache that a filter means, without the network.
struct SearchCommand {
    let options: Command.SearchOptions
    let reader: MailReader

    func run() async throws {
        let filter = try SearchCommand.filter(options.filter)
        let clock = FilterClock(nowMilliseconds: WallClock.milliseconds(), zone: WallClock.zone())
        let mailbox = try await reader.mailboxID(named: options.mailbox)
        let question = SearchQuestion(
            filter, folder: options.folder, mailbox: mailbox, clock: clock, limit: options.limit)
        let found = try await reader.search(question)
        let coverage = try await reader.searchCoverage()
        if options.json { return Output.write(SearchCommand.json(found.messages, found.hasMore, coverage)) }
        let lines = MessageLines()
        for message in found.messages {
            Output.line(
                options.idsOnly
                    ? TextDisplay.sanitizedLine(message.id.rawValue)
                    : lines.line(message, isUnread: message.countsAsUnread))
        }
        let isEmpty = found.messages.isEmpty
        let limit = found.hasMore ? options.limit : nil
        if let sentence = SearchCommand.sentence(filter, isEmpty: isEmpty, limit, coverage) {
            Output.failure(sentence)
        }
    }

    /// The filter that a text means; one that is wrong is bad input, told with its column.
    static func filter(_ text: String) throws(CommandFailure) -> Filter {
        do {
            return try FilterParser.parse(text)
        } catch {
            throw CommandFailure(error.message, .badInput)
        }
    }

    /// What a person must know of a search that found nothing, or may have missed something; `nil` of others.
    private static func sentence(
        _ filter: Filter, isEmpty: Bool, _ limit: Int?, _ coverage: SearchCoverage
    ) -> String? {
        var sentences = isEmpty ? ["Nothing was found."] : []
        if let limit { sentences.append("These are the newest \(limit); --limit shows more.") }
        if filter.asksForTexts, coverage.bodies < coverage.messages {
            sentences.append(
                "The texts of \(coverage.bodies) of \(coverage.messages) messages are here to be searched.")
        }
        if filter.asksForWords, coverage.waiting > 0 {
            sentences.append("The index does not have \(coverage.waiting) messages yet as they are now.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private static func json(_ messages: [MessageSummary], _ hasMore: Bool, _ coverage: SearchCoverage) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.name("items")
            writer.array { writer in for message in messages { JSONOutput.message(message, &writer) } }
            writer.member("hasMore", hasMore)
            writer.name("coverage")
            writer.object { writer in
                writer.member("messages", coverage.messages)
                writer.member("bodies", coverage.bodies)
                writer.member("waiting", coverage.waiting)
            }
        }
        return writer.bytes + [0x0A]
    }
}

extension MailReader {
    /// The mailbox that an option names by address or id; `nil` without a name.
    func mailboxID(named name: String?) throws -> MailboxID? {
        guard let name else { return nil }
        let all = try mailboxes()
        guard let mailbox = all.first(where: { $0.address == name || $0.id.rawValue == name }) else {
            throw CommandFailure("“\(TextDisplay.sanitizedLine(name))” is not a mailbox of this account.", .badInput)
        }
        return mailbox.id
    }
}
