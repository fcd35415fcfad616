internal import MailUI
internal import TOML

/// The groups of keys in the settings: `[keys.list]` and its like.
enum KeySettings {
    /// The name of the group that holds them.
    static let group = "keys"

    /// The changes of one group; its members are keys with what they do.
    static func changes(_ member: TOMLMember) throws(SettingsFault) -> [KeyChange] {
        let name = "\(group).\(member.name)"
        guard KeyChange.groups.contains(member.name) else {
            let nearest = NearestName.of(member.name, among: KeyChange.groups + ["profile"])
            let groups = KeyChange.groups.map { "“keys.\($0)”" }.joined(separator: ", ")
            throw SettingsFault(
                line: member.value.line, name: name, reason: "is no group of keys",
                advice: nearest.map { "Did you mean “keys.\($0)”?" } ?? "There are \(groups).")
        }
        guard case .table(let members) = member.value.content else {
            throw SettingsFault(
                line: member.value.line, name: name, reason: "is \(member.value.kind), but is a group of keys")
        }
        var changes: [KeyChange] = []
        for key in members {
            guard case .string(let command) = key.value.content else {
                throw SettingsFault(
                    line: key.value.line, name: "\(name).\(key.name)",
                    reason:
                        "is \(key.value.kind); it takes the name of an action, such as “open” or “go sent”, or “none”"
                )
            }
            changes.append(
                KeyChange(group: member.name, keys: key.name, command: command, line: key.value.line))
        }
        return changes
    }

    /// What keys do with a profile and changes.
    static func map(_ profile: KeyProfile, _ changes: [KeyChange]) throws(SettingsFault) -> KeyMap {
        do {
            return try KeyMap(profile: profile, changes: changes)
        } catch {
            throw SettingsFault(
                line: error.change.line, name: "keys.\(error.change.group).\(error.change.keys)",
                reason: error.reason, advice: error.advice)
        }
    }
}
