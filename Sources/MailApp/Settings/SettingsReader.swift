internal import MailUI
internal import TOML

/// What is wrong with the settings: the line, and the sentence about it.
struct SettingsFault: Error, Hashable {
    /// The line of the file; `nil` when the fault is the file's as a whole.
    let line: Int?
    /// The name the fault is about, if it has one.
    var name: String?
    /// What is wrong, to go after the name and its place, or after the place and a colon.
    let reason: String
    /// What to do about it, as a sentence.
    var advice: String?
}

/// Makes settings of a TOML document; the first thing that is wrong refuses all of it.
enum SettingsReader {
    static func read(_ bytes: [UInt8]) throws(SettingsFault) -> Settings {
        let root: TOMLValue
        do {
            root = try TOMLReader.read(bytes)
        } catch {
            throw SettingsFault(line: error.line, reason: error.reason)
        }
        var settings = Settings()
        guard case .table(let members) = root.content else { return settings }
        for member in members { try read(member, below: "", into: &settings) }
        try settings.finishKeys()
        return settings
    }

    private static func read(
        _ member: TOMLMember, below group: String, into settings: inout Settings
    ) throws(SettingsFault) {
        let name = group.isEmpty ? member.name : "\(group).\(member.name)"
        let line = member.value.line
        if let id = SettingID(rawValue: name) {
            settings.set(id, to: try value(member.value, for: SettingTable.option(id)), line: line)
            return
        }
        if group == KeySettings.group {
            settings.add(try KeySettings.changes(member))
            return
        }
        if group == SearchSettings.group {
            try settings.add(SearchSettings.search(member))
            return
        }
        if name == AccountSettings.group {
            settings.accounts = try AccountSettings.read(member)
            for (_, account) in settings.accounts.sorted(by: { $0.key < $1.key }) {
                for search in account.searches { try settings.add(search) }
            }
            return
        }
        if name == MailboxSettings.group {
            settings.add(try MailboxSettings.read(member))
            return
        }
        let isGroup = name == SearchSettings.group || SettingID.allCases.contains { $0.rawValue.hasPrefix(name + ".") }
        guard case .table(let members) = member.value.content else {
            if isGroup {
                throw SettingsFault(
                    line: line, name: name, reason: "is \(member.value.kind), but is a group of settings")
            }
            throw unknown(name, line)
        }
        // Of an unknown group the first member is named, since the nearest known name may be a whole setting.
        guard isGroup || !members.isEmpty else { throw unknown(name, line) }
        for member in members { try read(member, below: name, into: &settings) }
    }

    /// The value, if the option takes it; a fault calls it `name`, by default as the option is called.
    static func value(
        _ value: TOMLValue, for option: SettingOption, named name: String? = nil
    ) throws(SettingsFault) -> SettingValue {
        let name = name ?? option.id.rawValue
        let found: SettingValue
        let words: String
        switch (value.content, option.form) {
        case (.string(let text), .choice), (.string(let text), .directory), (.string(let text), .seconds),
            (.string(let text), .text), (.string(let text), .file):
            (found, words) = (.text(text), "“\(text)”")
        case (.integer(let number), .number), (.integer(let number), .seconds):
            (found, words) = (.number(Int(number)), String(number))
        case (.array(let values), .command):
            let texts = values.compactMap { if case .string(let text) = $0.content { text } else { nil } }
            // One that is no text would otherwise just be missing from the command.
            (found, words) = (.words(texts.count == values.count ? texts : [""]), "something else")
        default:
            throw SettingsFault(
                line: value.line, name: name,
                reason: "is \(value.kind); it takes \(option.form.description)")
        }
        guard option.accepts(found) else {
            throw SettingsFault(
                line: value.line, name: name,
                reason: "is \(words); it takes \(option.form.description)")
        }
        return found
    }

    static func unknown(_ name: String, _ line: Int?) -> SettingsFault {
        let nearest = nearestName(name)
        // By name, since “herald config” refuses a file that is wrong.
        let all = "There are " + SettingID.allCases.map(\.rawValue).joined(separator: ", ") + "."
        return SettingsFault(
            line: line, name: name, reason: "is not a setting",
            advice: nearest.map { "Did you mean “\($0)”?" } ?? all)
    }

    /// The setting probably meant: a name like it, or one in a group that ends like it.
    private static func nearestName(_ name: String) -> String? {
        let known = SettingID.allCases.map(\.rawValue)
        if let nearest = NearestName.of(name, among: known) { return nearest }
        func last(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
        guard let nearest = NearestName.of(last(name), among: known.map(last)) else { return nil }
        return known.first { last($0) == nearest }
    }
}
