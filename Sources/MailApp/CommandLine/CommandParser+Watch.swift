internal import MailModel

extension Command {
    /// What to watch.
    struct WatchOptions: Hashable, Sendable {
        /// A question that is answered again whenever its answer changes.
        enum Query: String, CaseIterable, Sendable {
            case mailboxes, conversations, conversation, messages, drafts, operations

            /// Whether it asks about one folder.
            var isOfFolder: Bool { self == .conversations || self == .messages }
        }

        /// In the order they were given, each once.
        var queries: [Query] = []
        /// Whether what happens is told as well.
        var events = false
        var mailbox: String?
        var folder: Folder = .inbox
        /// The conversation that is meant by its query.
        var thread: String?
        var limit = 50
        /// `nil` means all.
        var account: String?
    }
}

extension CommandParser {
    /// The words after `watch`.
    mutating func watch() throws(CommandFailure) -> Command.WatchOptions {
        var options = Command.WatchOptions()
        var isOfFolder = false
        while let word = next() {
            switch word {
            case "--query":
                let query = try query(word)
                if !options.queries.contains(query) { options.queries.append(query) }
            case "--events": options.events = true
            case "--mailbox": options.mailbox = try value(word)
            case "--folder":
                options.folder = try folder(word)
                isOfFolder = true
            case "--thread": options.thread = try value(word)
            case "--limit": options.limit = try number(word, 1...1_000_000)
            case "--account": options.account = try value(word)
            case "--json": break
            default: throw unknown(word)
            }
        }
        try CommandParser.check(options, isOfFolder: isOfFolder)
        if options.queries.isEmpty { options.events = true }
        return options
    }

    private mutating func query(_ option: String) throws(CommandFailure) -> Command.WatchOptions.Query {
        guard let query = Command.WatchOptions.Query(rawValue: try value(option)) else {
            let names = Command.WatchOptions.Query.allCases.map(\.rawValue)
            throw CommandParser.usage("--query takes \(names.joined(separator: ", ")).")
        }
        return query
    }

    /// Refuses options that no query takes, rather than to leave them out of account.
    private static func check(_ options: Command.WatchOptions, isOfFolder: Bool) throws(CommandFailure) {
        if options.queries.contains(.conversation) != (options.thread != nil) {
            throw usage("“--query conversation” and “--thread ID” go together.")
        }
        if isOfFolder, !options.queries.contains(where: \.isOfFolder) {
            throw usage("--folder goes with “--query conversations” and “--query messages”.")
        }
        if options.mailbox != nil, !options.queries.contains(where: { $0.isOfFolder || $0 == .drafts }) {
            throw usage("--mailbox goes with queries of conversations, messages or drafts.")
        }
    }
}
