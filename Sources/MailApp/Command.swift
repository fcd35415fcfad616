internal import MailUI
internal import DisplayText
internal import MailModel

/// What the command line asks for.
enum Command: Hashable, Sendable {
    case interactive(TerminalOptions)
    case demo(TerminalOptions)
    case syncOnce(SyncOptions)
    case rebuildCache(SyncOptions)
    case list(ListOptions)
    case show(ShowOptions)
    case search(SearchOptions)
    case apply(ApplyOptions)
    case compose(WriteOptions)
    case send(WriteOptions)
    case status(StatusOptions)
    case outbox(OutboxOptions)
    case watch(WatchOptions)
    case config(ConfigOptions)
    case account(AccountOptions)
    case doctor(json: Bool)
    case serve([String])
    /// Help on the program, or on the command of this name.
    case help(String?)
    case version

    /// How the terminal program is opened.
    struct TerminalOptions: Hashable, Sendable {
        var isOffline = false
        /// One pane of plain lines, without colour and drawing.
        var isPlain = false
        /// The account to show first; `nil` for the first in order.
        var account: String?
        /// The draft of this machine to open for writing, by its id; `nil` for none.
        var draft: String?
    }

    /// Of which accounts to print how they stand.
    struct StatusOptions: Hashable, Sendable {
        var json = false
        /// Print the number of unread messages and nothing else.
        var unread = false
        /// `nil` means all.
        var account: String?
    }

    /// How a pass without a terminal behaves.
    struct SyncOptions: Hashable, Sendable {
        var quiet = false
        var json = false
        /// The label the account must have; `nil` means whichever is set up.
        var account: String?
        /// Seconds after which the pass gives up; `nil` means no limit.
        var deadlineSeconds: Int?
        /// Set by `--sync-once`: end after the work instead of opening the terminal program.
        var isOnce = false
    }

    /// What to list from the cache.
    struct ListOptions: Hashable, Sendable {
        enum Kind: String, Hashable, Sendable {
            case mailboxes, conversations, messages, drafts
        }

        var kind: Kind
        var mailbox: String?
        var folder: Folder = .inbox
        /// `nil` lifts the limit.
        var limit: Int? = 50
        /// Set by `--all`: every folder, no limit.
        var all = false
        var json = false
        /// Whether only ids are printed.
        var idsOnly = false
        /// `nil` means the only one.
        var account: String?
    }

    /// What to do with accounts.
    struct AccountOptions: Hashable, Sendable {
        enum Action: Hashable, Sendable {
            case add(String)
            case list, check, remove
        }

        var action: Action
        /// The account's name; `nil` for the usual one, or the only one.
        var label: String?
        var json = false
        /// Sign out, but leave the mail here.
        var keepsCache = false
        /// Sign in with a browser on this machine instead of a code.
        var usesBrowser = false
        /// How many unsent changes may be lost, as the person counts them.
        var discard: Int?
    }

    /// What of the settings to print.
    struct ConfigOptions: Hashable, Sendable {
        var json = false
        /// Print only where the settings file is looked for.
        var pathOnly = false
    }

    /// Which message to show, and how.
    struct ShowOptions: Hashable, Sendable {
        enum Form: Hashable, Sendable {
            case plain, html, json
        }

        var id: String
        var form: Form = .plain
        var width = 80
        var offline = false
        /// `nil` means the only one.
        var account: String?
    }
}

/// Reads the command line; every fault is one sentence and exit code 64.
struct CommandParser {
    private var words: ArraySlice<String>

