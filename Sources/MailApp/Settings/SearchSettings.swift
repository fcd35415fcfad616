internal import MailFilter
internal import MailUI
internal import TOML

/// The saved searches in the settings: `[searches]`.
enum SearchSettings {
    /// The name of the group that holds them.
    static let group = "searches"

    /// One saved search: its name, and a filter.
    ///
    /// `above` is the group of the account that alone has it.
    static func search(
        _ member: TOMLMember, account: String? = nil, above: String = ""
    ) throws(SettingsFault) -> Settings.Search {
        let (name, line) = ("\(above)\(group).\(member.name)", member.value.line)
        guard case .string(let text) = member.value.content else {
            throw SettingsFault(line: line, name: name, reason: "is \(member.value.kind); it takes a filter")
        }
        guard !member.name.allSatisfy(\.isWhitespace), member.name.count <= SavedSearch.nameMax else {
            let most = SavedSearch.nameMax
            throw SettingsFault(line: line, name: name, reason: "has no name of 1 to \(most) letters")
        }
        if let folder = SavedSearch.folderTitle(named: member.name.split(separator: " ").joined(separator: " ")) {
            throw SettingsFault(
                line: line, name: name, reason: "has the name of a folder",
                advice: "Choose another than “\(folder)”, since both are gone to by name.")
        }
        do {
            _ = try FilterParser.parse(text)
        } catch {
            throw SettingsFault(line: line, name: name, reason: "is no filter", advice: error.message)
        }
        return Settings.Search(
            search: SavedSearch(name: member.name, filter: text, account: account), line: line)
    }
}
