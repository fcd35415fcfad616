internal import MailSignIn
internal import MailSync
internal import MailText
internal import MailUI

/// The settings in force: what the file sets, over what is standard.
struct Settings: Hashable, Sendable {
    /// A value from the file, and where it stands there.
    struct Entry: Hashable, Sendable {
        let value: SettingValue
        let line: Int
    }

    /// A saved search, and where it stands in the file.
    struct Search: Hashable, Sendable {
        let search: SavedSearch
        let line: Int
    }

    /// What the file sets; everything else is standard.
    private(set) var entries: [SettingID: Entry] = [:]
    /// What the file says of single keys.
    private(set) var keyChanges: [KeyChange] = []
    /// The saved searches.
    private(set) var searches: [Search] = []
    /// What the file says of single accounts, by their labels.
    var accounts: [String: AccountSettings] = [:]
    /// What the file says of single mailboxes.
    private(set) var mailboxes: [MailboxSetting] = []
    /// What keys do, once anything was said of them.
    private var changedKeys: KeyMap?

    /// What keys do.
    var keyMap: KeyMap { changedKeys ?? .standard }

    /// Takes a value over from the file.
    mutating func set(_ id: SettingID, to value: SettingValue, line: Int) {
        entries[id] = Entry(value: value, line: line)
    }

    /// The value in force.
    subscript(id: SettingID) -> SettingValue {
        entries[id]?.value ?? SettingTable.option(id).standard
    }

    /// Takes over what the file says of single keys.
    mutating func add(_ changes: [KeyChange]) { keyChanges += changes }

    /// Takes over a saved search.
    ///
    /// - Throws: when the account, or all, have one of this name.
    mutating func add(_ entry: Search) throws(SettingsFault) {
        let search = entry.search
        let same = searches.first {
            $0.search.account == search.account && $0.search.name.lowercased() == search.name.lowercased()
        }
        if let same {
            throw SettingsFault(
                line: entry.line, name: search.name, reason: "is a saved search already, in line \(same.line)")
        }
        searches.append(entry)
    }

    /// Takes over what the file says of single mailboxes.
    mutating func add(_ settings: [MailboxSetting]) { mailboxes += settings }

    /// Makes the map of keys of the profile and the changes.
    ///
    /// - Throws: for the first change that cannot be had.
    mutating func finishKeys() throws(SettingsFault) {
        let profile = keyProfile
        changedKeys =
            keyChanges.isEmpty && profile == .default ? nil : try KeySettings.map(profile, keyChanges)
    }

    private var keyProfile: KeyProfile {
        guard case .text(let word) = self[.keysProfile] else { return .default }
        return KeyProfile(rawValue: word) ?? .default
    }

    /// Which texts a pass fetches ahead, where nothing is said of its account.
    var bodies: BodiesPolicy { bodies(of: "") }

    /// Which texts a pass of an account fetches ahead.
    func bodies(of label: String) -> BodiesPolicy {
        switch accounts[label]?.bodies.map({ SettingValue.text($0) }) ?? self[.syncBodies] {
        case .text("opened"): return .opened
        case .text("all"): return .all
        default:
            guard case .number(let days) = self[.syncRecentDays] else { return .opened }
            return .recent(days: days)
        }
    }

    /// Where files are saved; `nil` where that is left to the program.
    var saveDirectory: String? {
        guard case .text(let path) = self[.saveDirectory], !path.isEmpty else { return nil }
        return path
    }

    /// How long mail can be taken back that the terminal sends, in milliseconds.
    var sendDelayMilliseconds: Int64 {
        guard case .number(let seconds) = self[.sendDelay] else { return 0 }
        return Int64(seconds) * 1_000
    }

    /// Where the next sign-in keeps its tokens.
    var tokenPlace: StoredSignIn.Place {
        if !tokenCommand.isEmpty { return .command }
        return self[.tokenStore] == .text("keyring") ? .keyring : .file
    }

    /// The program that prints a bearer, with its arguments; empty when there is none.
    var tokenCommand: [String] {
        guard case .words(let words) = self[.tokenCommand] else { return [] }
        return words
    }

    /// Whether the screen does without colours.
    var isWithoutColor: Bool { self[.terminalColors] == .text("never") }

    /// The form that is shown of mail that has a text and HTML; `nil` for the one that says more.
    var preferredForm: BodyForm? {
        switch self[.readerForm] {
        case .text("text"): .text
        case .text("html"): .html
        default: nil
        }
    }

    /// Whether the reader draws pictures from the start.
    var showsPictures: Bool { self[.readerImages] != .text("off") }

    /// How pictures are drawn.
    var graphics: GraphicsChoice.Wish {
        switch self[.readerImages] {
        case .text("symbols"): .letters
        case .text("kitty"): .terminal
        default: .auto
        }
    }

    /// Whether links are made ones that the terminal opens; `nil` where that depends on the terminal.
    var hyperlinks: Bool? {
        switch self[.terminalHyperlinks] {
        case .text("on"): true
        case .text("off"): false
        default: nil
        }
    }

    /// How much the log tells.
    var logLevel: LogLevel {
        guard case .text(let word) = self[.logLevel] else { return .info }
        return LogLevel(rawValue: word) ?? .info
    }
}