    init(_ arguments: [String]) {
        words = arguments[...]
    }

    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(message + " Run “herald --help” for the forms.", .usage)
    }

    /// The command the words ask for.
    mutating func parse() throws(CommandFailure) -> Command {
        guard let first = words.first else { return .interactive(Command.TerminalOptions()) }
        if let topic = try helpTopic(first) { return topic }
        switch first {
        case "--version", "-V":
            words.removeFirst()
            try end()
            return .version
        case "--demo":
            words.removeFirst()
            return .demo(Command.TerminalOptions(isPlain: try flag("--plain")))
        case "list":
            words.removeFirst()
            return .list(try list())
        case "show":
            words.removeFirst()
            return .show(try show())
        case "search":
            words.removeFirst()
            return .search(try search())
        case "apply":
            words.removeFirst()
            return .apply(try apply())
        case "compose":
            words.removeFirst()
            return .compose(try compose())
        case "send":
            words.removeFirst()
            return .send(try send())
        case "status":
            words.removeFirst()
            return .status(try status())
        case "outbox":
            words.removeFirst()
            return .outbox(try outbox())
        case "watch":
            words.removeFirst()
            return .watch(try watch())
        case "config":
            words.removeFirst()
            return .config(try config())
        case "account":
            words.removeFirst()
            return .account(try account())
        case "doctor":
            words.removeFirst()
            return .doctor(json: try flag("--json"))
        case "serve": return .serve(Array(words.dropFirst()))
        default: return try options()
        }
    }

    /// Help, when any word asks for it; `nil` when none does.
    private func helpTopic(_ first: String) throws(CommandFailure) -> Command? {
        if first == "help" || first == "--help" || first == "-h" {
            guard let topic = words.dropFirst().first, topic != "--help" else { return .help(nil) }
            let names = [topic, "--" + topic]
            guard let form = names.lazy.compactMap(CommandTable.form).first else { throw unknown(topic) }
            return .help(form.name)
        }
        guard words.contains("--help") || words.contains("-h") else { return nil }
        return .help(words.lazy.compactMap(CommandTable.form).first { $0.name != "--help" }?.name)
    }

    private mutating func status() throws(CommandFailure) -> Command.StatusOptions {
        var options = Command.StatusOptions()
        while let word = words.popFirst() {
            switch word {
            case "--json": options.json = true
            case "--unread": options.unread = true
            case "--account": options.account = try value(word)
            default: throw unknown(word)
            }
        }
        if options.json && options.unread { throw CommandParser.usage("Choose one of --json and --unread.") }
        return options
    }

    private mutating func config() throws(CommandFailure) -> Command.ConfigOptions {
        var options = Command.ConfigOptions()
        while let word = words.popFirst() {
            switch word {
            case "--json": options.json = true
            case "path": options.pathOnly = true
            default: throw unknown(word)
            }
        }
        if options.json && options.pathOnly { throw CommandParser.usage("The path is printed as it is.") }
        return options
    }

    private mutating func account() throws(CommandFailure) -> Command.AccountOptions {
        let word = words.popFirst() ?? ""
        let action: Command.AccountOptions.Action
        switch word {
        case "add": action = .add(try value("account add"))
        case "list": action = .list
        case "check": action = .check
        case "remove": action = .remove
        default: throw CommandParser.usage("Say what to do with accounts: add, list, check or remove.")
        }
        var options = Command.AccountOptions(action: action)
        let isAddition = if case .add = action { true } else { false }
        var removesCache = false
        while let word = words.popFirst() {
            switch word {
            case "--json": options.json = true
            case "--name" where options.action != .list, "--account" where options.action != .list:
                options.label = try value(word)
            case "--keep-cache" where options.action == .remove: options.keepsCache = true
            case "--remove-cache" where options.action == .remove: removesCache = true
            case "--discard" where options.action == .remove: options.discard = try number(word, 1...100_000_000)
            case "--browser" where isAddition: options.usesBrowser = true
            default: throw unknown(word)
            }
        }
        if removesCache && options.keepsCache {
            throw CommandParser.usage("Choose one of --keep-cache and --remove-cache.")
        }
        return options
    }

    private mutating func options() throws(CommandFailure) -> Command {
        var sync = Command.SyncOptions()
        var isSync = false
        var isRebuild = false
        var terminal = Command.TerminalOptions()
        while let word = words.popFirst() {
            switch word {
            case "--sync-once": isSync = true
            case "--rebuild-cache": isRebuild = true
            case "--offline": terminal.isOffline = true
            case "--plain": terminal.isPlain = true
            case "--draft": terminal.draft = try value(word)
            case "--quiet", "-q": sync.quiet = true
            case "--json": sync.json = true
            case "--account": sync.account = try value(word)
            case "--deadline": sync.deadlineSeconds = try number(word, 1...86_400)
            default: throw unknown(word)
            }
        }
        sync.isOnce = isSync
        if (isSync || isRebuild) && terminal.isOffline { throw CommandParser.usage("A pass cannot run offline.") }
        if (isSync || isRebuild) && terminal.draft != nil { throw CommandParser.usage("A pass writes no draft.") }
        if (isSync || isRebuild) && terminal.isPlain { throw CommandParser.usage("A pass has no screen.") }
        if isRebuild && sync.json { throw CommandParser.usage("A rebuild has no JSON.") }
        if isRebuild { return .rebuildCache(sync) }
        if isSync { return .syncOnce(sync) }
        terminal.account = sync.account
        sync.account = nil
        if sync != Command.SyncOptions() { throw CommandParser.usage("These options go with --sync-once.") }
        return .interactive(terminal)
    }

    private mutating func list() throws(CommandFailure) -> Command.ListOptions {
        guard let word = words.popFirst(), let kind = Command.ListOptions.Kind(rawValue: word) else {
            throw CommandParser.usage("Say what to list: mailboxes, conversations, messages or drafts.")
        }
        var options = Command.ListOptions(kind: kind)
        var hasLimit = false
        // There are not many mailboxes, and they are in no folder.
        if kind == .mailboxes { options.limit = nil }
        while let word = words.popFirst() {
            switch word {
            case "--mailbox": options.mailbox = try value(word)
            case "--folder":
                options.folder = try folder(word)
                try CommandParser.check(options.folder, kind)
            case "--limit":
                options.limit = try number(word, 1...10_000_000)
                hasLimit = true
            case "--all": options.all = true
            case "--json": options.json = true
            case "--ids": options.idsOnly = true
            case "--account": options.account = try value(word)
            default: throw unknown(word)
            }
        }
        if options.all, hasLimit { throw CommandParser.usage("--all lifts the limit. Leave out --all or --limit.") }
        return options
    }

    /// A folder by its name, or by what the screen calls it.
    mutating func folder(_ option: String) throws(CommandFailure) -> Folder {
        let name = try value(option)
        let word = name.lowercased().filter(\.isLetter)
        if let folder = Folder(rawValue: word == "archive" ? Folder.archived.rawValue : word) { return folder }
        let names = Folder.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandParser.usage("“\(TextDisplay.sanitizedLine(name))” is not a folder. There are \(names).")
    }

    /// Refuses a folder that what is listed cannot be in, rather than to leave it out of account.
    private static func check(_ folder: Folder, _ kind: Command.ListOptions.Kind) throws(CommandFailure) {
        switch kind {
        case .mailboxes: throw usage("Mailboxes are in no folder. Leave --folder out.")
        case .drafts where folder != .drafts: throw usage("Drafts are in the folder drafts only.")
        default: return
        }
    }

    private mutating func show() throws(CommandFailure) -> Command.ShowOptions {
        var options = Command.ShowOptions(id: "")
        var forms: Set<Command.ShowOptions.Form> = []
        while let word = words.popFirst() {
            switch word {
            case "--plain": forms.insert(.plain)
            case "--html": forms.insert(.html)
            case "--json": forms.insert(.json)
            case "--offline": options.offline = true
            case "--account": options.account = try value(word)
            case "--width": options.width = try number(word, 20...1_000)
            default:
                guard options.id.isEmpty, !word.hasPrefix("-") else { throw unknown(word) }
                options.id = word
            }
        }
        if forms.count > 1 { throw CommandParser.usage("Choose one of --plain, --html and --json.") }
        options.form = forms.first ?? .plain
        if options.id.isEmpty { throw CommandParser.usage("Say which message to show, by its id.") }
        return options
    }

    /// The next word; `nil` at the end.
    mutating func next() -> String? { words.popFirst() }

    private mutating func flag(_ name: String) throws(CommandFailure) -> Bool {
        guard let word = words.popFirst() else { return false }
        guard word == name else { throw unknown(word) }
        try end()
        return true
    }

    mutating func value(_ option: String) throws(CommandFailure) -> String {
        guard let value = words.popFirst() else { throw CommandParser.usage("\(option) needs a value.") }
        return value
    }

    mutating func number(_ option: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int {
        let text = try value(option)
        guard let number = Int(text), range.contains(number) else {
            throw CommandParser.usage("\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private func end() throws(CommandFailure) {
        if let word = words.first { throw unknown(word) }
    }

    func unknown(_ word: String) -> CommandFailure {
        let shown = TextDisplay.sanitizedLine(word)
        let options = CommandTable.all.flatMap { $0.options.flatMap(\.names) }
        let known = CommandTable.all.map(\.name).filter { !$0.isEmpty } + options
        guard let nearest = NearestName.of(word, among: known), nearest != word else {
            return CommandParser.usage("“\(shown)” is not understood here.")
        }
        return CommandParser.usage("“\(shown)” is not understood here; did you mean “\(nearest)”?")
    }
}
