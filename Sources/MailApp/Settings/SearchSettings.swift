internal import MailFilter
internal import MailUI
internal import TOML

/// The saved searches in the settings: `[searches]`.
enum SearchSettings {
    /// The name of the group that holds them.
    static let group = "searches"
    /// A sidebar has no room for more.
    private static let nameMax = 40

    /// One saved search: its name, and a filter.
    static func search(_ member: TOMLMember) throws(SettingsFault) -> SavedSearch {
        let (name, line) = ("\(group).\(member.name)", member.value.line)
        guard case .string(let text) = member.value.content else {
            throw SettingsFault(line: line, name: name, reason: "is \(member.value.kind); it takes a filter")
        }
        guard !member.name.allSatisfy(\.isWhitespace), member.name.count <= nameMax else {
            throw SettingsFault(line: line, name: name, reason: "has no name of 1 to \(nameMax) letters")
        }
        do {
            _ = try FilterParser.parse(text)
        } catch {
            throw SettingsFault(line: line, name: name, reason: "is no filter", advice: error.message)
        }
        return SavedSearch(name: member.name, filter: text)
    }
}
