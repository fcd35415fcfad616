internal import MailUI
internal import TOML

/// What the settings say of one mailbox: `[mailboxes."ann@example.org"]`.
struct MailboxSetting: Hashable, Sendable {
    /// The mailbox's address as the file has it.
    let address: String
    /// What is said.
    let name: Name
    let value: SettingValue
    let line: Int

    /// What may be said of a mailbox, as the file calls it.
    enum Name: String, CaseIterable, Sendable {
        /// When mail that is open counts as read.
        case markAfter = "mark_after"
        /// Whether new mail is told of.
        case notify
        /// What ends a new text.
        case signature
        /// A file with it.
        case signatureFile = "signature_file"

        /// The general setting, which has the same values.
        var general: SettingID {
            switch self {
            case .markAfter: .readMarkAfter
            case .notify: .notifyMail
            case .signature: .composeSignature
            case .signatureFile: .composeSignatureFile
            }
        }
    }
}

/// The groups of single mailboxes in the settings.
enum MailboxSettings {
    /// The name of the group that holds them.
    static let group = "mailboxes"

    /// The settings of all mailboxes that are named.
    static func read(_ member: TOMLMember) throws(SettingsFault) -> [MailboxSetting] {
        guard case .table(let mailboxes) = member.value.content else {
            throw SettingsFault(
                line: member.value.line, name: member.name,
                reason: "is \(member.value.kind); it takes a group for each address")
        }
        var all: [MailboxSetting] = []
        for mailbox in mailboxes {
            let name = "\(group).\"\(mailbox.name)\""
            guard case .table(let members) = mailbox.value.content else {
                throw SettingsFault(
                    line: mailbox.value.line, name: name,
                    reason: "is \(mailbox.value.kind), but is a group of settings of a mailbox",
                    advice: "Write [\(name)] and the settings below it.")
            }
            guard mailbox.name.contains("@") else {
                throw SettingsFault(
                    line: mailbox.value.line, name: name, reason: "is no address of a mailbox",
                    advice: "Write the address in quotes: [\(group).\"ann@example.org\"].")
            }
            for member in members { all.append(try setting(member, of: mailbox.name, name)) }
        }
        return all
    }

    private static func setting(
        _ member: TOMLMember, of address: String, _ group: String
    ) throws(SettingsFault) -> MailboxSetting {
        let full = "\(group).\(member.name)"
        guard let name = MailboxSetting.Name(rawValue: member.name) else {
            let names = MailboxSetting.Name.allCases.map(\.rawValue)
            throw SettingsFault(
                line: member.value.line, name: full, reason: "is not a setting of a mailbox",
                advice: "There are \(names.joined(separator: ", ")).")
        }
        let value = try SettingsReader.value(member.value, for: SettingTable.option(name.general), named: full)
        return MailboxSetting(address: address, name: name, value: value, line: member.value.line)
    }
}

extension Settings {
    /// What the settings say of acting on mail.
    var triage: TriageSettings {
        var triage = TriageSettings(markAfter: Settings.milliseconds(self[.readMarkAfter]))
        if case .text(let word) = self[.readAfterAction] { triage.afterAction = AfterAction(rawValue: word) ?? .next }
        for mailbox in mailboxes where mailbox.name == .markAfter {
            triage.markAfterIn[mailbox.address.lowercased()] = .some(Settings.milliseconds(mailbox.value))
        }
        return triage
    }

    private static func milliseconds(_ value: SettingValue) -> Int? {
        guard case .number(let seconds) = value else { return nil }
        return seconds * 1_000
    }
}
