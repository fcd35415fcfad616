internal import DisplayText
internal import MailUI
internal import TOML
internal import TerminalUI

/// What the settings file says of one account, in the group `accounts.LABEL`.
struct AccountSettings: Hashable, Sendable {
    /// One of the things it says, and where it stands.
    struct Entry: Hashable, Sendable {
        let value: String
        let line: Int
    }

    /// The names there are, in the order they are listed.
    enum Name: String, CaseIterable, Sendable {
        case name, color, bodies
    }

    var entries: [Name: Entry] = [:]
    /// The saved searches that only this account has.
    private(set) var searches: [Settings.Search] = []

    /// What the screen calls the account.
    var name: String? { entries[.name]?.value }
    var color: Color? { entries[.color].flatMap { AccountSettings.colors[$0.value] } }
    var bodies: String? { entries[.bodies]?.value }

    /// The group of all accounts.
    static let group = "accounts"
    private static let colors: [String: Color] = [
        "red": .red, "green": .green, "yellow": .yellow, "blue": .blue, "magenta": .magenta, "cyan": .cyan,
    ]

    /// Reads the group of all accounts.
    ///
    /// - Throws: for the first thing that is wrong.
    static func read(_ member: TOMLMember) throws(SettingsFault) -> [String: AccountSettings] {
        guard case .table(let accounts) = member.value.content else {
            throw SettingsFault(
                line: member.value.line, name: group, reason: "is \(member.value.kind), but is a group of settings")
        }
        var all: [String: AccountSettings] = [:]
        for account in accounts {
            let name = "\(group).\(account.name)"
            guard case .table(let members) = account.value.content else {
                throw SettingsFault(
                    line: account.value.line, name: name,
                    reason: "is \(account.value.kind), but is the group of an account")
            }
            var settings = AccountSettings()
            for member in members {
                if member.name == SearchSettings.group {
                    try settings.takeSearches(member, of: account.name)
                } else {
                    try settings.take(member, below: name)
                }
            }
            all[account.name] = settings
        }
        return all
    }

    private mutating func takeSearches(_ member: TOMLMember, of account: String) throws(SettingsFault) {
        let above = "\(AccountSettings.group).\(account)."
        guard case .table(let members) = member.value.content else {
            throw SettingsFault(
                line: member.value.line, name: above + member.name,
                reason: "is \(member.value.kind), but is a group of saved searches")
        }
        for member in members { searches.append(try SearchSettings.search(member, account: account, above: above)) }
    }

    private mutating func take(_ member: TOMLMember, below group: String) throws(SettingsFault) {
        let (full, line) = ("\(group).\(member.name)", member.value.line)
        guard let name = Name(rawValue: member.name) else {
            let names = Name.allCases.map(\.rawValue) + [SearchSettings.group]
            throw SettingsFault(
                line: line, name: full, reason: "is not a setting of an account",
                advice: NearestName.of(member.name, among: names).map { "Did you mean “\($0)”?" }
                    ?? "There are \(names.joined(separator: ", ")).")
        }
        guard case .string(let text) = member.value.content, AccountSettings.accepts(text, name) else {
            throw SettingsFault(line: line, name: full, reason: "takes \(AccountSettings.takes(name))")
        }
        entries[name] = Entry(value: text, line: line)
    }

    private static func accepts(_ text: String, _ name: Name) -> Bool {
        switch name {
        case .name: (1...40).contains(text.count) && !TextDisplay.sanitizedLine(text).allSatisfy(\.isWhitespace)
        case .color: colors[text] != nil
        case .bodies: SettingTable.option(.syncBodies).accepts(.text(text))
        }
    }

    private static func takes(_ name: Name) -> String {
        switch name {
        case .name: "a text of 1 to 40 letters"
        case .color: colors.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
        case .bodies: SettingTable.option(.syncBodies).form.description
        }
    }
}
