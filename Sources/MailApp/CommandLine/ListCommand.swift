internal import DisplayText
internal import MailModel
internal import MailStorage
internal import Platform

/// `herald list`: what the cache holds, without the network.
struct ListCommand {
    let options: Command.ListOptions
    let reader: MailReader
    private let lines = MessageLines()

    init(options: Command.ListOptions, reader: MailReader) {
        self.options = options
        self.reader = reader
    }

    func run() async throws {
        switch options.kind {
        case .mailboxes: try await mailboxes()
        case .conversations: try await conversations()
        case .messages: try await messages()
        case .drafts: try await drafts()
        }
    }

    private func mailboxes() async throws {
        let counts = try await reader.mailboxCounts()
        let named = try await mailboxID()
        var mailboxes = try await reader.mailboxes().filter { named == nil || $0.id == named }
        if !options.all, let limit = options.limit { mailboxes = Array(mailboxes.prefix(limit)) }
        func count(_ id: MailboxID) -> MailboxCounts? { counts.first { $0.mailbox?.id == id } }
        if options.json {
            return Output.write(
                JSONOutput.items { writer in
                    for mailbox in mailboxes { JSONOutput.mailbox(mailbox, count(mailbox.id), &writer) }
                })
        }
        if options.idsOnly { return ids(mailboxes.map(\.id.rawValue)) }
        for mailbox in mailboxes {
            let unread = count(mailbox.id)?.unread.values.reduce(0, +) ?? 0
            let access = mailbox.accessLevel?.rawValue ?? "none"
            Output.line(
                "\(right(String(unread), 6))  \(left(access, 8))  \(TextDisplay.sanitizedLine(mailbox.address))")
        }
    }

    private func conversations() async throws {
        let mailbox = try await mailboxID()
        let folders: [Folder] = options.all ? Folder.stored : [options.folder]
        var rows: [ConversationRow] = []
        var seen: Set<ThreadID> = []
        for folder in folders {
            let found = try await reader.conversations(
                in: ListScope(mailboxID: mailbox, folder: folder),
                limit: options.all ? .max : (options.limit ?? .max))
            for row in found where seen.insert(row.threadID).inserted { rows.append(row) }
        }
        if options.all { rows.sort { Self.isNewer($0.newest, $1.newest) } }
        if options.json {
            return Output.write(
                JSONOutput.items { writer in for row in rows { JSONOutput.conversation(row, &writer) } })
        }
        // Commands take messages: of a conversation that is the one the line shows.
        if options.idsOnly { return ids(rows.map { (options.all ? $0.newest : $0.shown).id.rawValue }) }
        for row in rows {
            let count = row.messageCount > 1 ? " (\(row.messageCount))" : ""
            let shown = options.all ? row.newest : row.shown
            line(shown, isUnread: (options.all ? row.unreadCount : row.shownUnread) > 0, suffix: count)
        }
    }

    private static func isNewer(_ left: MessageSummary, _ right: MessageSummary) -> Bool {
        left.activityAt == right.activityAt ? left.id.rawValue > right.id.rawValue : left.activityAt > right.activityAt
    }

    private func messages() async throws {
        let messages = try await reader.messages(
            mailbox: try await mailboxID(), folder: options.all ? nil : options.folder,
            limit: options.all ? nil : options.limit)
        if options.json {
            return Output.write(
                JSONOutput.items { writer in for message in messages { JSONOutput.message(message, &writer) } })
        }
        if options.idsOnly { return ids(messages.map(\.id.rawValue)) }
        for message in messages { line(message, isUnread: message.countsAsUnread, suffix: "") }
    }

    private func drafts() async throws {
        var drafts = try await reader.drafts(mailbox: try await mailboxID())
        if !options.all, let limit = options.limit { drafts = Array(drafts.prefix(limit)) }
        if options.json {
            return Output.write(
                JSONOutput.items { writer in for draft in drafts { JSONOutput.draft(draft, &writer) } })
        }
        if options.idsOnly { return ids(drafts.map(\.id.rawValue)) }
        for draft in drafts {
            let to = TextDisplay.sanitizedLine(draft.to.joined(separator: ", "))
            let state = draft.local.map { DraftWords.state($0) } ?? ""
            let subject = TextDisplay.sanitizedLine(draft.subject)
            Output.line("\(left(to, 30))  \(subject)\(state.isEmpty ? "" : "  (\(state))")")
        }
    }

    private func ids(_ ids: [String]) { for id in ids { Output.line(TextDisplay.sanitizedLine(id)) } }

    private func line(_ message: MessageSummary, isUnread: Bool, suffix: String) {
        Output.line(lines.line(message, isUnread: isUnread, suffix: suffix))
    }

    private func left(_ text: String, _ columns: Int) -> String { TextDisplay.padded(text, columns: columns) }

    private func right(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - TextDisplay.width(of: text))) + text
    }

    /// The mailbox that `--mailbox` names by address or id.
    private func mailboxID() async throws -> MailboxID? { try await reader.mailboxID(named: options.mailbox) }
}
