internal import MailModel

extension Command {
    /// What to search for in the cache.
    struct SearchOptions: Hashable, Sendable {
        var filter = ""
        var mailbox: String?
        /// `nil` is every folder but the trash.
        var folder: Folder?
        var limit = 50
        var account: String?
        var json = false
        /// Whether only ids are printed.
        var idsOnly = false
    }
}

extension CommandParser {
    /// The words after `search`: options, and all others together as the filter.
    mutating func search() throws(CommandFailure) -> Command.SearchOptions {
        var options = Command.SearchOptions()
        var filter: [String] = []
        while let word = next() {
            switch word {
            case "--mailbox": options.mailbox = try value(word)
            case "--folder": options.folder = try folder(word)
            case "--limit": options.limit = try number(word, 1...10_000_000)
            case "--account": options.account = try value(word)
            case "--json": options.json = true
            case "--ids": options.idsOnly = true
            case "--": while let rest = next() { filter.append(rest) }
            default:
                // A single minus leaves something out.
                guard !word.hasPrefix("--") else { throw unknown(word) }
                filter.append(word)
            }
        }
        options.filter = filter.joined(separator: " ")
        if filter.isEmpty { throw CommandParser.usage("Say what to search for.") }
        return options
    }
}
