internal import MailSync

/// The settings in force: what the file sets, over what is standard.
struct Settings: Hashable, Sendable {
    /// A value from the file, and where it stands there.
    struct Entry: Hashable, Sendable {
        let value: SettingValue
        let line: Int
    }

    /// What the file sets; everything else is standard.
    private(set) var entries: [SettingID: Entry] = [:]

    /// Takes a value over from the file.
    mutating func set(_ id: SettingID, to value: SettingValue, line: Int) {
        entries[id] = Entry(value: value, line: line)
    }

    /// The value in force.
    subscript(id: SettingID) -> SettingValue {
        entries[id]?.value ?? SettingTable.option(id).standard
    }

    /// Which texts a pass fetches ahead.
    var bodies: BodiesPolicy {
        switch self[.syncBodies] {
        case .text("opened"): return .opened
        case .text("all"): return .all
        default:
            guard case .number(let days) = self[.syncRecentDays] else { return .opened }
            return .recent(days: days)
        }
    }

    /// Whether the screen does without colours.
    var isWithoutColor: Bool { self[.terminalColors] == .text("never") }

    /// How much the log tells.
    var logLevel: LogLevel {
        guard case .text(let word) = self[.logLevel] else { return .info }
        return LogLevel(rawValue: word) ?? .info
    }
}
