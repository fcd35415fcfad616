internal import DisplayText
internal import MailModel

extension Command {
    /// Which messages of the cache to act on, and how.
    struct ApplyOptions: Hashable, Sendable {
        var action = TriageAction.read
        /// All of them must fit.
        var filters: [String] = []
        /// What the server must say of a message right before; it is asked when the operation is sent.
        var conditions: [String] = []
        var mailbox: String?
        var folder: Folder?
        /// Nothing is done when more messages fit.
        var most: Int?
        var isDryRun = false
        var isOffline = false
        var json = false
        /// The label the account must have; `nil` means whichever is set up.
        var account: String?
    }
}

extension CommandParser {
    /// The words after `apply`.
    mutating func apply() throws(CommandFailure) -> Command.ApplyOptions {
        var options = Command.ApplyOptions()
        var action: TriageAction?
        while let word = next() {
            switch word {
            case "--where": options.filters.append(try value(word))
            case "--if": options.conditions.append(try value(word))
            case "--mailbox": options.mailbox = try value(word)
            case "--folder": options.folder = try folder(word)
            case "--max": options.most = try number(word, 0...10_000_000)
            case "--dry-run": options.isDryRun = true
            case "--offline": options.isOffline = true
            case "--json": options.json = true
            case "--account": options.account = try value(word)
            default:
                guard action == nil, let named = TriageAction(rawValue: word) else { throw unknown(word) }
                action = named
            }
        }
        guard let action else {
            let names = TriageAction.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandParser.usage("Say what to do: \(names).")
        }
        options.action = action
        if options.filters.isEmpty { throw CommandParser.usage("Say by --where which messages are meant.") }
        return options
    }
}
